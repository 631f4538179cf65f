import { expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { operationsOf, resolve } from '../../scripts/generate/contract.ts';
import { contract } from '../contract/support/contract.ts';
import { expectPromised } from '../contract/support/kept-promises.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { CALL_IDS } from '../support/operations.ts';
import { rawCall } from '../support/raw-call.ts';
import { testServer } from '../support/started.ts';

/** As much of a schema as names what a value may have. */
interface Naming {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Naming>>;
  readonly additionalProperties?: Naming | boolean;
  readonly items?: Naming;
  readonly allOf?: readonly Naming[];
  readonly oneOf?: readonly Naming[];
  readonly anyOf?: readonly Naming[];
}

const server = testServer('sqlite', { rateLimitMultiplier: 1000 });

test.each(CALL_IDS)('%s answers with nothing that the contract does not name', async (id) => {
  const { status, ...call } = await acceptedCall(id, server);
  const response = await rawCall(server.baseUrl, id, call);
  const text = await expectPromised(id, response);
  expect(response.status, text).toBe(OPERATIONS[id].successStatus);
  if (text === '') return;
  const { operation } = operationsOf(contract).find((located) => located.operation.operationId === id)!;
  const { content } = resolve(contract, operation.responses[response.status]!);
  const schema = content!['application/json']!.schema as Naming;
  expect(unnamedIn(JSON.parse(text), [schema])).toEqual([]);
});

test('a field that is not named is found, however deep', () => {
  const ride: Naming[] = [{ allOf: [{ properties: { stops: { items: { oneOf: [{ properties: { lat: {} } }] } } } }] }];
  expect(unnamedIn({ stops: [{ lat: 1 }] }, ride)).toEqual([]);
  expect(unnamedIn({ stops: [{ lat: 1, secret: 2 }], hash: 3 }, ride)).toEqual(['stops.0.secret', 'hash']);
});

/** The ways to the fields of a value that none of its schemas names. */
function unnamedIn(value: unknown, schemas: readonly Naming[], way: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const all = schemas.flatMap(parts);
  // left open in so many words
  if (all.some(({ additionalProperties }) => additionalProperties === true)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const within = all.flatMap(({ properties, additionalProperties, items }) => {
      if (Array.isArray(value)) return items ?? [];
      const open = typeof additionalProperties === 'object' ? additionalProperties : [];
      return properties && Object.hasOwn(properties, key) ? properties[key]! : open;
    });
    return within.length === 0 ? [[...way, key].join('.')] : unnamedIn(inner, within, [...way, key]);
  });
}

/** A schema, and all that it is put together from. */
function parts(schema: Naming): Naming[] {
  const own = resolve(contract, schema as { $ref: string }) as Naming;
  return [own, ...[own.allOf, own.oneOf, own.anyOf].flatMap((list) => list ?? []).flatMap(parts)];
}
