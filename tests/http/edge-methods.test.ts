import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { failure } from '../support/answers.ts';
import { pathOf } from '../support/operations.ts';
import { answersTo } from '../support/raw-socket.ts';
import { testServer } from '../support/started.ts';
import { expectGuarded } from './support/guarded.ts';

const server = testServer('sqlite');

const ALL = Object.values(OPERATIONS);
const PATHS = [...new Set(ALL.map(({ path }) => path))];
const methodsOf = (path: string) => ALL.filter((one) => one.path === path).map(({ method }) => method.toUpperCase());
/** Standard methods, further methods that Node parses, and unknown methods. */
const STANDARD = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'];
const METHODS = [...STANDARD, 'QUERY', 'PROPFIND', 'M-SEARCH', 'BREW', 'GETS', 'get', 'post', '__proto__'];

/** The last request on a connection, with this method. */
function request(path: string, method: string, headers: string): string {
  return `${method} ${pathOf(path)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`;
}

describe.each(PATHS)('%s', (path) => {
  const allowed = methodsOf(path);

  test.each(METHODS.filter((method) => !allowed.includes(method)))('returns a 405 for %s', async (method) => {
    // the method is refused first, even with a bad token and a bad body
    const bad = 'Authorization: Bearer made-up\r\nContent-Type: application/json\r\nContent-Length: 1\r\n';
    const [answer, ...more] = await answersTo(server.baseUrl, `${request(path, method, bad)}{`);
    expect(more).toEqual([]);
    const refusal = failure(405, 'method_not_allowed');
    expect(answer!.status).toBe(refusal.status);
    if (method === 'HEAD') expect(answer!.body).toBe('');
    else expect(JSON.parse(answer!.body)).toEqual(refusal.body);
    expect(answer!.headers.get('allow')).toBe(allowed.join(', '));
    expect(answer!.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expectGuarded(answer!);
    // the refusal comes before rate limiting and authentication
    expect(answer!.headers.get('x-ratelimit-limit')).toBeNull();
    expect(answer!.headers.get('www-authenticate')).toBeNull();
  });

  test('ignores headers that override the method', async () => {
    const override =
      'X-HTTP-Method-Override: GET\r\nX-HTTP-Method: GET\r\nX-Method-Override: POST\r\nX-Original-URL: /\r\n';
    const method = ['DELETE', 'TRACE'].find((method) => !allowed.includes(method))!;
    const { token } = await server.newRider(await server.newWorld());
    const sound = `Authorization: Bearer ${token}\r\nContent-Length: 0\r\n${override}`;
    const answers = await answersTo(server.baseUrl, request(path, method, sound));
    expect(answers.map(({ status }) => status)).toEqual([405]);
  });
});
