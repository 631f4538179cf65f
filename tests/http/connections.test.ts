import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import express, { type Response } from 'express';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MINUTE_MS } from '../../server/domain/time.ts';
import { closeServer } from '../../server/http/close-server.ts';
import { answerFailures } from '../../server/http/failures.ts';
import { createFastServer, type HttpLimits } from '../../server/http/fast-server.ts';
import { refuseUnreadable } from '../../server/http/unreadable.ts';
import { close, listen } from '../support/listen.ts';
import { answersTo } from '../support/raw-socket.ts';
import { until } from '../support/until.ts';

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const LAST = GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
const SIZE_OF_NOTHING = 'POST /size HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n';
/** More bytes than the kernel buffers for a client that reads nothing. */
const LARGE = Buffer.alloc(32 * 1024 * 1024);

interface Watched {
  readonly url: string;
  readonly server: Server;
  /** The responses that the test has not sent yet. */
  readonly waiting: Response[];
  /** The highest number of requests that the app had at once. */
  most(): number;
  readonly log: string[];
}

/** Starts a server that leaves its requests to the test, except `/large` and `/size`, which returns the body length. */
async function start(limits: Partial<HttpLimits> = {}): Promise<Watched> {
  const waiting: Response[] = [];
  const log: string[] = [];
  let most = 0;
  const app = express();
  app.use(refuseUnreadable);
  app.get('/large', (_req, res) => void res.end(LARGE));
  app.post('/size', async (req, res) => {
    let size = 0;
    for await (const chunk of req) size += chunk.length;
    res.end(String(size));
  });
  app.use((_req, res) => {
    most = Math.max(most, waiting.push(res));
  });
  app.use(answerFailures({ logger: pino({ level: 'silent' }), publicUrl: '' }));
  const logger = pino({ level: 'warn' }, { write: (line) => log.push(line) });
  const server = createFastServer(app, { logger, publicUrl: '' }, limits);
  onTestFinished(() => close(server));
  return { url: await listen(server), server, waiting, most: () => most, log };
}

const holds = (check: () => boolean) => until(() => expect(check()).toBe(true));

/** Both ends of a new connection. */
async function connection(server: Server): Promise<{ readonly client: Socket; readonly ours: Socket }> {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay();
  onTestFinished(() => void client.destroy());
  client.on('error', () => {});
  const [ours] = await accepted;
  return { client, ours };
}

const statusesOf = async (answers: ReturnType<typeof answersTo>) => (await answers).map(({ status }) => status);
/** Responds to every request as it arrives. */
const answerAll = ({ waiting }: Watched, whenDone: Promise<unknown>) => {
  let isDone = false;
  void whenDone.finally(() => {
    isDone = true;
  });
  return holds(() => {
    for (const res of waiting.splice(0)) res.end();
    return isDone;
  });
};

describe('pipelined requests', () => {
  test.each<[string, string[]]>([
    ['in one chunk', [GET.repeat(99) + LAST]],
    ['byte by byte', [...(GET.repeat(5) + LAST)]],
    ['cut within the blank line', [...(GET.repeat(30) + LAST).split(/(?<=\r\n\r)/)]],
  ])('run up to the limit, and are all answered in order: %s', async (_, pieces) => {
    const watched = await start({ maxPipelinedRequests: 4 });
    const answers = answersTo(watched.url, ...pieces);
    await holds(() => watched.waiting.length === 4);
    await answerAll(watched, answers);
    const requests = pieces.join('').split(/(?<=\r\n\r\n)/).length;
    expect(await statusesOf(answers)).toEqual(Array(requests).fill(200));
    expect(watched.most()).toBe(4);
  });

  test.each([1, 2, 3])('run up to the limit even if the last %i bytes of its head arrive later', async (missing) => {
    const { server, waiting, most } = await start({ maxPipelinedRequests: 4 });
    const { client } = await connection(server);
    const at = 4 * GET.length - missing;
    client.write(GET.repeat(20).slice(0, at));
    await holds(() => waiting.length === 3);
    client.write(GET.repeat(20).slice(at));
    await holds(() => waiting.length >= 4);
    expect(most()).toBe(4);
  });

  test('are not read beyond the limit', async () => {
    const { server, waiting } = await start();
    const { client, ours } = await connection(server);
    client.write(GET.repeat(100_000));
    await holds(() => waiting.length === 16);
    // two more turns, in which the server could read everything that the kernel has
    await (await connection(server)).client.destroy();
    await (await connection(server)).client.destroy();
    expect(waiting).toHaveLength(16);
    expect(ours.bytesRead).toBeLessThanOrEqual(64 * 1024);
  });

  test('of many connections are not all parsed in one turn', async () => {
    const { server, waiting } = await start();
    const clients: Socket[] = [];
    while (clients.length < 40) clients.push((await connection(server)).client);
    const seen: number[] = [];
    const look = () => {
      seen.push(waiting.length);
      if (waiting.length < 40 * 16) setImmediate(look);
    };
    for (const client of clients) client.write(GET.repeat(16));
    look();
    await holds(() => seen.at(-1) === 40 * 16);
    // the first ones of all connections, and sixteen in each of up to two turns
    expect(Math.max(...seen.map((count, i) => count - (seen[i - 1] ?? 0)))).toBeLessThanOrEqual(40 + 2 * 16);
  });

  test('keep their bodies, even if a body looks like more requests', async () => {
    const { url } = await start({ maxPipelinedRequests: 1 });
    const body = GET.repeat(2000);
    const post = (framing: string, bytes: string) =>
      `POST /size HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n${bytes}`;
    const sized = post(`Content-Length: ${body.length}`, body);
    const chunks = post('Transfer-Encoding: chunked', `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    const requests = `${sized}${chunks}${sized}${chunks}${post('Content-Length: 0\r\nConnection: close', '')}`;
    for (const size of [requests.length, 1000, 61]) {
      const pieces = requests.match(new RegExp(`[^]{1,${size}}`, 'g'))!;
      const answers = await answersTo(url, ...pieces);
      expect(answers.map((answer) => Number(answer.body))).toEqual([...Array(4).fill(body.length), 0]);
    }
  });

  test('are each told when the connection closes, even while an earlier response has it', async () => {
    const { server, waiting } = await start();
    const { client, ours } = await connection(server);
    client.write(GET.repeat(3));
    await holds(() => waiting.length === 3);
    const told = vi.fn();
    for (const [i, res] of waiting.entries()) res.on('close', () => told(i));
    waiting[1]!.end(LARGE);
    // as a data export does
    const piped = pipeline(Readable.from(new Array(1000).fill(LARGE)), waiting[2]!);
    piped.catch(() => {});
    const closed = new Promise((resolve) => ours.once('close', resolve));
    client.resetAndDestroy();
    await closed;
    await expect(piped).rejects.toThrow('Premature close');
    await new Promise(setImmediate);
    expect(told.mock.calls.flat().toSorted()).toEqual([0, 1, 2]);
    expect(waiting.map((res) => res.destroyed)).toEqual([true, true, true]);
  });

  test('do not time out while they wait their turn', async () => {
    const slow = { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 10 };
    const watched = await start({ ...slow, maxPipelinedRequests: 2 });
    const answers = answersTo(watched.url, GET.repeat(6) + LAST);
    await holds(() => watched.waiting.length === 2);
    const checked = connect((watched.server.address() as AddressInfo).port, '127.0.0.1');
    // meanwhile the server has closed a later connection that was too slow
    await once(checked.resume(), 'end');
    await answerAll(watched, answers);
    expect(await statusesOf(answers)).toEqual(Array(7).fill(200));
  });
});

describe('the last request allowed on a connection', () => {
  test('closes the connection after its response, and later requests get no response', async () => {
    const watched = await start({ maxRequestsPerConnection: 20 });
    const answers = answersTo(watched.url, GET.repeat(5000));
    await answerAll(watched, answers);
    const told = (await answers).map(({ status, headers }) => [status, headers.get('connection')]);
    expect(told).toEqual([...Array(19).fill([200, 'keep-alive']), [200, 'close']]);
  });

  test('is read completely', async () => {
    const { url } = await start({ maxRequestsPerConnection: 1 });
    const post = 'POST /size HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n';
    const [answer] = await answersTo(url, post, 'x'.repeat(200_000));
    expect([answer!.body, answer!.headers.get('connection')]).toEqual(['200000', 'close']);
  });
});

test('a connection beyond the maximum is closed, and the log reports it once', async () => {
  const { server, log } = await start({ maxConnections: 2 });
  const kept = [await connection(server), await connection(server)];
  for (let more = 0; more < 3; more++) {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
    await once(socket.resume(), 'close');
  }
  expect(kept.map(({ client }) => client.destroyed)).toEqual([false, false]);
  expect(log.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ level: 40, maxConnections: 2 })]);
});

describe('a response that the client does not read', () => {
  const http = { writeTimeout: 50, keepAliveTimeout: 100_000 };
  const UNREAD = GET.replace('/', '/large');

  test.each([
    ['alone', UNREAD],
    ['before many more', UNREAD.repeat(5000)],
    ['after one that was read', SIZE_OF_NOTHING + UNREAD],
    ['before half a request', `${UNREAD}GET / HT`],
    ['before bytes that are not HTTP', `${UNREAD}\0\0\r\n\r\n`],
    ['before CONNECT', `${UNREAD}CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n`],
    ['before the client ends its side', UNREAD, true],
  ])('closes its connection: %s', async (_, bytes, ends = false) => {
    const { server } = await start(http);
    const { client, ours } = await connection(server);
    client.pause();
    if (ends) client.end(bytes);
    else client.write(bytes);
    await once(ours, 'close');
    expect(ours.bytesWritten).toBeGreaterThan(0);
  });

  test('closes it even if the client keeps sending', async () => {
    const { server } = await start({ ...http, headersTimeout: 100_000, requestTimeout: 100_000 });
    for (const beginning of [UNREAD.repeat(20), `${UNREAD}\0\0\r\n\r\n`]) {
      const { client, ours } = await connection(server);
      client.pause();
      client.write(beginning);
      const more = setInterval(() => client.write('x'), 5);
      await once(ours, 'close').finally(() => clearInterval(more));
      // each byte that the server reads could delay the end
      expect(ours.bytesRead).toBeLessThan(beginning.length + 1024);
    }
  });

  test('does not close it while the client reads a little from time to time', async () => {
    const writeTimeout = 1000;
    const { server } = await start({ ...http, writeTimeout });
    const { client, ours } = await connection(server);
    const began = performance.now();
    const elapsed = () => performance.now() - began;
    // the kernel lets the server go on only after some megabytes: on a busy machine, a chunk at each tick is too little
    const bytesPerMs = LARGE.length / (5 * writeTimeout);
    let taken = 0;
    client.on('data', (chunk) => {
      taken += chunk.length;
      if (taken > elapsed() * bytesPerMs) client.pause();
    });
    client.write(UNREAD);
    const taking = setInterval(() => client.resume(), 10);
    await holds(() => elapsed() > 3 * writeTimeout).finally(() => clearInterval(taking));
    expect([ours.destroyed, taken < LARGE.length]).toEqual([false, true]);
    await once(ours, 'close');
  });

  test('is the only reason: a handler may take longer, and idle clients have their own timeout', async () => {
    const { server, waiting } = await start(http);
    const timeouts = vi.fn();
    server.on('timeout', timeouts);
    const { client, ours } = await connection(server);
    client.write(GET);
    await holds(() => timeouts.mock.calls.length >= 2);
    expect(ours.destroyed).toBe(false);
    waiting[0]!.end(LARGE);
    await once(ours, 'close');
  });
});

test('a connection that keeps sending broken bytes gets one error, after the pending response', async () => {
  const { server, waiting } = await start();
  const { client } = await connection(server);
  let faults = 0;
  server.on('clientError', () => {
    faults += 1;
    client.write('and more', () => waiting[0]!.end());
  });
  const answer = text(client);
  client.write(GET + GET.replace('Host', 'A : b\r\nHost'));
  const statuses = (await answer).match(/^HTTP\/1\.1 \d+/gm);
  expect({ statuses, faults }).toEqual({ statuses: ['HTTP/1.1 200', 'HTTP/1.1 400'], faults: 1 });
});

test('an unread request on an idle connection is answered before the server closes', async () => {
  const { server } = await start();
  const { client } = await connection(server);
  client.write(SIZE_OF_NOTHING);
  await once(client, 'data');
  const rest = text(client);
  // the kernel has these bytes at once, and the server reads them in its next turn
  client.write(SIZE_OF_NOTHING);
  const closed = closeServer(server, MINUTE_MS);
  expect(await rest).toContain('200 OK');
  await closed;
});

test('closing all connections also closes one with a pending CONNECT', async () => {
  const { server, waiting } = await start();
  const { client, ours } = await connection(server);
  client.write(`${GET}CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await holds(() => waiting.length === 1);
  const closed = once(ours, 'close');
  server.closeAllConnections();
  await closed;
});

test.each([
  ['blank lines', () => `3e80\r\n${'\r\n'.repeat(8000)}\r\n`],
  ['chunks of one byte, on four connections', () => '1\r\na\r\n'.repeat(8000)],
])('a chunked body of %s is parsed in small parts, and others get a turn in between', async (what, chunks) => {
  const { url } = await start();
  const push = vi.spyOn(Readable.prototype, 'push');
  onTestFinished(() => push.mockRestore());
  const parts: number[] = [];
  let isOver = false;
  const look = () => {
    parts.push(push.mock.calls.reduce((bytes, [chunk]) => bytes + (chunk?.length ?? 0), 0));
    push.mockClear();
    if (!isOver) setImmediate(look);
  };
  const head = LAST.replace('GET /', 'POST /size').replace('\r\n\r\n', '\r\nTransfer-Encoding: chunked\r\n\r\n');
  const connections = what === 'blank lines' ? 1 : 4;
  const body = chunks();
  const answers = Promise.all(Array.from({ length: connections }, () => answersTo(url, `${head}${body}0\r\n\r\n`)));
  look();
  const sizes = (await answers).flat().map((answer) => answer.body);
  isOver = true;
  expect(sizes).toEqual(Array(connections).fill(what === 'blank lines' ? '16000' : '8000'));
  expect(parts.reduce((sum, bytes) => sum + bytes)).toBeGreaterThan(connections * body.length);
  // a turn can end one part and begin another, and the pieces of the request bodies are seen again as bodies
  expect(Math.max(...parts)).toBeLessThanOrEqual(4 * 16 * 1024);
});

test('blank lines before requests are dropped without a turn of the parser for each', async () => {
  const { url } = await start();
  const push = vi.spyOn(Readable.prototype, 'push');
  onTestFinished(() => push.mockRestore());
  const last = SIZE_OF_NOTHING.replace('Length: 0', 'Length: 0\r\nConnection: close');
  const blank = '\r\n'.repeat(8000);
  const answers = await answersTo(url, `${blank}${SIZE_OF_NOTHING}${blank}${last}`);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(push.mock.calls.length).toBeLessThan(100);
});

test('a chunked body that no one reads is not parsed beyond its first piece, and goes on when read', async () => {
  const { server, waiting } = await start();
  const { client, ours } = await connection(server);
  const head = GET.replace('GET', 'POST').replace('\r\n\r\n', '\r\nTransfer-Encoding: chunked\r\n\r\n');
  client.write(`${head}${'1\r\na\r\n'.repeat(8000)}0\r\n\r\n`);
  await holds(() => waiting.length === 1 && ours.bytesRead > 16 * 1024);
  for (let turns = 0; turns < 100; turns++) await new Promise(setImmediate);
  const { req } = waiting[0]!;
  expect(req.readableLength).toBeLessThan(1024);
  expect(await text(req)).toHaveLength(8000);
});
