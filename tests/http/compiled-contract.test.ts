import { setImmediate as nextTurn } from 'node:timers/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { REQUESTS } from '../../generated/requests.ts';
import { OPERATIONS } from '../../generated/server.ts';
import { document } from '../../scripts/contract/read.ts';
import { compileAhead, compileContract, compiledContract } from '../../server/http/compiled-contract.ts';
import { newStepGate } from '../../server/workers/step-gate.ts';

type Document = typeof document;

test.each<[string, (contract: Document) => void]>([
  ['is not an OpenAPI document', (contract) => delete contract.info],
  [
    'has a relative URL for tokens',
    ({ components }) => {
      components.securitySchemes.clientToken.flows.clientCredentials.tokenUrl = 'token';
    },
  ],
  [
    'has a dangling $ref',
    ({ components }) => Object.assign(components.schemas.Profile, { $ref: '#/components/schemas/None' }),
  ],
  ['has an invalid type', ({ components }) => Object.assign(components.schemas.Profile, { type: 'record' })],
  ['has an invalid pattern', ({ components }) => Object.assign(components.schemas.Profile, { pattern: '[' })],
  ['has an invalid limit', ({ components }) => Object.assign(components.schemas.Profile, { minProperties: '1' })],
])('a server does not start with a contract that %s', async (_, breakIt) => {
  // the validator also prints its errors
  const print = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => print.mockRestore());
  const contract = structuredClone(document);
  breakIt(contract);
  await expect(compileContract(contract)).rejects.toThrow(/^The contract cannot be compiled: ./);
});

test('a valid contract is compiled once for all servers of a process', async () => {
  expect(await compiledContract()).toBe(await compiledContract());
});

test('each operation is compiled ahead once, one per turn', async () => {
  const contract = compileContract(document);
  await contract;
  const compile = vi.spyOn(Ajv2020.prototype, 'addSchema');
  onTestFinished(() => compile.mockRestore());
  const operationsIn = (from: number) =>
    // a schema is named after the method, the path and the media type of a request
    new Set(compile.mock.calls.slice(from).map(([, name]) => String(name).split('-').slice(0, 3).join(' ')));
  const steps = newStepGate();
  let isDone = false;
  const ahead = compileAhead(steps, undefined, contract).then(() => {
    isDone = true;
  });
  let most = 0;
  for (let before = 0; !isDone; before = compile.mock.calls.length) {
    await nextTurn();
    most = Math.max(most, operationsIn(before).size);
  }
  await ahead;
  const ids = Object.values(OPERATIONS).map(({ requestMediaTypes }) => Math.max(1, requestMediaTypes.length));
  expect(operationsIn(0).size).toBe(ids.reduce((sum, count) => sum + count, 0));
  expect(most).toBe(1);
  const count = compile.mock.calls.length;
  await compileAhead(steps, undefined, contract);
  expect(compile.mock.calls.length).toBe(count);
});

test('a server that is shutting down compiles no more operations', async () => {
  const contract = compileContract(document);
  await contract;
  const compile = vi.spyOn(Ajv2020.prototype, 'addSchema');
  onTestFinished(() => compile.mockRestore());
  await compileAhead(newStepGate(), AbortSignal.abort(), contract);
  expect(compile).not.toHaveBeenCalled();
});

test('each parameter is a single value, which the validator can check directly', () => {
  const parameters = Object.values(REQUESTS).flatMap(({ path, query }) => Object.entries({ ...path, ...query }));
  expect(parameters.length).toBeGreaterThan(0);
  const others = parameters.filter(
    ([, { type }]) => !['string', 'integer', 'number', 'boolean'].includes(String(type)),
  );
  expect(others).toEqual([]);
});

test('Ajv does not search the contract for ids, and the contract has none', async () => {
  const ajv = new Ajv2020();
  const one = { $id: 'https://example.com/one', type: 'object' };
  ajv.addSchema({ components: { schemas: { one } }, paths: { one: { one } }, type: 'object' }, 'walked');
  expect(ajv.getSchema(one.$id)).toBeUndefined();
  expect(JSON.stringify(document)).not.toMatch(/"\$(id|anchor|dynamicAnchor)":/);
});
