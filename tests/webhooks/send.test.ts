import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { resolveByNameServers, resolveBySystem, resolverFor } from '../../server/webhooks/delivery/checked-lookup.ts';
import { newLatch } from '../support/latch.ts';
import { startReceiver, startSocketReceiver } from './support/receiver.ts';
import { BODY, endless, NOW, newSender, REQUEST, send, startRawReceiver } from './support/sender.ts';

describe('what is sent', () => {
  /** The whole request as bytes. */
  async function requestOf(body: string | Uint8Array) {
    const chunks: Buffer[] = [];
    const receiver = await startSocketReceiver((socket) => {
      socket.on('data', (data) => {
        chunks.push(data);
        if (Buffer.concat(chunks).toString().endsWith('}')) socket.end('HTTP/1.1 204 No Content\r\n\r\n');
      });
    });
    const url = `http://127.0.0.1:${receiver.port}/hooks/ride%20s?key=a&b=%C3%AB#top`;
    const outcome = await newSender().send({ ...REQUEST, url, body });
    expect(outcome).toMatchObject({ delivered: true, status: 204 });
    return Buffer.concat(chunks).toString('latin1').replace(String(receiver.port), 'PORT');
  }

  test('is a POST with exactly the bytes of the body, and their length', async () => {
    const expected = [
      'POST /hooks/ride%20s?key=a&b=%C3%AB HTTP/1.1',
      'host: 127.0.0.1:PORT',
      'connection: keep-alive',
      'Content-Type: application/json',
      'User-Agent: ridehail-webhooks/1',
      'Svc-Environment: sandbox',
      'X-Svc-Signature: sha256=one',
      `content-length: ${Buffer.byteLength(BODY)}`,
      '',
      Buffer.from(BODY).toString('latin1'),
    ].join('\r\n');
    for (const body of [BODY, Buffer.from(BODY)]) expect(await requestOf(body)).toBe(expected);
  });

  test('goes directly to the receiver, even if the environment names a proxy', async () => {
    const proxy = await startReceiver((_, res) => res.end('proxy'));
    const receiver = await startReceiver((_, res) => res.end('receiver'));
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY']) {
      vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await send(receiver.url)).toMatchObject({ answer: 'receiver' });
    expect(proxy.connections()).toBe(0);
  });
});

describe('a response', () => {
  test.each([200, 201, 202, 204, 226, 299])('with status %i is a delivery', async (status) => {
    const { url } = await startReceiver((_, res) => res.writeHead(status).end());
    const outcome = { startedAt: NOW, durationMs: 0, status, answer: '', error: null, delivered: true };
    expect(await send(url)).toEqual(outcome);
  });

  test.each([300, 304, 400, 401, 404, 410, 429, 500, 503, 599])('with status %i is not a delivery', async (status) => {
    const { url } = await startReceiver((_, res) => res.writeHead(status).end());
    expect(await send(url)).toMatchObject({ status, delivered: false });
  });

  test.each([301, 302, 303, 307, 308])('with status %i is not followed', async (status) => {
    const elsewhere = await startReceiver((_, res) => res.end());
    const { url } = await startReceiver((_, res) => res.writeHead(status, { Location: elsewhere.url }).end('moved'));
    const error = 'Redirects are not followed.';
    expect(await send(url)).toMatchObject({ status, answer: 'moved', error, delivered: false });
    expect(elsewhere.connections()).toBe(0);
  });

  test.each([1, 1000])('may begin with 100 Continue, in pieces of %i bytes', async (size) => {
    const body = '\n\nHTTP/1.1 100 Continue';
    const informed = 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(2);
    const bytes = `${informed}HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const { url } = await startSocketReceiver((socket) => {
      socket.setNoDelay().once('data', async () => {
        for (let at = 0; at < bytes.length; at += size) {
          socket.write(bytes.slice(at, at + size));
          await turn();
        }
      });
    });
    expect(await send(url)).toMatchObject({ status: 200, answer: body, delivered: true });
  });

  test('is recorded as valid text without control characters, except tabs and line breaks', async () => {
    const controls = [...Array(32).keys(), 127];
    const { url } = await startReceiver((_, res) =>
      res.end(Buffer.from([0x61, ...controls, 0xff, 0xc3, 0xa9, 0, 0xed, 0xa0, 0x80])),
    );
    const { answer } = await send(url);
    expect(answer).toMatch(/^a\t\n\r\ufffdé\ufffd+$/);
    expect(answer!.isWellFormed()).toBe(true);
  });

  test('that never ends is read up to 20,000 bytes, and its connection is closed', async () => {
    const closed = newLatch();
    const { url } = await startReceiver((_, res) => {
      res.on('close', closed.open);
      Readable.from(endless()).pipe(res);
    });
    const { answer, ...outcome } = await send(url);
    expect(outcome).toMatchObject({ status: 200, error: null, delivered: true });
    expect(answer).toBe('é'.repeat(500));
    await closed.promise;
  });

  test.each([
    ['would be cut inside a character ends before it', `a${'é'.repeat(1000)}`, `a${'é'.repeat(499)}`],
    ['has 999 bytes is kept whole', 'x'.repeat(999), 'x'.repeat(999)],
    ['has 1,000 bytes is kept whole', 'x'.repeat(1000), 'x'.repeat(1000)],
    ['has more is cut after 1,000 bytes', 'x'.repeat(20_000), 'x'.repeat(1000)],
  ])('that %s', async (_, given, kept) => {
    const { url } = await startReceiver((_, res) => res.end(given));
    expect((await send(url)).answer).toBe(kept);
  });

  test('that is compressed is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000, 'a'));
    const { url } = await startReceiver((req, res) => {
      expect(req.headers['accept-encoding']).toBeUndefined();
      res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
    });
    const { answer, delivered } = await send(url);
    expect(delivered).toBe(true);
    expect(Buffer.byteLength(answer!)).toBeLessThanOrEqual(1000);
  });

  test.each([
    ['breaks off', 'Content-Length: 100\r\n\r\nhalf', 'half'],
    ['is not valid HTTP', 'Transfer-Encoding: chunked\r\n\r\nno size\r\n', ''],
  ])('whose body %s is a delivery, because only the status counts', async (_, rest, answer) => {
    const { url } = await startRawReceiver(`HTTP/1.1 200 OK\r\n${rest}`, (socket) => socket.end());
    expect(await send(url)).toMatchObject({ status: 200, answer, error: null, delivered: true });
  });
});

describe('if only public addresses are allowed', () => {
  const strict = { allowPrivate: false, requireHttps: false };

  // target.test.ts tries every spelling of these addresses
  test.each(['127.0.0.1', '[::1]', 'localhost'])('%s gets no connection', async (host) => {
    const receiver = await startReceiver((_, res) => res.end());
    const outcome = await send(`http://${host}:${receiver.port}`, strict);
    expect(outcome).toMatchObject({ status: null, delivered: false });
    expect(outcome.error).toContain('The webhook URL must point to a public address, but ');
    expect(receiver.connections()).toBe(0);
  });

  test('a name gets no connection if any of its addresses is not public', async () => {
    const receiver = await startReceiver((_, res) => res.end());
    const lookup = async () => ['93.184.216.34', '127.0.0.1'].map((address) => ({ address, family: 4 }));
    const outcome = await send(`http://hooks.example.com:${receiver.port}`, { ...strict, lookup });
    const error = 'The host of the webhook URL must resolve only to public addresses.';
    expect(outcome).toMatchObject({ error, delivered: false });
    expect(receiver.connections()).toBe(0);
  });

  test('names are resolved by name servers, and otherwise by the operating system', () => {
    expect(resolverFor(false)).toBe(resolveByNameServers);
    expect(resolverFor(true)).toBe(resolveBySystem);
  });
});
