import { describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { failure } from '../support/answers.ts';
import { pathOf } from '../support/operations.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { answerTo, lastHead } from '../support/raw-socket.ts';
import { testServer } from '../support/started.ts';
import { expectGuarded } from './support/guarded.ts';

const PROFILE = OPERATIONS.getProfile.path;
const NO_RIDE = [{ ride_id: expect.any(String) }];

const server = testServer('sqlite');

const newToken = async () => (await server.newRider(await server.newWorld())).token;

/** The response to a raw request target, on a new connection. */
async function ask(target: string, { method = 'GET', token = '' } = {}) {
  const lines = ['Content-Length: 0', ...(token && [`Authorization: Bearer ${token}`])];
  const { status, headers, body } = await answerTo(server.baseUrl, lastHead(method, target, lines));
  return { answer: { status, body: JSON.parse(body) }, allow: headers.get('allow') };
}

/** The path of an operation with an id that is not encoded. */
const at = (operation: OperationId, id: string) => OPERATIONS[operation].path.replace('{ride_id}', id);

describe('a full URL is treated as its path', () => {
  test.each(['http://localhost', 'https://app.localhost', 'HTTP://127.0.0.1:8080', 'http://maya:secret@localhost'])(
    '%s',
    async (origin) => {
      const token = await newToken();
      const { answer } = await ask(origin + PROFILE, { token });
      expect(answer).toMatchObject({ status: 200, body: { first_name: 'Maya' } });
      expect((await ask(origin + PROFILE)).answer).toEqual(failure(401, 'invalid_token'));
      expect(await ask(origin + PROFILE, { method: 'PUT' })).toMatchObject({ answer: { status: 405 }, allow: 'GET' });
    },
  );

  test('the host of the URL replaces the Host header', async () => {
    for (const origin of ['https://evil.example', 'http://localhost@evil.example']) {
      expect((await ask(origin + PROFILE, { token: await newToken() })).answer).toEqual(
        failure(421, 'misdirected_request'),
      );
    }
  });

  test('with its query and path parameters', async () => {
    const token = await newToken();
    const query = `lat=${FERRY_BUILDING.lat}&lng=${FERRY_BUILDING.lng}`;
    const origin = 'http://localhost';
    expect((await ask(`${origin + OPERATIONS.estimateEta.path}?${query}`, { token })).answer.status).toBe(200);
    expect((await ask(origin + at('getRide', 'ride-1'), { token })).answer).toEqual(failure(404, 'ride_not_found'));
  });

  test.each(['http://localhost', 'http://localhost/', `http://localhost?${PROFILE}`])(
    '%s has no path',
    async (target) => {
      expect((await ask(target)).answer).toEqual(failure(404, 'not_found'));
    },
  );
});

describe('a target that only looks like a path of the API is a 404', () => {
  test.each([
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
  ])('%s', async (_, target) => {
    expect((await ask(target, { token: await newToken() })).answer).toEqual(failure(404, 'not_found'));
  });

  test('also * for OPTIONS, and another server for CONNECT', async () => {
    expect((await ask('*', { method: 'OPTIONS' })).answer).toEqual(failure(404, 'not_found'));
    expect((await ask('localhost:443', { method: 'CONNECT' })).answer).toEqual(failure(404, 'not_found'));
  });
});

describe.each(['%zz', '%', '%f', '%ff', '%c3%28', 'ride%', '%e0%a4%a'])('%s as a ride ID', (id) => {
  test('is a bad parameter, checked after path, method and token', async () => {
    const target = at('getRide', id);
    expect((await ask(`${target}/nowhere`)).answer).toEqual(failure(404, 'not_found'));
    const notAllowed = { answer: failure(405, 'method_not_allowed'), allow: 'GET' };
    expect(await ask(target, { method: 'DELETE' })).toEqual(notAllowed);
    expect((await ask(target)).answer).toEqual(failure(401, 'invalid_token'));
    expect((await ask(target, { token: await newToken() })).answer).toEqual(failure(400, 'bad_parameter', NO_RIDE));
  });
});

test('a ride ID that cannot be decoded counts against the limit', async () => {
  const token = await newToken();
  const cancel = () => ask(at('cancelRide', '%zz'), { method: 'POST', token });
  const statuses = [];
  for (let i = 0; i < 6; i++) statuses.push((await cancel()).answer.status);
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
});

test.each([
  ...['.', '..', '%2e%2e', 'a%2Fb', 'a\\b', 'a;v=1', 'a#b', '%00', 'a%20b', '{ride_id}', ':ride_id', '*'],
  'a'.repeat(65),
])('%s is not a ride ID', async (id) => {
  const { answer } = await ask(at('getRide', id), { token: await newToken() });
  expect(answer).toEqual(failure(400, 'bad_parameter', NO_RIDE));
});

// queries.test.ts has more cases
test.each(['lat=0&lng=0#1', '%00=%00'])('a query of %s is a bad parameter', async (query) => {
  const { answer } = await ask(`${OPERATIONS.estimateEta.path}?${query}`, { token: await newToken() });
  expect(answer).toEqual(failure(400, 'bad_parameter', expect.any(Array)));
});

const ALL = Object.values(OPERATIONS);
const PATHS = [...new Set(ALL.map(({ path }) => path))];
const methodsOf = (path: string) => ALL.filter((one) => one.path === path).map(({ method }) => method.toUpperCase());
/** Standard methods, further methods that Node parses, and unknown methods. */
const STANDARD = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'];
const METHODS = [...STANDARD, 'QUERY', 'PROPFIND', 'M-SEARCH', 'BREW', 'GETS', 'get', 'post', '__proto__'];

describe.each(PATHS)('%s', (path) => {
  const allowed = methodsOf(path);

  test.each(METHODS.filter((method) => !allowed.includes(method)))('returns a 405 for %s', async (method) => {
    // the method is refused first, even with a bad token and a bad body
    const bad = ['Authorization: Bearer made-up', 'Content-Type: application/json', 'Content-Length: 1'];
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

  test('ignores headers that override the method', async () => {
    const override = [
      'X-HTTP-Method-Override: GET',
      'X-HTTP-Method: GET',
      'X-Method-Override: POST',
      'X-Original-URL: /',
    ];
    const method = ['DELETE', 'TRACE'].find((method) => !allowed.includes(method))!;
    const lines = [`Authorization: Bearer ${await newToken()}`, 'Content-Length: 0', ...override];
    expect((await answerTo(server.baseUrl, lastHead(method, pathOf(path), lines))).status).toBe(405);
  });
});
