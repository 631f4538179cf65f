import { describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId, READABLE_HEADERS } from '../../generated/server.ts';
import { crossOrigin } from '../../server/http/cross-origin.ts';
import { OPERATION_IDS, pathOf } from '../support/operations.ts';
import { rawCall } from '../support/raw-call.ts';
import { testServer } from '../support/started.ts';

const PAGE = 'https://app.example.com';
const named = testServer('sqlite', { corsOrigins: [PAGE, 'http://localhost:3000'] });

const allowedTo = (response: Response) => response.headers.get('Access-Control-Allow-Origin');

/** The preflight request that a browser sends before a cross-origin call. */
function preflight(baseUrl: string, operation: OperationId, origin: string) {
  const { method, path } = OPERATIONS[operation];
  const headers = {
    Origin: origin,
    'Access-Control-Request-Method': method.toUpperCase(),
    'Access-Control-Request-Headers': 'authorization,content-type',
  };
  return fetch(baseUrl + pathOf(path), { method: 'OPTIONS', headers });
}

describe.each(OPERATION_IDS)('%s', (operation) => {
  test('can be called by a page of an allowed origin', async () => {
    const before = await preflight(named.baseUrl, operation, PAGE);
    expect([before.status, allowedTo(before)]).toEqual([204, PAGE]);
    expect(before.headers.get('Access-Control-Allow-Headers')).toBe('authorization,content-type');
    expect(before.headers.get('Access-Control-Allow-Methods')).toContain(OPERATIONS[operation].method.toUpperCase());
    const failed = await rawCall(named.baseUrl, operation, { headers: { Origin: PAGE } });
    expect(failed.status).toBeGreaterThanOrEqual(400);
    expect(allowedTo(failed)).toBe(PAGE);
    expect(failed.headers.get('Access-Control-Expose-Headers')).toBe(READABLE_HEADERS.join(','));
    expect(failed.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    expect(failed.headers.get('Vary')).toContain('Origin');
  });

  test('cannot be called by a page of another origin', async () => {
    for (const origin of ['https://evil.example.com', `${PAGE}.evil.example`, 'http://localhost:3001', 'null']) {
      const before = await preflight(named.baseUrl, operation, origin);
      expect([before.status, allowedTo(before)]).toEqual([405, null]);
      expect(allowedTo(await rawCall(named.baseUrl, operation, { headers: { Origin: origin } }))).toBeNull();
    }
  });
});

test('a page can read the headers for limits, retries, failures and the request ID', () => {
  const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After'];
  const failures = ['error', 'WWW-Authenticate', 'X-Request-Id', 'Deprecation', 'Link', 'Location'];
  expect([...READABLE_HEADERS].sort()).toEqual(expect.arrayContaining([...limits, ...failures].sort()));
  expect(READABLE_HEADERS).not.toContain('Set-Cookie');
});

test.each([
  ['localhost', 'http://localhost:5173', true],
  ['localhost', 'https://localhost', true],
  ['localhost', 'http://127.0.0.1:8000', true],
  ['localhost', 'http://[::1]:8000', true],
  ['localhost', 'http://app.localhost:8000', true],
  ['localhost', 'http://localhost.example.com', false],
  ['localhost', 'http://notlocalhost', false],
  ['localhost', 'http://127.0.0.1.example.com', false],
  ['localhost', 'http://192.168.0.2', false],
  ['localhost', 'null', false],
  ['*', PAGE, true],
  ['*', 'null', true],
  [PAGE, PAGE, true],
  [PAGE, 'http://app.example.com', false],
  [PAGE, `${PAGE}:8443`, false],
])('origins of %s include %s: %s', (allowed, origin, isIncluded) => {
  const sent = new Map<string, string>();
  const res = { setHeader: (name: string, value: string) => sent.set(name, value), getHeader: () => undefined };
  crossOrigin([allowed], () => true)({ method: 'GET', headers: { origin } } as never, res as never, () => {});
  expect(sent.get('Access-Control-Allow-Origin')).toBe(isIncluded ? origin : undefined);
});
