import { expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { draws, pick } from '../../server/domain/chance.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { failure } from '../support/answers.ts';
import { CALL_IDS, pathOf } from '../support/operations.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { answersTo, HOST, LAST, type WireAnswer } from '../support/raw-socket.ts';
import { rounds } from '../support/run.ts';
import { testServer } from '../support/started.ts';
import { expectGuarded } from './support/guarded.ts';

const SEED = 'edge';
const ROUNDS = rounds({ usually: 200, atLength: 2000 });
const AT_ONCE = 20;
const NASTY = [
  ...['\r', '\n', '\r\n', '\r\n\r\n', '\0', '\t', ' ', ':', '%', '%zz', '%00'],
  ...['#', '?', '\\', '/', '//', '*', ';', ','],
  ...['\x7f', '\x80', '\xff', '\xc3\x28', 'HTTP/1.1', 'HTTP/2.0', 'http://x', '{', '9'.repeat(40), 'x'.repeat(17_000)],
  ...['\r\n ', '\r\nHost: y', '\r\nContent-Length: 3', '\r\nContent-Length: -1', '\r\nTransfer-Encoding: chunked'],
  ...['\r\nTransfer-Encoding: gzip', '\r\nAuthorization: Bearer x', '\r\nExpect: x', '\r\nUpgrade: h2c'],
  '\r\nConnection: upgrade',
];
const OPERATION_LIST = CALL_IDS.map((id) => OPERATIONS[id]);

const http = { headersTimeout: 300, requestTimeout: 400, connectionsCheckingInterval: 50 };
const server = testServer('sqlite', { http });

/** A valid request for an operation chosen at random. */
function soundRequest(token: string, chance: number): string {
  const { method, path, requestMediaTypes } = pick(OPERATION_LIST, chance);
  const query = method === 'get' ? `?lat=${FERRY_BUILDING.lat}&lng=${FERRY_BUILDING.lng}` : '';
  const body = requestMediaTypes.length > 0 ? JSON.stringify(ACROSS_TOWN) : '';
  const type = body && `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const target = pathOf(path) + query;
  return `${method.toUpperCase()} ${target} HTTP/1.1\r\n${HOST}Authorization: Bearer ${token}\r\n${type}\r\n${body}`;
}

/** The request with one mutation: something added, removed, doubled or replaced. */
function mutated(bytes: string, [where = 0, how = 0, what = 0]: number[]): string {
  const at = Math.floor(where * bytes.length);
  const end = at + 1 + Math.floor(what * 12);
  return pick(
    [
      bytes.slice(0, at) + pick(NASTY, what) + bytes.slice(at),
      bytes.slice(0, at) + bytes.slice(end),
      bytes.slice(0, end) + bytes.slice(at),
      bytes.slice(0, at) + String.fromCharCode(Math.floor(what * 256)) + bytes.slice(at + 1),
    ],
    how,
  );
}

function expectSound(answer: WireAnswer, sent: string): void {
  const { status, headers, body } = answer;
  expect(status, sent).toBeLessThan(500);
  expectGuarded(answer);
  if (status < 400) return;
  expect(headers.get('content-type'), sent).toBe('application/json; charset=utf-8');
  const { error } = JSON.parse(body);
  expect({ status, body: JSON.parse(body) }, sent).toEqual(failure(status, error, expect.any(Array)));
}

test(`${ROUNDS} mutated requests are answered without a 5XX, and the server keeps running`, {
  timeout: 60_000,
}, async () => {
  const statuses = new Set<number>();
  const play = async (round: number) => {
    // each round gets its own world, because one of the operations deletes it
    const { token } = await server.newRider(await server.newWorld());
    const [operation = 0, again = 0, ...dice] = draws(8, SEED, round);
    const once = mutated(soundRequest(token, operation), dice.slice(0, 3));
    const sent = again < 0.5 ? once : mutated(once, dice.slice(3));
    for (const answer of await answersTo(server.baseUrl, sent + LAST)) {
      expectSound(answer, JSON.stringify(sent));
      statuses.add(answer.status);
    }
  };
  for (let from = 0; from < ROUNDS; from += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => play(from + i)));
  }
  // without all of these statuses, the mutations reach too little of the server
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 431]));
  const { api } = await server.newRider(await server.newWorld());
  expect((await api.getProfile()).response.status).toBe(200);
});
