import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { MOST_BYTES_BEHIND } from '../../server/http/mount.ts';
import { MOST_MS_IN_A_TURN, MOST_OF_A_KIND } from '../../server/http/turns.ts';
import { counted } from '../support/counted-store.ts';
import { newLatch } from '../support/latch.ts';
import { LIVE_CLIENT, SANDBOX_CLIENT } from '../support/oauth.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { answersTo, HOST } from '../support/raw-socket.ts';
import { LIVE } from '../support/server.ts';
import { forAll, testServer } from '../support/started.ts';
import { until } from '../support/until.ts';
import { startServerOfHandlers } from './support/server-of-handlers.ts';

const PLACE = 'lat=37.7955&lng=-122.3937';
const AUTHORIZING = 'client_id=demo&response_type=code&state=a&scope=public';
const BOUNDS = { running: 1, waiting: 2 };
const ALL = BOUNDS.running + BOUNDS.waiting;
/** More than the kernel buffers for a client that reads nothing. */
const LONG = 'x'.repeat(15_000_000);

const server = testServer('sqlite', { trustedProxies: 1, rateLimitMultiplier: 1000 });
/** What the handlers do by default: hold the call until the test releases it. */
const hold = async () => {
  const { promise, open } = newLatch();
  held.push(open);
  await promise;
};
const held: (() => void)[] = [];
let work: () => Promise<unknown> = hold;
/** The SQL statements that the server ran. The handlers run none. */
let statements: string[] = [];
const on = forAll(() => {
  const watched = counted(server.store);
  statements = watched.statements;
  return startServerOfHandlers({ ...server.parts, store: watched.store, callsAtOnce: BOUNDS }, () => work(), 1);
});
afterEach(() => {
  work = hold;
});

const isHeld = (count = 1) => until(() => expect(held).toHaveLength(count));
async function letGo(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await until(() => expect(held.length).toBeGreaterThan(0));
    held.shift()!();
  }
}

/** The bytes of a listRideTypes request. */
const wire = (token: string, end: '' | 'Connection: close\r\n' = '') =>
  `GET ${OPERATIONS.listRideTypes.path}?${PLACE} HTTP/1.1\r\n${HOST}Authorization: Bearer ${token}\r\n${end}\r\n`;

/** Sends calls in one piece, so that the server reads all of them before the first one ends. */
const inOnePiece = (token: string, count: number, { baseUrl } = on) =>
  answersTo(baseUrl, wire(token).repeat(count - 1) + wire(token, 'Connection: close\r\n'));
/** A call whose response comes after the server has read everything sent before. */
const exchange = ({ baseUrl } = on) => answersTo(baseUrl, wire('nobody', 'Connection: close\r\n'));

/** Sends bytes on a connection that the test ends. */
async function sending(bytes: string, { baseUrl } = on) {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

/** Until the end of the test, servers can write nothing, as if each client's buffer was full. */
function stopWriting(): void {
  for (const method of ['_write', '_writev'] as const) {
    const write = Socket.prototype[method]!;
    const written = vi.spyOn(Socket.prototype, method).mockImplementation(function (this: Socket, ...sent: unknown[]) {
      if (!('server' in this && this.server)) Reflect.apply(write, this, sent);
    });
    onTestFinished(() => written.mockRestore());
  }
}

/** Returns a token that the server has already looked up. */
async function knownToken(options: { readonly applicationId?: string } = {}): Promise<string> {
  const token = await server.newToken({ world: await server.newWorld(), ...options });
  const first = rawCall(on.baseUrl, 'listRideTypes', { token, query: PLACE });
  await letGo(1);
  expect((await first).status).toBe(200);
  return token;
}

const statusesOf = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status);
const rideTypes = (token: string) => rawCall(on.baseUrl, 'listRideTypes', { token, query: PLACE });

test('a call beyond the running and waiting limits is refused, and the others are answered in order', async () => {
  const answers = inOnePiece(await knownToken(), ALL + 1);
  await isHeld(BOUNDS.running);
  await letGo(ALL);
  expect(statusesOf(await answers)).toEqual([...Array(ALL).fill(200), 429]);
  const { headers, body } = (await answers).at(-1)!;
  expect(JSON.parse(body)).toEqual({
    error: 'rate_limit_exceeded',
    error_description: 'Too many requests at once. Try again in a second.',
    error_detail: [],
    documentation_url: expect.stringMatching(/\/docs#tag\/Errors\/rate_limit_exceeded$/),
  });
  expect(headers.get('retry-after')).toBe('1');
  // this header shows the rate limit, which is not reached
  expect(Number(headers.get('x-ratelimit-remaining'))).toBeGreaterThan(1000);
});

const inSandbox = async (applicationId = 'demo') =>
  rideTypes(await server.newToken({ world: await server.newWorld(), applicationId }));
const newTokenBy = (headers: typeof LIVE_CLIENT) =>
  rawCall(on.baseUrl, 'createToken', { headers, body: '{"grant_type":"client_credentials"}' });
const pageWith = (headers: Readonly<Record<string, string>>) =>
  rawCall(on.baseUrl, 'authorizeApplication', {
    query: AUTHORIZING,
    headers: { Accept: 'application/json', ...headers },
  });
const pageFrom = (address: string) => pageWith({ 'X-Forwarded-For': address });

describe('while an application has the maximum number of calls in one of its sandboxes,', () => {
  test.each<[string, () => Promise<Response>, boolean]>([
    ['a call in another sandbox is refused', () => inSandbox(), true],
    ['a token for a sandbox is refused', () => newTokenBy(SANDBOX_CLIENT), true],
    ['its live calls continue', async () => rideTypes(await server.newToken({ world: LIVE })), false],
    ['a live token is issued', () => newTokenBy(LIVE_CLIENT), false],
    ['calls of another application continue', () => inSandbox('another'), false],
    ['calls from browsers continue', () => pageFrom('192.0.2.1'), false],
    ['a call with an invalid token does not get a 429', () => rideTypes('nonsense'), false],
  ])('%s', async (_, call, isRefused) => {
    const own = inOnePiece(await knownToken(), ALL);
    await isHeld();
    // from here on, only calls in the same queue have to wait
    work = async () => {};
    expect((await call()).status === 429).toBe(isRefused);
    await letGo(1);
    expect(statusesOf(await own)).toEqual(Array(ALL).fill(200));
  });
});

test('many sandbox calls in progress leave room for live calls', async () => {
  const roomy = { running: MOST_OF_A_KIND, waiting: 2 };
  const many = await startServerOfHandlers({ ...server.parts, callsAtOnce: roomy }, () => work(), 1);
  onTestFinished(async () => {
    work = async () => {};
    for (const release of held.splice(0)) release();
    await many.close();
    work = hold;
  });
  const send = async (world: World, applicationId: string, count: number) =>
    inOnePiece(await server.newToken({ world, applicationId }), count, many);
  const world = await server.newWorld();
  // the server reads 16 of a connection
  const answers = Array.from({ length: MOST_OF_A_KIND / 16 }, () => send(world, 'demo', 16));
  await isHeld(MOST_OF_A_KIND);
  answers.push(send(LIVE, 'demo', 2));
  await isHeld(MOST_OF_A_KIND + 2);
  answers.push(send(await server.newWorld(), 'another', 2));
  await isHeld(MOST_OF_A_KIND + 3);
  await exchange(many);
  expect(held).toHaveLength(MOST_OF_A_KIND + 3);
  await letGo(MOST_OF_A_KIND + 4);
  expect(new Set(statusesOf((await Promise.all(answers)).flat()))).toEqual(new Set([200]));
});

test('unverified credentials from a visitor do not evict a verified token', async () => {
  const token = await knownToken();
  work = async () => {};
  expect((await rideTypes(token)).status).toBe(200);
  await pageWith({ Authorization: 'Bearer anything' });
  work = hold;
  const visits = Promise.all(Array.from({ length: ALL - 1 }, () => pageFrom('127.0.0.1')));
  await isHeld();
  work = async () => {};
  // a token that the server does not know would wait behind the visits of its network
  expect((await rideTypes(token)).status).toBe(200);
  await letGo(1);
  expect(statusesOf(await visits)).not.toContain(429);
});

test('calls from browsers count per network', async () => {
  const page = `GET ${OPERATIONS.authorizeApplication.path}?${AUTHORIZING} HTTP/1.1\r\n${HOST}Accept: application/json\r\nX-Forwarded-For: 2001:db8::1\r\n`;
  // in one piece: if one arrived later, a call of the test could take its place in the queue and wait forever
  const others = `${page}\r\n`.repeat(ALL - 1);
  const first = answersTo(on.baseUrl, `${others}${page}Connection: close\r\n\r\n`);
  await isHeld();
  work = async () => {};
  expect((await pageFrom('2001:db8::2')).status).toBe(429);
  expect((await pageFrom('2001:db8:0:1::1')).status).not.toBe(429);
  await letGo(1);
  expect(statusesOf(await first)).not.toContain(429);
});

describe('a client that hangs up', () => {
  test('keeps its place until its handler finishes', async () => {
    const token = await knownToken();
    const client = await sending(wire(token));
    await isHeld();
    client.resetAndDestroy();
    await exchange();
    const answers = inOnePiece(token, ALL);
    await exchange();
    expect(held).toHaveLength(1);
    await letGo(ALL);
    expect(statusesOf(await answers)).toEqual([200, 200, 429]);
  });

  test('gives its place to others before it has read a long response', async () => {
    const token = await knownToken();
    const long = vi.fn(async () => ({ text: LONG }));
    work = long;
    const client = (await sending(wire(token))).pause();
    await until(() => expect(long).toHaveBeenCalledOnce());
    work = async () => {};
    expect((await rideTypes(token)).status).toBe(200);
    client.destroy();
  });

  test('loses its oldest connection if it has the most unread bytes, and all together are too many', async () => {
    const most = 3.5 * LONG.length;
    const tight = await startServerOfHandlers(server.parts, () => work(), 1, 'log', most);
    onTestFinished(tight.close);
    const long = vi.fn(async () => ({ text: LONG }));
    work = long;
    const world = await server.newWorld();
    const [many, one] = [(await server.newRider(world)).token, (await server.newRider(world)).token];
    const clients: Socket[] = [];
    for (const token of [one, many, many, many]) {
      clients.push((await sending(wire(token, 'Connection: close\r\n'), tight)).pause());
      await until(() => expect(long).toHaveBeenCalledTimes(clients.length));
    }
    await exchange(tight);
    const lengths = (await Promise.all(clients.map((client) => buffer(client)))).map(({ length }) => length);
    expect(lengths.map((length) => length > LONG.length)).toEqual([true, false, true, true]);
  });

  test.each([
    ['to calls', wire],
    ['to refused calls', () => wire('nobody')],
    ['other than to calls', () => `GET /nothing HTTP/1.1\r\n${HOST}\r\n`],
  ])('loses its connection if short responses %s behind one that is not ready are too many', async (_, request) => {
    const tight = await startServerOfHandlers(server.parts, () => work(), 1, 'log', 1);
    onTestFinished(tight.close);
    const token = await server.newToken({ world: await server.newWorld() });
    work = vi.fn(async () => ({}) as unknown).mockImplementationOnce(hold);
    await once((await sending(wire(token) + request(token).repeat(2), tight)).resume(), 'close');
    await letGo(1);
  });

  test('loses a connection if it does not read many responses that are not long', async () => {
    const most = 200_000;
    const tight = await startServerOfHandlers(server.parts, () => work(), 1, 'log', most);
    onTestFinished(tight.close);
    stopWriting();
    const token = await server.newToken({ world: await server.newWorld() });
    work = async () => ({ text: 'x'.repeat(most / 10) });
    const clients = await Promise.all(Array.from({ length: 11 }, () => sending(wire(token), tight)));
    await Promise.race(clients.map((client) => once(client.resume(), 'close')));
  });

  test('gets no more long responses behind one that is not ready', async () => {
    const [token, other] = [await knownToken(), await knownToken({ applicationId: 'another' })];
    work = vi.fn(async () => ({ text: 'x'.repeat(MOST_BYTES_BEHIND / 2) }) as unknown).mockImplementationOnce(hold);
    const answers = answersTo(on.baseUrl, wire(other) + wire(token).repeat(2) + wire(token, 'Connection: close\r\n'));
    await until(() => expect(vi.mocked(work).mock.calls.length).toBeGreaterThan(2));
    await exchange();
    await letGo(1);
    expect(statusesOf(await answers)).toEqual([200, 200, 200, 429]);
  });

  test('before the handler of any operation starts is not served, and its place is free again', async () => {
    const { parts } = server;
    let counting = newLatch();
    let isCounting = false;
    const countCall: typeof parts.countCall = async (...counted) => {
      isCounting = true;
      await counting.promise;
      return parts.countCall(...counted);
    };
    const begun: OperationId[] = [];
    const work = async (operation: OperationId) => void begun.push(operation);
    const callsAtOnce = { running: 2, waiting: 0 };
    const slow = await startServerOfHandlers({ ...parts, countCall, callsAtOnce }, work);
    onTestFinished(slow.close);
    for (const id of OPERATION_IDS) {
      const { status: _, ...call } = await acceptedCall(id, server);
      for (let hungUp = 0; hungUp < callsAtOnce.running; hungUp++) {
        counting = newLatch();
        isCounting = false;
        const client = new AbortController();
        const cut = rawCall(slow.baseUrl, id, { ...call, signal: client.signal });
        await until(() => expect(isCounting).toBe(true));
        client.abort();
        await expect(cut).rejects.toThrow('aborted');
        await exchange(slow);
        counting.open();
      }
      // without a free place, the server would refuse it
      expect((await rawCall(slow.baseUrl, id, call)).status, id).toBe(OPERATIONS[id].successStatus);
    }
    expect(begun).toEqual(OPERATION_IDS);
  });

  test('while it waits is not served, and the request behind it is', async () => {
    const token = await knownToken();
    const first = rideTypes(token);
    await isHeld();
    const client = await sending(wire(token));
    await exchange();
    const last = rideTypes(token);
    await exchange();
    client.resetAndDestroy();
    await exchange();
    let begun = 0;
    work = async () => {
      begun += 1;
    };
    await letGo(1);
    expect(statusesOf([await first, await last])).toEqual([200, 200]);
    expect(begun).toBe(1);
  });
});

test('a slow or missing body does not hold up other calls', async () => {
  const token = await knownToken();
  const head = `POST ${OPERATIONS.createWorld.path} HTTP/1.1\r\n${HOST}Authorization: Bearer ${token}\r\n`;
  const beginning = `${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{`;
  const sockets = await Promise.all(Array.from({ length: ALL + 1 }, () => sending(beginning)));
  // this client ends its side
  sockets[0]!.end();
  work = async () => {};
  // on a busy machine, the heads of the slow calls can arrive after the first call
  await until(async () => expect((await rideTypes(token)).status).toBe(200));
  for (let i = 0; i <= ALL; i++) expect((await rideTypes(token)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

test('every failed call frees its place, regardless of which check refuses it', async () => {
  work = async () => {
    throw new Error('a handler that fails');
  };
  // one for each kind of caller, with a body and without
  for (const id of ['authorizeApplication', 'createToken', 'listRideTypes', 'createWorld'] as const) {
    const { status: _, ...sound } = await acceptedCall(id, server);
    const broken: RawCall[] = [
      { ...sound, query: 'surprise=1' },
      { ...sound, headers: { ...sound.headers, 'Svc-Sandbox-Scenario': 'nonsense' } },
      ...(sound.body === undefined ? [] : ['{', ' '.repeat(70_000)]).map((body) => ({ ...sound, body })),
      { ...sound, token: 'nonsense' },
      sound,
      sound,
    ];
    for (const call of broken) expect((await rawCall(on.baseUrl, id, call)).status, id).not.toBe(429);
  }
  work = hold;
  const answers = inOnePiece(await knownToken(), ALL + 1);
  await letGo(ALL);
  expect(statusesOf(await answers)).toEqual([...Array(ALL).fill(200), 429]);
});

test('other work gets a turn between two calls of an application, even though SQLite is synchronous', async () => {
  const token = await knownToken();
  const order: string[] = [];
  work = async () => {
    order.push('call');
    setImmediate(() => order.push('others'));
    // short calls may share a turn of the event loop
    const end = performance.now() + MOST_MS_IN_A_TURN;
    while (performance.now() < end);
  };
  await inOnePiece(token, ALL);
  // a second call may begin in the same turn of the event loop as the first one
  expect([1, 2]).toContain(order.indexOf('others'));
  expect(order.filter((who) => who === 'call')).toHaveLength(ALL);
});

test('what a handler computes before its first query is charged before the query ends', async () => {
  const callsAtOnce = { running: 2, waiting: 0 };
  const wide = await startServerOfHandlers({ ...server.parts, callsAtOnce }, () => work(), 1);
  onTestFinished(wide.close);
  const token = await server.newToken({ world: await server.newWorld() });
  const call = () => rawCall(wide.baseUrl, 'listRideTypes', { token, query: PLACE });
  const { now } = performance;
  let computedMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + computedMs);
  onTestFinished(() => clock.mockRestore());
  work = () => {
    // the share of an application in 50,000 turns of the event loop: an idle one makes thousands in a few milliseconds
    computedMs += 100_000;
    return hold();
  };
  const first = call();
  await isHeld();
  work = hold;
  const second = call();
  await exchange(wide);
  await exchange(wide);
  const begun = held.length;
  await letGo(2);
  expect([begun, ...statusesOf([await first, await second])]).toEqual([1, 200, 200]);
});

test('a waiting call costs nothing: the server looks up its token only when its turn comes', async () => {
  const token = await knownToken();
  statements.length = 0;
  const answers = inOnePiece(token, ALL);
  await isHeld();
  expect(statements).toHaveLength(BOUNDS.running);
  await letGo(ALL);
  expect(statusesOf(await answers)).toEqual(Array(ALL).fill(200));
  expect(statements).toHaveLength(ALL);
});

/**
 * The most calls that can start between two looks, in up to two turns of the event loop. In each turn, nine calls in
 * the queue and nine calls beyond it can start: eight that waited and one that did not have to wait.
 */
const MOST_BETWEEN_LOOKS = 2 * 2 * (8 + 1);
const CALLS = 120;

test.each([
  ['with a wrong token', () => 'wrong', 401],
  ['beyond the bounds', knownToken, 429],
])('calls %s are refused a few at a time, and others get a turn in between', async (_, tokenOf, refusal) => {
  const token = await tokenOf();
  // the wrong token does not share a queue with the held calls
  const own = inOnePiece(refusal === 429 ? token : await knownToken(), ALL);
  await isHeld();
  statements.length = 0;
  const order: number[] = [];
  let isOver = false;
  const look = () => {
    order.push(statements.length);
    if (!isOver) setImmediate(look);
  };
  look();
  const statuses = statusesOf(await inOnePiece(token, CALLS));
  isOver = true;
  await letGo(ALL);
  expect(statusesOf(await own)).toEqual(Array(ALL).fill(200));
  expect(statuses).toEqual(Array(CALLS).fill(refusal));
  // the number of tokens looked up between two looks
  expect(Math.max(...order.map((count, i) => count - (order[i - 1] ?? 0)))).toBeLessThanOrEqual(MOST_BETWEEN_LOOKS);
});
