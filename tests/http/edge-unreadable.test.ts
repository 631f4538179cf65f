import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { OPERATIONS, REQUEST_LIMITS } from '../../generated/server.ts';
import { latestRideOf } from '../../server/store/rides.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { failure } from '../support/answers.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { LIVE_CLIENT } from '../support/oauth.ts';
import { answersTo, answerTo, HOST, type WireAnswer } from '../support/raw-socket.ts';
import { testServer } from '../support/started.ts';
import { expectGuarded } from './support/guarded.ts';

const PROFILE: string = OPERATIONS.getProfile.path;
const RIDES = OPERATIONS.requestRide.path;
/** No log may contain this, regardless of where it is in the request. */
const SECRET = 'lZ3nSx-secret-token';
const TOKEN = `Authorization: Bearer ${SECRET}\r\n`;
const CREDENTIALS = LIVE_CLIENT.Authorization.split(' ')[1]!;
/** A placeholder for the token of a new passenger. */
const GOOD = 'good-token';
const CHUNKED = `Authorization: Bearer ${GOOD}\r\nTransfer-Encoding: chunked\r\n`;
const RIDE = JSON.stringify(ACROSS_TOWN);

// Express prints no stack traces to the console if NODE_ENV is "test"
beforeAll(() => void vi.stubEnv('NODE_ENV', 'production'));
afterAll(() => void vi.unstubAllEnvs());
const log: string[] = [];
const server = testServer('sqlite', { logger: pino({ level: 'trace' }, { write: (line) => log.push(line) }) });

const get = (headers: string, path = PROFILE) => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;
const post = (headers: string, body: string) =>
  `POST ${RIDES} HTTP/1.1\r\n${HOST}Authorization: Bearer ${GOOD}\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;
const chunked = (body: string) => post('Transfer-Encoding: chunked\r\n', body);
const sized = (...sizes: string[]) => post(sizes.map((size) => `Content-Length: ${size}\r\n`).join(''), 'abc');

const told = ({ status, body }: WireAnswer) => ({ status, body: JSON.parse(body) });

/** Expects the headers of a failure that closes the connection, and no parser details in the body. */
function expectClosed({ headers, body }: WireAnswer): void {
  expectGuarded({ headers });
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('connection')).toBe('close');
  expect(body).not.toMatch(/HPE|parse|node|llhttp|express|\bat .*:\d/i);
}

/** The single response on a connection. Also expects one log line, nothing on the console, and no ride. */
async function refusalOf(...pieces: Array<string | null>) {
  const world = await server.newWorld();
  const { token, passenger } = await server.newRider(world);
  const written = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => written.mockRestore());
  log.length = 0;
  const answer = await answerTo(server.baseUrl, ...pieces.map((piece) => piece?.replace(GOOD, token) ?? null));
  expectClosed(answer);
  const lines = log.map((line) => JSON.parse(line));
  expect(lines).toEqual([
    expect.objectContaining({
      level: 30,
      req: expect.objectContaining({ id: answer.headers.get('x-request-id') }),
      res: { status: answer.status },
    }),
  ]);
  for (const secret of [SECRET, token, CREDENTIALS]) expect(log.join()).not.toContain(secret);
  expect(written).not.toHaveBeenCalled();
  expect(await latestRideOf(server.store.db, world.id, passenger.id)).toBeUndefined();
  return told(answer);
}

describe('a request that is not HTTP/1.1 is a 400, is logged once, and closes its connection', () => {
  test.each<[string, ...Array<string | null>]>([
    ['bytes', '\x00\x01\x02\xff'],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a response', 'HTTP/1.1 200 OK\r\n\r\n'],
    ['HTTP/0.9', `GET ${PROFILE}\r\n\r\n`],
    ['HTTP/0.9 by name', `GET ${PROFILE} HTTP/0.9\r\n${HOST}${TOKEN}\r\n`],
    ['HTTP/1.2', `GET ${PROFILE} HTTP/1.2\r\n${HOST}${TOKEN}\r\n`],
    ['HTTP/2.0', `GET ${PROFILE} HTTP/2.0\r\n${HOST}${TOKEN}\r\n`],
    ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a path without its slash', get(HOST + TOKEN, `profile?access_token=${SECRET}`)],
    ['no path', get(HOST + TOKEN, '')],
    ['a space in the path', get(HOST + TOKEN, `${PROFILE} ${SECRET}`)],
    ['a tab in the path', get(HOST + TOKEN, `${PROFILE}\t${SECRET}`)],
    ['NUL in the path', get(HOST + TOKEN, `${PROFILE}\0${SECRET}`)],
    ['a non-ASCII byte in the path', get(HOST + TOKEN, `${PROFILE}\xff`)],
    ['lines that end with only LF', `GET ${PROFILE} HTTP/1.1\nHost: localhost\n${TOKEN}\n`],
    ['a header that continues on the next line', get(`${HOST}Authorization: Bearer\r\n ${SECRET}\r\n`)],
    ['NUL in a header', get(`${HOST}Authorization: Bearer ${SECRET}\0\r\n`)],
    ['CR in a header', get(`${HOST}Authorization: Bearer ${SECRET}\rX: y\r\n`)],
    ['a space before the colon', get(`${HOST}Authorization : Bearer ${SECRET}\r\n`)],
    ['a header without a colon', get(`${HOST}Bearer ${SECRET}\r\n`)],
    ['a header without a name', get(`${HOST}: Bearer ${SECRET}\r\n`)],
    ['no Host', get(TOKEN)],
    ['two Hosts', get(HOST + HOST + TOKEN)],
    ['an invalid Host', get(`Host: local host\r\n${TOKEN}`)],
    ['chunks and a length', post('Transfer-Encoding: chunked\r\nContent-Length: 3\r\n', '0\r\n\r\n')],
    ['chunks twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n')],
    ['another coding', post('Transfer-Encoding: gzip\r\n', 'abc')],
    ['almost chunks', post('Transfer-Encoding: xchunked\r\n', 'abc')],
    ['chunks in HTTP/1.0', `POST ${RIDES} HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['two lengths', sized('3', '3')],
    ['a list of lengths', sized('3, 3')],
    ['a negative length', sized('-3')],
    ['a length with a sign', sized('+3')],
    ['a length that is not a number', sized('3x')],
    ['a length that is too large', sized('9'.repeat(30))],
    ['an empty length', sized('')],
    ['a chunk without a size', chunked(`zz${SECRET}\r\n`)],
    ['a chunk that is longer than its size', chunked(`2\r\n${SECRET}\r\n0\r\n\r\n`)],
    ['a chunk with extensions that are too long', chunked(`1;${'a'.repeat(17_000)}\r\n`)],
    ['a broken body that the operation does not take', `${get(`${HOST}${CHUNKED}`)}zz\r\n`],
    ['a broken chunk after a whole ride', chunked(`${RIDE.length.toString(16)}\r\n${RIDE}\r\nzz\r\n`)],
    ['a head that ends too early', `GET ${PROFILE} HTTP/1.1\r\n${TOKEN}`, null],
  ])('%s', async (_, ...pieces) => {
    expect(await refusalOf(...pieces)).toEqual(failure(400, 'bad_parameter'));
  });

  test('a token endpoint returns an OAuth error', async () => {
    const bytes = chunked('zz\r\n').replace(RIDES, OPERATIONS.createToken.path);
    const answer = await refusalOf(bytes.replace(`Bearer ${GOOD}`, LIVE_CLIENT.Authorization));
    expect(answer).toEqual(failure(400, 'invalid_request'));
  });

  test('the error does not mention a body if the request has none', async () => {
    expect((await refusalOf('\x00\x01\x02\xff')).body.error_description).toBe('The request cannot be read.');
  });
});

describe('a head that is too large is a 431', () => {
  const { headBytes, headers } = REQUEST_LIMITS;

  test.each([
    ['a long header', get(`${HOST}${TOKEN}X: ${'x'.repeat(headBytes)}\r\n`)],
    ['many long headers', get(`${HOST}${TOKEN}${`X: ${'x'.repeat(headBytes / 8)}\r\n`.repeat(9)}`)],
    ['a long path', get(HOST + TOKEN, `/${SECRET.repeat(headBytes / 16)}`)],
    ['a header of a megabyte', get(`${HOST}${TOKEN}X: ${'x'.repeat(1_000_000)}\r\n`)],
    ['one header too many', get(HOST + 'X: x\r\n'.repeat(headers))],
    ['twenty times too many headers', get(HOST + 'X:\r\n'.repeat(20 * headers))],
  ])('%s', async (_, bytes) => {
    expect(await refusalOf(bytes)).toEqual(failure(431, 'headers_too_large'));
  });

  test('a head within the limits is accepted', async () => {
    const { token } = await server.newRider(await server.newWorld());
    const known = `${HOST}Authorization: Bearer ${token}\r\nConnection: close\r\n`;
    const many = 'X: x\r\n'.repeat(headers - 3);
    const long = `X: ${'x'.repeat(headBytes - 200)}\r\n`;
    for (const more of [many, long]) {
      expect((await answerTo(server.baseUrl, get(known + more))).status).toBe(200);
    }
  });
});

describe('on a connection with several requests', () => {
  const profile = (token: string, more = '') => get(`${HOST}Authorization: Bearer ${token}\r\n${more}`);
  const broken = get(`${HOST}A : b\r\n`);

  const brew = `BREW ${PROFILE} HTTP/1.1\r\n${HOST}\r\n`;
  const connect = `CONNECT localhost:443 HTTP/1.1\r\n${HOST}\r\n`;
  const answered = chunked('3\r\nabc\r\n').replace(RIDES, '/nowhere');

  test.each<[string, number[], (token: string) => string[]]>([
    ['a broken head', [200, 401, 400], (token) => [profile(token), profile(''), broken, profile(token)]],
    ['a broken body', [200, 400], (token) => [profile(token), chunked('zz\r\n'), profile(token)]],
    ['an unknown method', [200, 405], (token) => [profile(token), brew]],
    ['CONNECT', [200, 404], (token) => [profile(token), connect, profile(token)]],
    [
      'nothing behind a request that closes the connection',
      [401],
      () => [profile('', 'Connection: close\r\n'), broken],
    ],
    ['no second time a request whose body breaks after its response', [404], () => [answered, 'zz\r\n']],
  ])('the server answers in order %s', async (_, statuses, requestsOf) => {
    const { token } = await server.newRider(await server.newWorld());
    const answers = await answersTo(server.baseUrl, requestsOf(token).join(''));
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    if (statuses.length > 1) expectClosed(answers.at(-1)!);
  });
});

test.each([
  ['an unknown expectation', get(`${HOST}Expect: the unexpected\r\nConnection: close\r\n`)],
  ['an offer to upgrade', get(`${HOST}Connection: Upgrade, close\r\nUpgrade: websocket\r\n`)],
  ['HTTP/1.0 without a Host', `GET ${PROFILE} HTTP/1.0\r\n\r\n`],
])('%s makes no difference', async (_, bytes) => {
  const { status, headers } = await answerTo(server.baseUrl, bytes);
  expect({ status, connection: headers.get('connection') }).toEqual({ status: 401, connection: 'close' });
});

test('a client that keeps a broken connection open is disconnected after two seconds', async () => {
  fakeTimers(['setTimeout', 'clearTimeout']);
  const { hostname, port } = new URL(server.baseUrl);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const failed = once(socket, 'error', { signal: AbortSignal.timeout(5000) });
  socket.write(get(`${HOST}A : b\r\n`));
  socket.resume();
  await once(socket, 'end');
  vi.advanceTimersByTime(2000);
  const timer = setInterval(() => socket.write('more'), 10);
  const [{ code }] = await failed.finally(() => clearInterval(timer));
  expect(code).toBeOneOf(['ECONNRESET', 'EPIPE']);
});
