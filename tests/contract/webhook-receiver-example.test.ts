import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import webhooks from '../../generated/webhooks.json' with { type: 'json' };
import { contract } from '../../scripts/contract/read.ts';
import { freePort } from '../../scripts/support/free-port.ts';
import { SECOND_MS } from '../../server/domain/time.ts';
import { createSender } from '../../server/webhooks/delivery/send.ts';
import { signatureOf, standardSecret } from '../../server/webhooks/delivery/signature.ts';

const TOKEN = 'the-token-of-the-receiver';
const SANDBOX_TOKEN = 'the-token-of-its-sandboxes';
const TOKENS = { VERIFICATION_TOKEN: TOKEN, SANDBOX_VERIFICATION_TOKEN: SANDBOX_TOKEN };
const PORT_OF_THE_EXAMPLE = '9090';

const tags = contract.tags!;
const RECEIVER = /```js\n(.*?)```/s.exec(tags.find(({ name }) => name === 'Webhooks')!.description)![1]!;
const { event_accepted: accepted, event_arrived: arrived, event_receipt: receipt } = webhooks.components.examples;

const folder = mkdtempSync(join(tmpdir(), 'ridehail-receiver-'));
const sender = createSender({ allowPrivate: true, requireHttps: false, now: Date.now });
let receiver: ChildProcess;
let port: number;
let printed = '';

beforeAll(async () => {
  port = await freePort();
  const file = join(folder, 'receiver.mjs');
  writeFileSync(file, RECEIVER.replace(PORT_OF_THE_EXAMPLE, String(port)));
  receiver = spawn(process.execPath, [file], { env: { ...process.env, ...TOKENS } });
  for (const output of [receiver.stdout!, receiver.stderr!]) {
    output.on('data', (chunk) => {
      printed += chunk;
    });
  }
  await vi.waitFor(() => fetch(`http://localhost:${port}/`), { timeout: 10_000 });
});
afterAll(async () => {
  await sender.close();
  const ended = once(receiver, 'exit');
  receiver.kill();
  await ended;
  rmSync(folder, { recursive: true });
});

/** Sends a body with the headers of the server. @returns the status */
async function send(body: string, [signature = '', ...others]: readonly string[]): Promise<number | null> {
  const both = { 'X-Svc-Signature': signature, 'X-Svc-Signatures': [signature, ...others].join(', ') };
  const headers = others.length > 0 ? both : { 'X-Svc-Signature': signature };
  const url = `http://localhost:${port}/`;
  const { status } = await sender.send({ applicationId: 'planner', url, body, headers });
  return status;
}

const linesAbout = (text: string) => printed.split('\n').filter((line) => line.includes(text));

test('the receiver in the docs accepts a signed event and prints a duplicate only once', async () => {
  const body = JSON.stringify(accepted.value);
  expect(await send(body, [signatureOf(body, TOKEN)])).toBe(204);
  expect(await send(body, [signatureOf(body, TOKEN)])).toBe(204);
  const { occurred_at, event_type, event } = accepted.value;
  const line = (environment: string) => `${occurred_at} ${environment} ${event_type} ${event.ride_id} accepted`;
  await expect.poll(() => linesAbout(occurred_at)).toEqual([line('production')]);
  // the key decides, not the header, and a sandbox event is not a duplicate of a production event
  expect(await send(body, [signatureOf(body, SANDBOX_TOKEN)])).toBe(204);
  await expect.poll(() => linesAbout(occurred_at)).toEqual([line('production'), line('sandbox')]);
});

test('the webhook guide has the same receiver', () => {
  expect(readFileSync('docs/guides/webhooks.md', 'utf8')).toContain(`\n\`\`\`js\n${RECEIVER}\`\`\``);
});

test('it rejects an event that is forged, changed or unsigned', async () => {
  const body = JSON.stringify(arrived.value);
  const right = signatureOf(body, TOKEN);
  expect(await send(body, [signatureOf(body, 'another-token')])).toBe(401);
  expect(await send(body, [signatureOf(body, 'another-token'), signatureOf(body, '')])).toBe(401);
  expect(await send(body.replace('Priya', 'Prixa'), [right])).toBe(401);
  expect(await send(body, [right.replace('sha256=', '')])).toBe(401);
  expect(await send(body, ['ä'.repeat(right.length)])).toBe(401);
  const unsigned = await fetch(`http://localhost:${port}/`, { method: 'POST', body });
  expect(unsigned.status).toBe(401);
  expect(linesAbout(arrived.value.occurred_at)).toEqual([]);
});

test('it still accepts events with its old token during a rotation', async () => {
  const body = JSON.stringify(receipt.value);
  expect(await send(body, [signatureOf(body, 'the-next-token'), signatureOf(body, TOKEN)])).toBe(204);
  await expect.poll(() => linesAbout('ride.receipt.ready')).toHaveLength(1);
});

test('it returns a 500 if it cannot handle an event, and survives an aborted request', async () => {
  expect(await send('{', [signatureOf('{', TOKEN)])).toBe(500);
  const socket = connect(port, 'localhost');
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{');
  await once(socket, 'connect');
  socket.resetAndDestroy();
  await expect.poll(() => linesAbout('aborted').length).toBeGreaterThan(0);
  expect(await send('{', [signatureOf('{', TOKEN)])).toBe(500);
  expect(receiver.exitCode).toBeNull();
});

test.each(Object.keys(TOKENS))('it does not start without %s, because anybody could sign', (name) => {
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'receiver.mjs')], {
    env: { ...process.env, ...TOKENS, [name]: '' },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain(`Error: ${name} is not set`);
});

describe('the signature in the example', () => {
  const { parameters } = parse(readFileSync('webhooks.yaml', 'utf8')).components;
  const { 'X-Svc-Signature': header, 'X-Svc-Signatures': headerOfTwo } = parameters;
  /** The first group of a pattern in a description. */
  const shown = ({ description }: { readonly description: string }, pattern: RegExp) =>
    pattern.exec(description)?.[1] ?? `the description has no ${pattern}`;
  const shell = shown(header, /```sh\n(.*?)```/s);
  const [token, body] = [shown(header, /^TOKEN='(.+)'$/m), shown(header, /^BODY='(.+)'$/m)];
  const signed = (key: string) => createHmac('sha256', key).update(body).digest('base64');

  test('is the HMAC of the body with the token, in the text and in the header', () => {
    expect(shown(header, /That prints `(.+?)`/)).toBe(signed(token));
    expect(header.examples.worked_example.value).toBe(`sha256=${signed(token)}`);
    expect(`sha256=${signed(token)}`).toMatch(new RegExp(header.schema.pattern));
  });

  test('has its counterpart for libraries of Standard Webhooks', () => {
    const example = (name: string) => Object.values<{ readonly value: string }>(parameters[name].examples)[0]!.value;
    const headers = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, example(name)]);
    const secret = shown(parameters['webhook-signature'], /`(whsec_.+?)`/);
    expect(secret).toBe(standardSecret(token));
    vi.useFakeTimers({ toFake: ['Date'], now: Number(example('webhook-timestamp')) * SECOND_MS });
    const event = new Webhook(secret).verify(body, Object.fromEntries(headers));
    vi.useRealTimers();
    const { event_id, occurred_at } = event as Record<'event_id' | 'occurred_at', string>;
    expect([event_id, Date.parse(occurred_at)]).toEqual([
      example('webhook-id'),
      Number(example('webhook-timestamp')) * SECOND_MS,
    ]);
  });

  test('is of a body with the stated number of bytes', () => {
    expect(header.description).toContain(`body of ${Buffer.byteLength(body)} bytes`);
  });

  test.skipIf(spawnSync('openssl', ['version']).status !== 0)('is what the shell commands print', () => {
    expect(execFileSync('bash', ['-euc', shell], { encoding: 'utf8' }).trim()).toBe(signed(token));
  });

  test('with two tokens is that of the new token first, then that of the previous token', () => {
    const { value } = headerOfTwo.examples.token_changed;
    const tokenBefore = shown(headerOfTwo, /the previous token\s+`(.+?)`/);
    expect(value).toBe(`sha256=${signed(token)}, sha256=${signed(tokenBefore)}`);
    expect(value).toMatch(new RegExp(headerOfTwo.schema.pattern));
  });
});
