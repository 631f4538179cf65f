import { describe, expect, test } from 'vitest';
import type { Ride } from '../../generated/types.ts';
import { at, partsOf, type Schema } from '../../scripts/contract/bundle.ts';
import { contract } from '../../scripts/contract/read.ts';
import { engines } from '../support/database.ts';
import { forAll } from '../support/started.ts';
import { openStage } from './support/refusals-stage.ts';
import { fieldsOf, isReached, namesIn, STATUSES, type Status } from './support/ride-fields.ts';
import { answerIn, SITUATIONS } from './support/situations.ts';

describe('the contract', () => {
  test.each(STATUSES)('has the fields of the table for a ride that is %s', (status) => {
    const schema = merged(variantOf(status));
    const actual = fieldsOf(status).flatMap(({ field }) => {
      const [outer, inner] = field.split('.') as [string, string?];
      if (inner === undefined) return [{ field, presence: presenceIn(schema, outer) }];
      const around = schema.properties?.[outer];
      return [{ field, presence: around ? presenceIn(merged(around), inner) : 'absent' }];
    });
    expect(actual).toEqual(fieldsOf(status));
  });

  test.each(STATUSES)('has no other field for a ride that is %s', (status) => {
    const { properties = {} } = merged(variantOf(status));
    const places = Object.entries(properties).map(([name, property]) => [name, merged(property).properties ?? {}]);
    const inTable = fieldsOf(status).map(({ field }) => field);
    expect(namesIn(Object.fromEntries(places)).filter((name) => !inTable.includes(name))).toEqual([]);
  });
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

function presenceIn({ properties = {}, required = [] }: Schema, name: string) {
  if (!(name in properties)) return 'absent';
  return required.includes(name) ? 'required' : 'optional';
}
