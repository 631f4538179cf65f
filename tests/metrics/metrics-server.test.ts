import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../scripts/support/free-port.ts';
import { SECOND_MS } from '../../server/domain/time.ts';
import { metricsServer } from '../../server/metrics/metrics-server.ts';
import { newLatch } from '../support/latch.ts';

const mediaType = 'text/plain; version=0.0.4; charset=utf-8';

/** A port with a page that counts how often it was rendered. */
async function served(render = async (count: number) => `page ${count}\n`, takenPort?: number) {
  const at = { port: takenPort ?? (await freePort()), host: '127.0.0.1' };
  let [count, now] = [0, 0];
  const rendered = () => {
    count += 1;
    return render(count);
  };
  const server = metricsServer({ render: rendered, mediaType, now: () => now, logger: pino({ level: 'silent' }) });
  await server.listen(at);
  onTestFinished(server.close);
  const url = `http://127.0.0.1:${at.port}/metrics`;
  const pass = (ms: number) => {
    now += ms;
  };
  return { close: server.close, at, url, page: async () => (await fetch(url)).text(), count: () => count, pass };
}

test('GET /metrics returns the page with the Prometheus media type, and the connection closes', async () => {
  const { url } = await served();
  const response = await fetch(url);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({ 'content-type': mediaType, connection: 'close' });
  expect(await response.text()).toBe('page 1\n');
  // Prometheus sends a query if `params` is set
  expect((await fetch(`${url}?name=a`)).status).toBe(200);
});

test.each([
  ...['/', '/metrics/', '/Metrics', '/healthz'].map((path) => ['GET', path] as const),
  ...['HEAD', 'POST', 'DELETE', 'OPTIONS'].map((method) => [method, '/metrics'] as const),
])('%s %s is a 404 and renders no page', async (method, path) => {
  const { url, count } = await served();
  const response = await fetch(new URL(path, url), { method });
  expect([response.status, await response.text(), count()]).toEqual([404, '', 0]);
});

test('a page is rendered once a second, regardless of the number of requests', async () => {
  const { page, pass } = await served();
  expect([await page(), await page()]).toEqual(['page 1\n', 'page 1\n']);
  pass(SECOND_MS - 1);
  expect(await page()).toBe('page 1\n');
  pass(1);
  expect(await page()).toBe('page 2\n');
});

test('requests that arrive while a page is rendered share that page', async () => {
  const { promise, open } = newLatch<string>();
  const { page, count } = await served(() => promise);
  const pages = Array.from({ length: 8 }, page);
  open('one for all\n');
  expect(new Set(await Promise.all(pages))).toEqual(new Set(['one for all\n']));
  expect(count()).toBe(1);
});

test('a page that fails to render is a 500, and the next request renders it again', async () => {
  const { url } = await served(async (count) => {
    if (count === 1) throw new Error('The registry is lost');
    return 'page\n';
  });
  const broken = await fetch(url);
  expect([broken.status, await broken.text()]).toEqual([500, '']);
  expect((await fetch(url)).status).toBe(200);
});

test('a request body is not read, and its connection closes', async () => {
  const { at } = await served();
  const socket = connect(at.port, at.host);
  const answer = text(socket);
  await once(socket, 'connect');
  socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n1');
  expect(await answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*page 1\n$/s);
});

test('connections beyond the limit are closed', async () => {
  const { at, url } = await served();
  const sockets = Array.from({ length: 32 }, () => connect(at.port, at.host));
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  await expect(fetch(url)).rejects.toThrow();
});

test('a second server at the port does not start, and closing the first one closes open connections', async () => {
  const { at, close } = await served();
  await expect(served(undefined, at.port)).rejects.toThrow('EADDRINUSE');
  const socket = connect(at.port, at.host);
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  await close();
  await closed;
});
