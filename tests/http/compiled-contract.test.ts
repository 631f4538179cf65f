import { setImmediate as nextTurn } from 'node:timers/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { document } from '../../scripts/contract/read.ts';
import { compileAhead, compileContract, compiledContract } from '../../server/http/compiled-contract.ts';
import { newStepGate } from '../../server/workers/step-gate.ts';

type Document = typeof document;

test.each<[string, (contract: Document) => void]>([
  ['is no OpenAPI document', (contract) => delete contract.info],
  [
    'has a relative URL for tokens',
    ({ components }) => {
      components.securitySchemes.clientToken.flows.clientCredentials.tokenUrl = 'token';
    },
  ],
  [
    'has a $ref to nowhere',
    ({ components }) => Object.assign(components.schemas.Profile, { $ref: '#/components/schemas/None' }),
  ],
  ['has a type that is none', ({ components }) => Object.assign(components.schemas.Profile, { type: 'record' })],
  ['has a pattern that is none', ({ components }) => Object.assign(components.schemas.Profile, { pattern: '[' })],
  ['has a limit that is none', ({ components }) => Object.assign(components.schemas.Profile, { minProperties: '1' })],
])('a contract that %s keeps a server from starting', async (_, breakIt) => {
  // the validator also prints its errors
  const print = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => print.mockRestore());
  const contract = structuredClone(document);
  breakIt(contract);
  await expect(compileContract(contract, 'fail')).rejects.toThrow(/^The contract cannot be compiled: ./);
});

test('a sound contract is compiled once for all servers of a process', async () => {
  expect(await compiledContract('fail')).toBe(await compiledContract('fail'));
  expect(await compiledContract('log')).not.toBe(await compiledContract('fail'));
});

test.each(['fail', 'log'] as const)('each operation is compiled ahead once, one in a turn: %s', async (onBreach) => {
  const middleware = compileContract(document, onBreach);
  await middleware;
  const compile = vi.spyOn(Ajv2020.prototype, 'addSchema');
  onTestFinished(() => compile.mockRestore());
  const operationsIn = (from: number) =>
    // the validator names a schema after the method, the path and the media type of a request
    new Set(compile.mock.calls.slice(from).map(([, name]) => String(name).split('-').slice(0, 3).join(' ')));
  const steps = newStepGate();
  let isDone = false;
  const ahead = compileAhead(steps, onBreach, undefined, middleware).then(() => {
    isDone = true;
  });
  let most = 0;
  for (let before = 0; !isDone; before = compile.mock.calls.length) {
    await nextTurn();
    most = Math.max(most, operationsIn(before).size);
  }
  await ahead;
  const ids = Object.values(OPERATIONS).map(({ requestMediaTypes }) => Math.max(1, requestMediaTypes.length));
  // all but the first operation, which is compiled at the start
  expect(operationsIn(0).size).toBe(ids.reduce((sum, count) => sum + count, 0) - 1);
  expect(most).toBe(1);
  const count = compile.mock.calls.length;
  await compileAhead(steps, onBreach, undefined, middleware);
  expect(compile.mock.calls.length).toBe(count);
});

test('a server that is about to end compiles no further operation', async () => {
  const middleware = compileContract(document, 'fail');
  await middleware;
  const compile = vi.spyOn(Ajv2020.prototype, 'addSchema');
  onTestFinished(() => compile.mockRestore());
  await compileAhead(newStepGate(), 'fail', AbortSignal.abort(), middleware);
  expect(compile).not.toHaveBeenCalled();
});

test('Ajv does not look for ids in the contract beside a schema, which has none', async () => {
  const ajv = new Ajv2020();
  const one = { $id: 'https://example.com/one', type: 'object' };
  ajv.addSchema({ components: { schemas: { one } }, paths: { one: { one } }, type: 'object' }, 'walked');
  expect(ajv.getSchema(one.$id)).toBeUndefined();
  expect(JSON.stringify(document)).not.toMatch(/"\$(id|anchor|dynamicAnchor)":/);
});
