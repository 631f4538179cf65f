import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../scripts/support/free-port.ts';
import { HOUR_MS } from '../../server/domain/time.ts';
import { resolveByNameServers, resolveBySystem } from '../../server/webhooks/delivery/checked-lookup.ts';
import { createSender, type SenderOptions, sendWebhook } from '../../server/webhooks/delivery/send.ts';
import { newLatch } from '../support/latch.ts';
import { type Receiver, startReceiver, startSocketReceiver, startTlsReceiver } from './support/receiver.ts';
import { SELF_SIGNED } from './support/self-signed.ts';

const BODY = '{"event_id":"1","event":{"passenger":"Zoë 🚗"}}';
const REQUEST = { body: BODY, environment: 'sandbox', signatures: ['sha256=one'] } as const;
const NOW = Date.UTC(2026, 4, 12, 18);

/** A sender of this machine's network, which waits for longer than any test takes. */
function newSender(options: Partial<SenderOptions> = {}) {
  const sender = createSender({
    allowPrivate: true,
    requireHttps: false,
    now: () => NOW,
    timeoutMs: HOUR_MS,
    ...options,
  });
  onTestFinished(() => sender.close());
  return sender;
}

const send = (url: string, options: Partial<SenderOptions> = {}) =>
  sendWebhook(newSender(options), { ...REQUEST, url });

/** Answers each request with the same bytes once it has come whole, and leaves the connection open. */
function startRawReceiver(answer: string | Buffer, and: (socket: Socket) => void = () => {}): Promise<Receiver> {
  return startSocketReceiver((socket) => {
    socket.on('data', (data) => {
      if (!data.toString().endsWith('}')) return;
      socket.write(answer);
      and(socket);
    });
  });
}

function* endless() {
  for (;;) yield Buffer.alloc(10_000, 'é');
}

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
    const outcome = await sendWebhook(newSender(), { ...REQUEST, url, body });
    expect(outcome).toMatchObject({ delivered: true, status: 204 });
    return Buffer.concat(chunks).toString('latin1').replace(String(receiver.port), 'PORT');
  }

  test('is a POST of exactly the bytes of the body, and says how many there are', async () => {
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

  test('goes to the receiver itself, whatever proxy the environment names', async () => {
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

describe('an answer', () => {
  test.each([200, 201, 202, 204, 226, 299])('of %i is a delivery', async (status) => {
    const { url } = await startReceiver((_, res) => res.writeHead(status).end());
    const outcome = { startedAt: NOW, durationMs: 0, status, answer: '', error: null, delivered: true };
    expect(await send(url)).toEqual(outcome);
  });

  test.each([300, 304, 400, 401, 404, 410, 429, 500, 503, 599])('of %i is none', async (status) => {
    const { url } = await startReceiver((_, res) => res.writeHead(status).end());
    expect(await send(url)).toMatchObject({ status, delivered: false });
  });

  test.each([301, 302, 303, 307, 308])('of %i is not followed', async (status) => {
    const elsewhere = await startReceiver((_, res) => res.end());
    const { url } = await startReceiver((_, res) => res.writeHead(status, { Location: elsewhere.url }).end('moved'));
    const error = 'Redirects are not followed.';
    expect(await send(url)).toMatchObject({ status, answer: 'moved', error, delivered: false });
    expect(elsewhere.connections()).toBe(0);
  });

  test('has no NUL, which PostgreSQL could not store, and no bytes that are no UTF-8', async () => {
    const { url } = await startReceiver((_, res) =>
      res.end(Buffer.from([0x61, 0, 0xff, 0xc3, 0xa9, 0, 0xed, 0xa0, 0x80])),
    );
    const { answer } = await send(url);
    expect(answer).toMatch(/^a\ufffdé\ufffd+$/);
    expect(answer!.isWellFormed()).toBe(true);
  });

  test('without end is cut after 20,000 bytes, and its connection closed', async () => {
    const closed = newLatch();
    const { url } = await startReceiver((_, res) => {
      res.on('close', closed.open);
      Readable.from(endless()).pipe(res);
    });
    const { answer, ...outcome } = await send(url);
    expect(outcome).toMatchObject({ status: 200, error: null, delivered: true });
    expect(answer).toBe('é'.repeat(10_000));
    await closed.promise;
  });

  test.each([
    ['is cut in the middle of a character ends before it', `a${'é'.repeat(20_000)}`, `a${'é'.repeat(9_999)}`],
    ['has 19,999 bytes is kept whole', 'x'.repeat(19_999), 'x'.repeat(19_999)],
    ['has 20,000 bytes is kept whole', 'x'.repeat(20_000), 'x'.repeat(20_000)],
  ])('that %s', async (_, given, kept) => {
    const { url } = await startReceiver((_, res) => res.end(given));
    expect((await send(url)).answer).toBe(kept);
  });

  test('that is compressed is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000, 'a'));
    const { url } = await startReceiver((req, res) => {
      expect(req.headers['accept-encoding']).toBeUndefined();
      res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
    });
    const { answer, delivered } = await send(url);
    expect(delivered).toBe(true);
    expect(answer).toBe(new TextDecoder().decode(bomb.subarray(0, 20_000)).replaceAll('\0', ''));
  });

  test.each([
    ['breaks off', 'Content-Length: 100\r\n\r\nhalf', 'half'],
    ['is no HTTP', 'Transfer-Encoding: chunked\r\n\r\nno size\r\n', ''],
  ])('whose body %s is a delivery, for the status is what counts', async (_, rest, answer) => {
    const { url } = await startRawReceiver(`HTTP/1.1 200 OK\r\n${rest}`, (socket) => socket.end());
    expect(await send(url)).toMatchObject({ status: 200, answer, error: null, delivered: true });
  });
});

describe('what takes too long ends when the time is up', () => {
  const timeoutMs = 60;
  const tooLate = { status: null, answer: null, error: 'There was no answer within 0.06 seconds.', delivered: false };
  /** Says something again and again while the connection lasts, and calls `said` each time. */
  const sayAgainAndAgain = (socket: Socket, text: string, said: () => void) => {
    const drip = setInterval(() => socket.write(text, said), 1);
    socket.on('close', () => clearInterval(drip));
  };
  // so that the time is up when the test says so, and not before the receiver has its request
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
  });

  /** Starts a receiver that calls `happened` when it has been reached, and each time it has said something. */
  type Start = (happened: () => void) => Promise<{ readonly url: string; readonly lookup?: SenderOptions['lookup'] }>;

  test.each<[string, Start]>([
    ['a receiver that says nothing', (happened) => startReceiver(happened)],
    [
      'one that takes its time over the headers',
      (happened) =>
        startRawReceiver('HTTP/1.1 200 OK\r\n', (socket) => sayAgainAndAgain(socket, 'X-Drop: 1\r\n', happened)),
    ],
    [
      'one that says again and again that it is not done yet',
      (happened) =>
        startRawReceiver('', (socket) => sayAgainAndAgain(socket, 'HTTP/1.1 102 Processing\r\n\r\n', happened)),
    ],
    [
      'one that does not get through the TLS handshake',
      async (happened) => ({ url: `https://127.0.0.1:${(await startSocketReceiver(happened)).port}` }),
    ],
    [
      'a name that is never resolved',
      async (happened) => {
        const lookup = () => {
          happened();
          return new Promise<never>(() => {});
        };
        return { url: 'http://hooks.example.com', lookup };
      },
    ],
  ])('%s', async (_, start) => {
    const happenings = new EventEmitter();
    const { url, lookup } = await start(() => happenings.emit('one'));
    const happened = once(happenings, 'one');
    const outcome = send(url, { timeoutMs, ...(lookup && { lookup }) });
    await happened;
    vi.advanceTimersByTime(timeoutMs - 1);
    // what it says by now puts nothing off
    await new Promise(setImmediate);
    vi.advanceTimersByTime(1);
    expect(await outcome).toMatchObject(tooLate);
  });

  test('one whose answer never ends, though it is a delivery', async () => {
    const closed = newLatch();
    const hasArrived = newLatch();
    const seeChunk = () => setImmediate(hasArrived.open);
    subscribe('undici:request:bodyChunkReceived', seeChunk);
    onTestFinished(() => void unsubscribe('undici:request:bodyChunkReceived', seeChunk));
    const { url } = await startReceiver((_, res) => {
      res.writeHead(200).write('so far');
      res.on('close', closed.open);
    });
    const outcome = send(url, { timeoutMs });
    await hasArrived.promise;
    vi.advanceTimersByTime(timeoutMs);
    expect(await outcome).toMatchObject({ status: 200, answer: 'so far', error: null, delivered: true });
    await closed.promise;
  });

  test('after ten seconds, unless the sender was told otherwise', async () => {
    const arrived = newLatch();
    const { url } = await startReceiver(() => arrived.open());
    const ended = vi.fn();
    const outcome = send(url, { timeoutMs: undefined }).finally(ended);
    await arrived.promise;
    vi.advanceTimersByTime(9_999);
    await new Promise(setImmediate);
    expect(ended).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(await outcome).toMatchObject({ ...tooLate, error: 'There was no answer within 10 seconds.' });
  });
});

describe('what goes wrong is a failure with a sentence', () => {
  const failed = (error: string | RegExp) => ({
    status: null,
    answer: null,
    error: typeof error === 'string' ? error : expect.stringMatching(error),
    delivered: false,
  });

  test('a port where nobody listens', async () => {
    const port = await freePort();
    const refused = failed('The connection was refused.');
    expect(await send(`http://127.0.0.1:${port}`)).toMatchObject(refused);
    const lookup = async () => ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
    expect(await send(`http://hooks.example.com:${port}`, { lookup })).toMatchObject(refused);
  });

  test.each<[string, (socket: Socket) => void, string]>([
    ['is reset', (socket) => socket.resetAndDestroy(), 'The connection was reset.'],
    ['is closed without a word', (socket) => socket.end(), 'The connection was closed before there was an answer.'],
  ])('a connection that %s', async (_, end, error) => {
    const { url } = await startSocketReceiver((socket) => socket.on('data', () => end(socket)));
    expect(await send(url)).toMatchObject(failed(error));
  });

  const NO_HTTP = 'The answer is no HTTP that can be read.';

  test.each<[string, string, string | RegExp]>([
    ['that is no HTTP', '220 mail.example.com ESMTP\r\n', /./],
    ['of HTTP/1.1 099', 'HTTP/1.1 099 What\r\nContent-Length: 0\r\n\r\n', NO_HTTP],
    ['of HTTP/1.1 101', 'HTTP/1.1 101 Switching Protocols\r\nContent-Length: 0\r\n\r\n', NO_HTTP],
    [
      'that begins with a 100 Continue',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
      'The answer began with a 100 Continue that nobody asked for.',
    ],
    ['with headers without end', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}`, /Headers Overflow/i],
  ])('an answer %s', async (_, answer, error) => {
    const { url } = await startRawReceiver(answer);
    expect(await send(url)).toMatchObject(failed(error));
  });

  test('a receiver of https that speaks http', async () => {
    const speak = (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n');
    const { port } = await startSocketReceiver((socket) => socket.on('data', () => speak(socket)));
    const error = 'TLS failed (ERR_SSL_WRONG_VERSION_NUMBER).';
    expect(await send(`https://127.0.0.1:${port}`)).toMatchObject(failed(error));
  });

  const unknown = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND', syscall: 'queryA' });
  const noWay = { code: 'EHOSTUNREACH', syscall: 'connect' };
  const unreachable = Object.assign(new Error('connect EHOSTUNREACH 192.0.2.1:443 - Local (10.0.0.7:51234)'), noWay);
  const noneReachable = Object.assign(new AggregateError([unreachable, unreachable]), { code: noWay.code });

  test.each([
    ['an error with NUL in it, which PostgreSQL could not store', new Error('The name is a\0b.'), 'The name is ab.'],
    ['a name that nobody knows', unknown, 'The name of the host leads to no address (ENOTFOUND).'],
    [
      'addresses of which none can be reached, without naming them or our own',
      noneReachable,
      'The connection failed (EHOSTUNREACH).',
    ],
  ])('%s', async (_, thrown, error) => {
    const lookup = () => Promise.reject(thrown);
    expect(await send('http://hooks.example.com', { lookup })).toMatchObject(failed(error));
  });

  test('a certificate that nobody vouches for, even where the environment would let it pass', async () => {
    let requests = 0;
    const { url } = await startTlsReceiver(SELF_SIGNED, (_, res) => {
      requests += 1;
      res.end();
    });
    expect(await send(url)).toMatchObject(failed(/self-signed certificate/));
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await send(url)).toMatchObject(failed(/self-signed certificate/));
    expect(requests).toBe(0);
  });

  test('a URL of http where https is required', async () => {
    const receiver = await startReceiver((_, res) => res.end());
    const error = 'The webhook URL must be an https URL.';
    expect(await send(receiver.url, { requireHttps: true })).toMatchObject(failed(error));
    expect(receiver.connections()).toBe(0);
  });

  test('a header that cannot be sent', async () => {
    const receiver = await startReceiver((_, res) => res.end());
    const request = { ...REQUEST, url: receiver.url, signatures: ['sha256=one\r\nX-Other: 1'] };
    expect(await sendWebhook(newSender(), request)).toMatchObject(failed(/header/));
    expect(receiver.connections()).toBe(0);
  });
});

describe('where it may not go to addresses that are not public', () => {
  const strict = { allowPrivate: false, requireHttps: false };

  // tests of the target know every way to spell them
  test.each(['127.0.0.1', '[::1]', 'localhost'])('%s is not connected to', async (host) => {
    const receiver = await startReceiver((_, res) => res.end());
    const outcome = await send(`http://${host}:${receiver.port}`, strict);
    expect(outcome).toMatchObject({ status: null, delivered: false });
    expect(outcome.error).toContain('The webhook URL must lead to a public address: ');
    expect(receiver.connections()).toBe(0);
  });

  test('a name is not connected to that leads inside, if only at last', async () => {
    const receiver = await startReceiver((_, res) => res.end());
    const lookup = async () => ['93.184.216.34', '127.0.0.1'].map((address) => ({ address, family: 4 }));
    const outcome = await send(`http://hooks.example.com:${receiver.port}`, { ...strict, lookup });
    const error = 'The host of the webhook URL does not lead to public addresses alone.';
    expect(outcome).toMatchObject({ error, delivered: false });
    expect(receiver.connections()).toBe(0);
  });

  test('names are resolved as the internet does, and else as this machine does', () => {
    expect(newSender(strict).lookup).toBe(resolveByNameServers);
    expect(newSender().lookup).toBe(resolveBySystem);
  });
});

describe('connections', () => {
  const deliver = async (sender: ReturnType<typeof newSender>, { url }: Receiver) =>
    expect(await sendWebhook(sender, { ...REQUEST, url })).toMatchObject({ delivered: true });

  /** An answer of a receiver that would keep its connection for ten minutes. */
  const KEEPING = 'HTTP/1.1 204 No Content\r\nKeep-Alive: timeout=600\r\n\r\n';

  test('go where the one look at the name led, and nowhere that a second one would', async () => {
    const receiver = await startReceiver((_, res) => res.end('receiver'));
    const answers = ['127.0.0.1', '192.0.2.1'];
    const lookup = vi.fn(async () => [{ address: answers.shift()!, family: 4 }]);
    const outcome = await send(`http://hooks.example.com:${receiver.port}`, { lookup });
    expect(outcome).toMatchObject({ answer: 'receiver', delivered: true });
    expect(lookup.mock.calls).toEqual([['hooks.example.com']]);
  });

  test('are kept for the next webhook', async () => {
    const receiver = await startRawReceiver(KEEPING);
    const sender = newSender({ keptAliveMs: HOUR_MS });
    for (let times = 0; times < 10; times += 1) await deliver(sender, receiver);
    // the first is still being put away when the second webhook comes
    expect(receiver.connections()).toBeLessThanOrEqual(2);
  });

  test('are closed soon when nothing goes over them, however long the receiver would keep them', async () => {
    const closed = newLatch();
    const { url } = await startRawReceiver(KEEPING, (socket) => socket.on('close', closed.open));
    expect(await send(url, { keptAliveMs: 20 })).toMatchObject({ delivered: true });
    await closed.promise;
  });

  test('that were closed by the receiver in between are made anew', async () => {
    const closed = newLatch();
    const receiver = await startReceiver((req, res) => {
      res.end();
      req.socket.on('close', closed.open);
      res.on('finish', () => req.socket.end());
    });
    const sender = newSender();
    await deliver(sender, receiver);
    await closed.promise;
    await deliver(sender, receiver);
    expect(receiver.connections()).toBe(2);
  });

  test('are no longer used once an answer was given up', async () => {
    const sockets: Socket[] = [];
    const receiver = await startReceiver((req, res) => {
      sockets.push(req.socket);
      Readable.from(endless()).pipe(res);
    });
    const sender = newSender();
    for (let times = 0; times < 3; times += 1) await deliver(sender, receiver);
    expect(sockets).toHaveLength(3);
    expect(new Set(sockets).size).toBe(3);
  });

  test('that hang do not keep another webhook of the same receiver waiting', async () => {
    const hanging = 40;
    const allHang = newLatch();
    let arrived = 0;
    const receiver = await startReceiver((req, res) => {
      if (req.url !== '/hanging') return void res.end();
      arrived += 1;
      if (arrived === hanging) allHang.open();
    });
    const sender = newSender();
    const sendTo = (path: string) => sendWebhook(sender, { ...REQUEST, url: new URL(path, receiver.url).href });
    const waiting = Array.from({ length: hanging }, () => sendTo('/hanging'));
    await allHang.promise;
    expect(await sendTo('/answering')).toMatchObject({ delivered: true });
    await sender.close();
    expect((await Promise.all(waiting)).filter(({ delivered }) => delivered)).toEqual([]);
  });
});
