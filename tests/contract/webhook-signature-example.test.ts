import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const header = parse(readFileSync('webhooks.yaml', 'utf8')).components.parameters['X-Svc-Signature'];

/** What stands in code beside a label of the worked example's table. */
function worked(label: RegExp): string {
  const row = new RegExp(`^\\| ${label.source} \\| \`([^\`]+)\` \\|$`, 'm').exec(header.description);
  if (row === null) throw new Error(`the description has no row ${label.source}`);
  return row[1]!;
}

const token = worked(/Verification token/);
const body = worked(/Body, \d+ bytes/);
const signature = worked(/X-Svc-Signature/);

test('the worked signature is the HMAC of the worked body under the worked token', () => {
  const digest = createHmac('sha256', token).update(body).digest('base64');
  expect(signature).toBe(`sha256=${digest}`);
});

test('the worked body has the bytes that are stated', () => {
  expect(header.description).toContain(`Body, ${Buffer.byteLength(body)} bytes`);
});

test('the example of the header is the worked signature, and has the shape that is declared', () => {
  expect(header.examples.worked_example.value).toBe(signature);
  expect(signature).toMatch(new RegExp(header.schema.pattern));
});
