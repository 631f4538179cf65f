import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const { 'X-Svc-Signature': header, 'X-Svc-Signatures': headerOfTwo } = parse(readFileSync('webhooks.yaml', 'utf8'))
  .components.parameters;
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** The first group of a pattern in a description. */
function shown(description: string, pattern: RegExp): string {
  const match = pattern.exec(description)?.[1];
  if (match === undefined) throw new Error(`the description has no ${pattern}`);
  return match;
}

const shell = shown(header.description, /```sh\n(.*?)```/s);
const token = shown(shell, /^TOKEN='(.+)'$/m);
const body = shown(shell, /^BODY='(.+)'$/m);
const signature = shown(header.description, /That prints `(.+?)`/);
const tokenBefore = shown(headerOfTwo.description, /the token `(.+?)` before it/);

const signed = (key: string) => createHmac('sha256', key).update(body).digest('base64');

test('the worked signature is the HMAC of the worked body under the worked token', () => {
  expect(signature).toBe(signed(token));
});

test('the worked body has the bytes that are stated', () => {
  expect(header.description).toContain(`body of ${Buffer.byteLength(body)} bytes`);
});

test('the example of the header is the worked signature, and has the shape that is declared', () => {
  expect(header.examples.worked_example.value).toBe(`sha256=${signature}`);
  expect(`sha256=${signature}`).toMatch(new RegExp(header.schema.pattern));
});

test.skipIf(!hasOpenssl)('the lines for a shell print the worked signature', () => {
  expect(execFileSync('bash', ['-euc', shell], { encoding: 'utf8' }).trim()).toBe(signature);
});

test('the example of two signatures is by the worked token and by the one before, in this order', () => {
  const { value } = headerOfTwo.examples.token_changed;
  expect(value).toBe(`sha256=${signed(token)}, sha256=${signed(tokenBefore)}`);
  expect(value).toMatch(new RegExp(headerOfTwo.schema.pattern));
});
