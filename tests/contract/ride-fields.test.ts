import { describe, expect, test } from 'vitest';
import type { Ride } from '../../generated/types.ts';
import { at, partsOf, type Schema } from '../../scripts/contract/bundle.ts';
import { contract } from '../../scripts/contract/read.ts';
import { engines } from '../support/database.ts';
import { forAll } from '../support/started.ts';
import { openStage } from './support/refusals-stage.ts';
import { fieldsOf, isReached, namesIn, STATUSES, type Status } from './support/ride-fields.ts';
import { answerIn, SITUATIONS } from './support/situations.ts';

test.each(STATUSES)('the contract has exactly the fields of the table for a ride that is %s', (status) => {
  const schema = merged(variantOf(status));
  const nested = Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, merged(inner).properties ?? {}]);
  const names = namesIn(Object.fromEntries(nested));
  const presenceOf = (field: string) => {
    const [outer, inner] = field.split('.') as [string, string?];
    return presenceIn(inner === undefined ? schema : merged(schema.properties![outer]!), inner ?? outer);
  };
  const table = fieldsOf(status).filter(({ field, presence }) => presence !== 'absent' && isReached(field, names));
  expect(Object.fromEntries(names.map((field) => [field, presenceOf(field)]))).toEqual(
    Object.fromEntries(table.map(({ field, presence }) => [field, presence])),
  );
});

describe.each(engines)('on %s', (engine) => {
  const stage = forAll(() => openStage(engine));
  const answers: { status: Status; names: string[] }[] = [];

  describe.each([
    ['with a destination', {}],
    ['without a destination', { destination: undefined }],
  ])('%s', (_, start) => {
    test.each(SITUATIONS)('a ride $name has the fields of $status', async (situation) => {
      const ride = await answerIn(stage, situation, start);
      answers.push({ status: ride.status, names: namesIn(ride) });
      expect(disagreements(ride)).toEqual([]);
    });
  });

  // a field is optional only if some rides have it and others do not
  test.each(STATUSES)('some rides that are %s have each optional field, and some do not', (status) => {
    const seen = answers.filter((answer) => answer.status === status).map(({ names }) => names);
    const optional = fieldsOf(status).filter(({ presence }) => presence === 'optional');
    for (const { field } of optional) {
      const withIt = seen.filter((names) => names.includes(field)).length;
      expect(withIt, `${field} is never present`).toBeGreaterThan(0);
      const isAlwaysThere = field === 'route_url' || (field === 'cancellation_price' && status === 'pickedUp');
      expect(withIt === seen.length, `${field} is always present`).toBe(isAlwaysThere);
    }
  });
});

/** Returns the differences between the fields of a response and the table. */
function disagreements(ride: Ride): string[] {
  const names = namesIn(ride);
  const cells = fieldsOf(ride.status);
  const known = cells.map(({ field }) => field);
  const missing = cells
    .filter(({ field, presence }) => presence === 'required' && isReached(field, names) && !names.includes(field))
    .map(({ field }) => `${field} is missing`);
  const uninvited = cells
    .filter(({ field, presence }) => presence === 'absent' && names.includes(field))
    .map(({ field }) => `${field} is present`);
  return [...missing, ...uninvited, ...names.filter((name) => !known.includes(name)).map((name) => `${name} is new`)];
}

function variantOf(status: Status): Schema {
  return at(contract, contract.components!.schemas!.Ride!.discriminator!.mapping[status]!);
}

/** Merges all parts of a schema into one. */
function merged(schema: Schema): Schema {
  const parts = partsOf(schema);
  return {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

function presenceIn({ required = [] }: Schema, name: string) {
  return required.includes(name) ? 'required' : 'optional';
}
