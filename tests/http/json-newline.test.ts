import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { routersBeside } from '../../server/app.ts';
import { answersTo, answerTo, HOST, lastHead } from '../support/raw-socket.ts';
import { testServer } from '../support/started.ts';
import { serveWith } from './support/added-routers.ts';

const PROFILE = OPERATIONS.getProfile.path;
const BROKEN_CHUNK = `POST ${OPERATIONS.createToken.path} HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nnone\r\n`;

type Request = (token: string) => string;

/** A request for each part of the server that responds with JSON. */
const EVERYWHERE: ReadonlyArray<readonly [part: string, status: number, request: Request]> = [
  ['an operation', 200, (token) => lastHead('GET', PROFILE, [`Authorization: Bearer ${token}`])],
  ['an error', 401, () => lastHead('GET', PROFILE)],
  ['an unknown method', 405, () => lastHead('DELETE', PROFILE)],
  ['an unknown path', 404, () => lastHead('GET', '/nowhere')],
  ['a request that breaks HTTP', 400, () => `GET ${PROFILE} HTTP/1.1\r\nConnection: close\r\n\r\n`],
  ['a request that node cannot parse', 400, () => 'nothing\r\n\r\n'],
  ['a body that node cannot parse', 400, () => BROKEN_CHUNK],
  ['health', 200, () => lastHead('GET', '/healthz')],
];
const DEMO: typeof EVERYWHERE = [
  ['the demo application', 200, () => lastHead('GET', '/development/demo')],
  ['a method that the demo application does not have', 405, () => lastHead('GET', '/development/codes')],
];

// kept-promises.ts checks the newline in every success and error response of each operation
describe.each([
  ['development', true, 'a newline', '\n', [...EVERYWHERE, ...DEMO]],
  ['production', false, 'its last brace', '', EVERYWHERE],
] as const)('in %s', (_, isDevelopment, endInWords, end, requests) => {
  const server = testServer('sqlite', { isDevelopment });
  const serve = () => serveWith(server.parts, routersBeside(server.parts));

  test.each(requests)(`%s ends with ${endInWords}`, async (_, status, request) => {
    const { token } = await server.newRider(await server.newWorld());
    // fails unless Content-Length matches the body
    const { headers, body, ...answer } = await answerTo(await serve(), request(token));
    expect(answer.status).toBe(status);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toBe(JSON.stringify(JSON.parse(body)) + end);
  });

  test('HEAD has the headers of GET and no body', async () => {
    const baseUrl = await serve();
    const [get] = await answersTo(baseUrl, lastHead('GET', '/healthz'));
    const [head] = await answersTo(baseUrl, lastHead('HEAD', '/healthz'));
    expect(head!.headers.get('content-length')).toBe(get!.headers.get('content-length'));
    expect(head!.body).toBe('');
  });
});
