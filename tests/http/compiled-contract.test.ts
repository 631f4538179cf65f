import { expect, onTestFinished, test, vi } from 'vitest';
import { document } from '../../scripts/contract/read.ts';
import { compileContract, compiledContract } from '../../server/http/compiled-contract.ts';

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
