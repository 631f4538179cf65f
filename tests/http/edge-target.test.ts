import { describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { failure } from '../support/answers.ts';
import { pathOf } from '../support/operations.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { answerTo, lastHead } from '../support/raw-socket.ts';
import { testServer } from '../support/started.ts';
import { expectGuarded } from './support/guarded.ts';

const PROFILE = OPERATIONS.getProfile.path;
const NOT_FOUND = failure(404, 'not_found');
const NOT_ALLOWED = failure(405, 'method_not_allowed');
const UNAUTHORIZED = failure(401, 'invalid_token');
const MISDIRECTED = failure(421, 'misdirected_request');
const BAD_PARAMETER = failure(400, 'bad_parameter', expect.any(Array));

const server = testServer('sqlite');

const newToken = async () => (await server.newRider(await server.newWorld())).token;

interface Asked {
  readonly method?: string;
  /** The token of a passenger by default. */
  readonly token?: string;
}

/** The response to a raw request target, on a new connection. */
async function ask(target: string, { method = 'GET', token }: Asked = {}) {
  const lines = ['Content-Length: 0', `Authorization: Bearer ${token ?? (await newToken())}`];
  const { status, headers, body } = await answerTo(server.baseUrl, lastHead(method, target, lines));
  const told = { allow: headers.get('allow'), remaining: headers.get('x-ratelimit-remaining') };
  return { answer: { status, body: JSON.parse(body) }, ...told };
}

/** The path of an operation with an id that is not encoded. */
const at = (operation: OperationId, id: string) => OPERATIONS[operation].path.replace('{ride_id}', id);
const etaAt = (query: string) => `${OPERATIONS.estimateEta.path}?${query}`;

const LOCAL = 'http://localhost';
const OK = { status: 200, body: expect.anything() };

describe('a full URL is treated as its path', () => {
  test.each<[target: string, answer: object, asked?: Asked]>([
    ...[LOCAL, 'https://app.localhost', 'HTTP://127.0.0.1:8080', 'http://maya:secret@localhost'].flatMap(
      (origin): [string, object, Asked?][] => [
        [origin + PROFILE, OK],
        [origin + PROFILE, UNAUTHORIZED, { token: 'made-up' }],
        [origin + PROFILE, NOT_ALLOWED, { method: 'PUT' }],
      ],
    ),
    [LOCAL + etaAt(`lat=${FERRY_BUILDING.lat}&lng=${FERRY_BUILDING.lng}`), OK],
    [LOCAL + at('getRide', 'ride-1'), failure(404, 'ride_not_found')],
    // its host replaces the Host header
    [`https://evil.example${PROFILE}`, MISDIRECTED],
    [`http://localhost@evil.example${PROFILE}`, MISDIRECTED],
    // without a path
    ...[LOCAL, `${LOCAL}/`, `${LOCAL}?${PROFILE}`].map((target): [string, object] => [target, NOT_FOUND]),
  ])('%s', async (target, answer, asked) => {
    expect((await ask(target, asked)).answer).toEqual(answer);
  });
});

describe('a target that only looks like a path of the API is a 404', () => {
  test.each<[string, string, method?: string]>([
    ['the root', '/'],
    ['the beginning of a path', '/v1'],
    ['another scheme', `ftp://localhost${PROFILE}`],
    ['a URL without a host', `http://${PROFILE}`],
    ['only a host', `//localhost${PROFILE}`],
    ['two slashes', `/${PROFILE}`],
    ['two slashes inside', PROFILE.replace('/p', '//p')],
    ['a slash at the end', `${PROFILE}/`],
    ['a dot', PROFILE.replace('/p', '/./p')],
    ['two dots', PROFILE.replace('/p', '/x/../p')],
    ['two dots, encoded', PROFILE.replace('/p', '/x/%2e%2e/p')],
    ['backslashes', PROFILE.replaceAll('/', '\\').replace('\\', '/')],
    ['an encoded slash', PROFILE.replace('/p', '%2Fp')],
    ['another case', PROFILE.toUpperCase()],
    ['parameters after a semicolon', `${PROFILE};v=1`],
    ['a fragment', `${PROFILE}#name`],
    ['a fragment with a query', `${PROFILE}#name?v=1`],
    ['NUL at the end', `${PROFILE}%00`],
    ['an invalid percent-encoding', `${PROFILE}%zz`],
    ['an encoded byte that is not UTF-8', `${PROFILE}%ff`],
    ['percent signs in segments of their own', '/%/%zz/%ff'],
    ['an asterisk', '*'],
    ['an asterisk for OPTIONS', '*', 'OPTIONS'],
    ['another server for CONNECT', 'localhost:443', 'CONNECT'],
  ])('%s', async (_, target, method = 'GET') => {
    expect((await ask(target, { method })).answer).toEqual(NOT_FOUND);
  });
});

describe.each([
  ...['%zz', '%', '%f', '%ff', '%c3%28', 'ride%', '%e0%a4%a', '.', '..', '%2e%2e', 'a%2Fb', 'a\\b', 'a;v=1', 'a#b'],
  ...['%00', 'a%20b', '{ride_id}', ':ride_id', '*', 'a'.repeat(65)],
])('%s as a ride ID', (id) => {
  test('is a bad parameter, checked after path, method and token, and counts against the limit', async () => {
    const target = at('getRide', id);
    expect((await ask(`${target}/nowhere`)).answer).toEqual(NOT_FOUND);
    expect(await ask(target, { method: 'DELETE' })).toMatchObject({ answer: NOT_ALLOWED, allow: 'GET, HEAD' });
    expect((await ask(target, { token: 'made-up' })).answer).toEqual(UNAUTHORIZED);
    const noRide = failure(400, 'bad_parameter', [{ ride_id: expect.any(String) }]);
    expect(await ask(target)).toMatchObject({ answer: noRide, remaining: '999' });
  });
});

// queries.test.ts has more cases
test.each(['lat=0&lng=0#1', '%00=%00'])('a query of %s is a bad parameter', async (query) => {
  expect((await ask(etaAt(query))).answer).toEqual(BAD_PARAMETER);
});

const ALL = Object.values(OPERATIONS);
const PATHS = [...new Set(ALL.map(({ path }) => path))];
const methodsOf = (path: string) => {
  const methods = ALL.filter((one) => one.path === path).map(({ method }) => method.toUpperCase());
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method));
};
/** Standard methods, further methods that Node parses, and unknown methods. */
const STANDARD = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'];
const METHODS = [...STANDARD, 'QUERY', 'PROPFIND', 'M-SEARCH', 'BREW', 'GETS', 'get', 'post', '__proto__'];

describe.each(PATHS)('%s', (path) => {
  const allowed = methodsOf(path);

  test.each(METHODS.filter((method) => !allowed.includes(method)))('returns a 405 for %s', async (method) => {
    // the method is refused first, even with a bad token and a bad body, and no header overrides it
    const bad = ['Authorization: Bearer made-up', 'Content-Type: application/json', 'Content-Length: 1'];
    const names = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'];
    bad.push(...names.map((name) => `${name}: ${allowed[0]}`), 'X-Original-URL: /');
    const answer = await answerTo(server.baseUrl, `${lastHead(method, pathOf(path), bad)}{`);
    const refusal = failure(405, 'method_not_allowed');
    expect(answer.status).toBe(refusal.status);
    if (method === 'HEAD') expect(answer.body).toBe('');
    else expect(JSON.parse(answer.body)).toEqual(refusal.body);
    expect(answer.headers.get('allow')).toBe(allowed.join(', '));
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expectGuarded(answer);
    // the refusal comes before rate limiting and authentication
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
    expect(answer.headers.get('www-authenticate')).toBeNull();
  });
});
