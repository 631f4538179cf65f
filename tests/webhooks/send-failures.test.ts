import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../scripts/support/free-port.ts';
import type { SenderOptions } from '../../server/webhooks/delivery/send.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { newLatch } from '../support/latch.ts';
import { startReceiver, startSocketReceiver, startTlsReceiver } from './support/receiver.ts';
import { SELF_SIGNED } from './support/self-signed.ts';
import { newSender, REQUEST, send, startRawReceiver } from './support/sender.ts';

describe('an attempt that takes too long ends at the timeout', () => {
  const timeoutMs = 60;
  const tooLate = { status: null, answer: null, error: 'No response arrived within 0.06 seconds.', delivered: false };
  /** Writes a text repeatedly until the connection closes, and calls `said` each time. */
  const writeRepeatedly = (socket: Socket, text: string, said: () => void) => {
    const drip = setInterval(() => socket.write(text, said), 1);
    socket.on('close', () => clearInterval(drip));
  };
  // the test triggers the timeout, so the request always arrives first
  beforeEach(() => {
    fakeTimers(['setTimeout', 'clearTimeout']);
  });

  /** Starts a receiver that calls `happened` on a request and on each later write. */
  type Start = (happened: () => void) => Promise<{ readonly url: string; readonly lookup?: SenderOptions['lookup'] }>;

  test.each<[string, Start]>([
    ['a receiver that sends nothing', (happened) => startReceiver(happened)],
    [
      'a receiver that sends headers slowly',
      (happened) =>
        startRawReceiver('HTTP/1.1 200 OK\r\n', (socket) => writeRepeatedly(socket, 'X-Drop: 1\r\n', happened)),
    ],
    [
      'a receiver that repeats 102 Processing',
      (happened) =>
        startRawReceiver('', (socket) => writeRepeatedly(socket, 'HTTP/1.1 102 Processing\r\n\r\n', happened)),
    ],
    [
      'a receiver that does not complete the TLS handshake',
      async (happened) => ({ url: `https://127.0.0.1:${(await startSocketReceiver(happened)).port}` }),
    ],
    [
      'a host name that never resolves',
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
    // the receiver's output must not extend the timeout
    await new Promise(setImmediate);
    vi.advanceTimersByTime(1);
    expect(await outcome).toMatchObject(tooLate);
  });

  test('a response that never ends, although it counts as a delivery', async () => {
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

  test('after ten seconds by default', async () => {
    const arrived = newLatch();
    const { url } = await startReceiver(() => arrived.open());
    const ended = vi.fn();
    const outcome = send(url, { timeoutMs: undefined }).finally(ended);
    await arrived.promise;
    vi.advanceTimersByTime(9_999);
    await new Promise(setImmediate);
    expect(ended).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(await outcome).toMatchObject({ ...tooLate, error: 'No response arrived within 10 seconds.' });
  });
});

describe('an error is recorded as a failure with a message', () => {
  const failed = (error: string | RegExp) => ({
    status: null,
    answer: null,
    error: typeof error === 'string' ? error : expect.stringMatching(error),
    delivered: false,
  });

  test('a port without a server', async () => {
    const port = await freePort();
    const refused = failed('The connection was refused.');
    expect(await send(`http://127.0.0.1:${port}`)).toMatchObject(refused);
    const lookup = async () => ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
    expect(await send(`http://hooks.example.com:${port}`, { lookup })).toMatchObject(refused);
  });

  test.each<[string, (socket: Socket) => void, string]>([
    ['is reset', (socket) => socket.resetAndDestroy(), 'The connection was reset.'],
    ['is closed silently', (socket) => socket.end(), 'The connection was closed before a response arrived.'],
  ])('a connection that %s', async (_, end, error) => {
    const { url } = await startSocketReceiver((socket) => socket.on('data', () => end(socket)));
    expect(await send(url)).toMatchObject(failed(error));
  });

  const NO_HTTP = 'The response is not valid HTTP.';

  test.each<[string, string, string | RegExp]>([
    ['that is not HTTP', '220 mail.example.com ESMTP\r\n', /./],
    ['with status 099', 'HTTP/1.1 099 What\r\nContent-Length: 0\r\n\r\n', NO_HTTP],
    ['with status 101', 'HTTP/1.1 101 Switching Protocols\r\nContent-Length: 0\r\n\r\n', NO_HTTP],
  ])('a response %s', async (_, answer, error) => {
    const { url } = await startRawReceiver(answer);
    expect(await send(url)).toMatchObject(failed(error));
  });

  test('an https receiver that speaks http', async () => {
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
    ['an error with NUL, which PostgreSQL cannot store', new Error('The name is a\0b.'), 'The name is ab.'],
    ['an unknown host name', unknown, 'The host name does not resolve (ENOTFOUND).'],
    ['unreachable addresses, without naming them or our own', noneReachable, 'The connection failed (EHOSTUNREACH).'],
  ])('%s', async (_, thrown, error) => {
    const lookup = () => Promise.reject(thrown);
    expect(await send('http://hooks.example.com', { lookup })).toMatchObject(failed(error));
  });

  test('an untrusted certificate, even if the environment would accept it', async () => {
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

  test('an http URL where https is required', async () => {
    const receiver = await startReceiver((_, res) => res.end());
    const error = 'The webhook URL must be an https URL.';
    expect(await send(receiver.url, { requireHttps: true })).toMatchObject(failed(error));
    expect(receiver.connections()).toBe(0);
  });

  test('a header that cannot be sent', async () => {
    const receiver = await startReceiver((_, res) => res.end());
    const request = { ...REQUEST, url: receiver.url, headers: { 'X-Svc-Signature': 'sha256=one\r\nX-Other: 1' } };
    expect(await newSender().send(request)).toMatchObject(failed(/header/));
    expect(receiver.connections()).toBe(0);
  });
});
