import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { REQUESTS } from '../../generated/requests.ts';
import { validatorCode } from '../../scripts/build/validators.ts';
import { document, webhookContract } from '../../scripts/contract/read.ts';
import { VALIDATORS_FOLDER } from '../../server/files.ts';
import { areCurrent, compiledValidators, stamp, stampIn } from '../../server/validators.ts';

type Document = typeof document;

test.each<[string, (contract: Document) => void]>([
  ['is not an OpenAPI document', (contract) => delete contract.info],
  [
    'has a dangling $ref',
    ({ components }) => Object.assign(components.schemas.Profile, { $ref: '#/components/schemas/None' }),
  ],
  ['has an invalid pattern', ({ components }) => Object.assign(components.schemas.Profile, { pattern: '[' })],
])('a contract that %s does not compile', async (_, breakIt) => {
  // the validator also prints its errors
  const print = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => print.mockRestore());
  const contract = structuredClone(document);
  breakIt(contract);
  await expect(validatorCode(contract, webhookContract)).rejects.toThrow(/^The contract cannot be compiled: ./);
});

test('validators are loaded only with the stamp of this contract, these options and these packages', () => {
  expect(areCurrent(VALIDATORS_FOLDER)).toBe(true);
  const folder = mkdtempSync(join(tmpdir(), 'ridehail-validators-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(VALIDATORS_FOLDER, folder, { recursive: true });
  expect(areCurrent(folder)).toBe(true);
  const facts = JSON.parse(stamp());
  for (const [name, fact] of Object.entries(facts)) {
    const other = { ...facts, [name]: typeof fact === 'string' ? `${fact}0` : {} };
    writeFileSync(stampIn(folder), JSON.stringify(other, null, 2));
    expect(compiledValidators(folder), name).toBeNull();
  }
  rmSync(stampIn(folder));
  expect(compiledValidators(folder)).toBeNull();
});

test('each parameter is a single value, which the validator can check directly', () => {
  const parameters = Object.values(REQUESTS).flatMap(({ path, query }) => Object.entries({ ...path, ...query }));
  expect(parameters.length).toBeGreaterThan(0);
  const others = parameters.filter(
    ([, { type }]) => !['string', 'integer', 'number', 'boolean'].includes(String(type)),
  );
  expect(others).toEqual([]);
});
