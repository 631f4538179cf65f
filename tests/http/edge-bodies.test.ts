import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { failure } from '../support/answers.ts';
import { type RawCall, startOfCall } from '../support/raw-call.ts';
import { answersTo, HOST, LAST } from '../support/raw-socket.ts';
import { testServer } from '../support/started.ts';

const MEGABYTE = 'x'.repeat(1_000_000);

const server = testServer('sqlite');

/** The head of an operation's request, ending with the given lines. */
const head = (operation: OperationId, call: RawCall, lines: string) => `${startOfCall(operation, call)}${lines}\r\n`;

const sized = (body: string, type = 'application/json') =>
  `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n`;
const CHUNKS = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n';
const rate = (headers: string, body: string) => (token: string) => head('rateRide', { token }, headers) + body;
const raw = (line: string) => () => `${line} HTTP/1.1\r\n${HOST}${sized(MEGABYTE)}\r\n${MEGABYTE}`;

test.each<[number, string, (token: string) => string]>([
  [401, 'no token and a megabyte', () => head('rateRide', {}, sized(MEGABYTE)) + MEGABYTE],
  [413, 'a megabyte', rate(sized(MEGABYTE), MEGABYTE)],
  [413, 'a megabyte in a chunk', rate(CHUNKS, `f4240\r\n${MEGABYTE}\r\n0\r\n\r\n`)],
  [404, 'a valid body in chunks', rate(CHUNKS, '5\r\n{"rat\r\n8\r\ning": 5}\r\n0\r\n\r\n')],
  [400, 'no body in chunks of no type', rate('Transfer-Encoding: chunked\r\n', '0\r\n\r\n')],
  [415, 'a body in chunks of no type', rate('Transfer-Encoding: chunked\r\n', '1\r\n1\r\n0\r\n\r\n')],
  [415, 'a megabyte of another type', rate(sized(MEGABYTE, 'text/plain'), MEGABYTE)],
  [404, 'a megabyte to an unknown path', raw('POST /nowhere')],
  [405, 'a megabyte with another method', raw(`PATCH ${OPERATIONS.getProfile.path}`)],
])('the connection stays open after a %i for %s', async (status, _, request) => {
  const { token } = await server.newRider(await server.newWorld());
  const answers = await answersTo(server.baseUrl, request(token).repeat(2) + LAST);
  expect(answers.map((answer) => answer.status)).toEqual([status, status, 200]);
});

/** Calls requestRide with these headers and sends the body with `send`. @returns the response */
async function readWhile(headers: OutgoingHttpHeaders, send: (sending: ClientRequest) => void, agent?: Agent) {
  const { method, path } = OPERATIONS.requestRide;
  const typed = { 'Content-Type': 'application/json', ...headers };
  const sending = request(server.baseUrl + path, { method, headers: typed, ...(agent && { agent }) });
  // the connection may break after the response
  send(sending.on('error', () => {}));
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  const answer = { status: response.statusCode, body: JSON.parse(await text(response)) };
  sending.destroy();
  return answer;
}

test.each([true, false])(
  'a client that is refused while it sends a megabyte can read the error (keep-alive: %s)',
  async (keepAlive) => {
    const agent = new Agent({ keepAlive });
    const answer = await readWhile({ 'Content-Length': MEGABYTE.length }, (sending) => sending.end(MEGABYTE), agent);
    agent.destroy();
    expect(answer).toEqual(failure(401, 'invalid_token'));
  },
);

test('a body with a Content-Length that is too large is refused before it is sent', async () => {
  const { token } = await server.newRider(await server.newWorld());
  const headers = { Authorization: `Bearer ${token}`, 'Content-Length': 1e9 };
  expect(await readWhile(headers, (sending) => sending.write('{'))).toEqual(failure(413, 'payload_too_large'));
});
