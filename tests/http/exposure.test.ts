import { expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { operationsOf, partsOf, type Schema } from '../../scripts/contract/bundle.ts';
import { contract } from '../../scripts/contract/read.ts';
import { expectPromised } from '../contract/support/kept-promises.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { CALL_IDS } from '../support/operations.ts';
import { rawCall } from '../support/raw-call.ts';
import { testServer } from '../support/started.ts';

const server = testServer('sqlite', { rateLimitMultiplier: 1000 });

test.each(CALL_IDS)('%s returns only fields that the contract names, and GET the same head as HEAD', async (id) => {
  const { status, ...call } = await acceptedCall(id, server);
  const response = await rawCall(server.baseUrl, id, call);
  const text = await expectPromised(id, response);
  expect(response.status, text).toBe(OPERATIONS[id].successStatus);
  if (OPERATIONS[id].method === 'get') {
    const head = await rawCall(server.baseUrl, id, { ...call, method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([response.status, '']);
    expect(namesIn(head)).toEqual(namesIn(response));
  }
  if (text === '') return;
  const { operation } = operationsOf(contract).find((located) => located.id === id)!;
  const { schema } = operation.responses[response.status]!.content!['application/json']!;
  expect(unnamedIn(JSON.parse(text), [schema!])).toEqual([]);
});

/** The names of the headers. fetch keeps no connection after HEAD. */
function namesIn({ headers }: Response): string[] {
  return [...headers.keys()].filter((name) => name !== 'keep-alive');
}

/** Paths of the fields that no schema names. */
function unnamedIn(value: unknown, schemas: readonly Schema[], way: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const all = schemas.flatMap(partsOf);
  // the schema allows any further fields
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
