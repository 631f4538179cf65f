import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const { 'X-Svc-Signature': header, 'X-Svc-Signatures': headerOfTwo } = parse(readFileSync('webhooks.yaml', 'utf8'))
  .components.parameters;
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** Returns the first group of a pattern in a description. */
function shown(description: string, pattern: RegExp): string {
  const match = pattern.exec(description)?.[1];
  if (match === undefined) throw new Error(`the description has no ${pattern}`);
  return match;
}

const shell = shown(header.description, /```sh\n(.*?)```/s);
const token = shown(shell, /^TOKEN='(.+)'$/m);
const body = shown(shell, /^BODY='(.+)'$/m);
const signature = shown(header.description, /That prints `(.+?)`/);
const tokenBefore = shown(headerOfTwo.description, /the previous token\s+`(.+?)`/);

const signed = (key: string) => createHmac('sha256', key).update(body).digest('base64');

test('the signature in the example is the HMAC of the body with the token', () => {
  expect(signature).toBe(signed(token));
});

test('the body in the example has the stated number of bytes', () => {
  expect(header.description).toContain(`body of ${Buffer.byteLength(body)} bytes`);
});

test('the header example is the signature and matches the declared pattern', () => {
  expect(header.examples.worked_example.value).toBe(`sha256=${signature}`);
  expect(`sha256=${signature}`).toMatch(new RegExp(header.schema.pattern));
});

test.skipIf(!hasOpenssl)('the shell commands print the signature', () => {
  expect(execFileSync('bash', ['-euc', shell], { encoding: 'utf8' }).trim()).toBe(signature);
});

test('the example with two signatures uses the new token first, then the previous token', () => {
  const { value } = headerOfTwo.examples.token_changed;
  expect(value).toBe(`sha256=${signed(token)}, sha256=${signed(tokenBefore)}`);
  expect(value).toMatch(new RegExp(headerOfTwo.schema.pattern));
});
