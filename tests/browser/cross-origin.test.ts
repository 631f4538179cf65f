import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { runsBrowserTests } from '../support/browser.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { startMock } from '../support/prism.ts';
import { forAll, testReceiver, testServer } from '../support/started.ts';
import { sharedBrowser } from './support/visitor.ts';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

const { lat, lng } = FERRY_BUILDING;
const to = (operation: keyof typeof OPERATIONS, query = ''): Call => ({
  method: OPERATIONS[operation].method.toUpperCase(),
  path: `${OPERATIONS[operation].path}${query}`,
});
const CALLS: Readonly<Record<string, Call>> = {
  'a list': to('listRideTypes', `?lat=${lat}&lng=${lng}`),
  'a refused list': to('listRideTypes', `?lat=91&lng=${lng}`),
  'a ride': { ...to('requestRide'), body: ACROSS_TOWN },
};
const HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id'];

describe.skipIf(!runsBrowserTests)('in a browser', () => {
  const server = testServer('sqlite');
  const mock = forAll(startMock);
  const site = testReceiver();
  beforeAll(() => site.answerWith(() => ({ status: 200, headers: { 'Content-Type': 'text/html' }, body: 'App' })));

  /** Returns what a page of another origin can see in the responses to its calls. */
  async function seenFrom(baseUrl: string, token: string) {
    const page = await (await sharedBrowser()).newPage();
    await page.goto(site.url);
    const seen = await page.evaluate(
      async ({ calls, names, baseUrl, token }) => {
        const found: Record<string, unknown> = {};
        for (const [what, { method, path, body }] of Object.entries(calls)) {
          const headers = { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) };
          const response = await fetch(baseUrl + path, { method, headers, body: body ? JSON.stringify(body) : null });
          const json = (await response.json()) as { error?: string };
          const readable = names.filter((name) => response.headers.has(name));
          const limit = response.headers.get('X-RateLimit-Limit');
          const { status } = response;
          found[what] = { status, fields: Object.keys(json).sort(), code: json.error, readable, limit };
        }
        return found;
      },
      { calls: CALLS, names: HEADERS, baseUrl, token },
    );
    await page.close();
    return seen;
  }

  test('the server and the mock respond to a page of another origin', async () => {
    const { token } = await server.newRider(await server.newWorld());
    const seen = await seenFrom(server.baseUrl, token);
    expect(seen).toEqual(await seenFrom(mock.baseUrl, token));
    expect(seen).toEqual({
      'a list': { status: 200, fields: ['ride_types'], readable: HEADERS, limit: '10000' },
      'a refused list': {
        status: 400,
        fields: ['documentation_url', 'error', 'error_description', 'error_detail'],
        code: 'bad_parameter',
        readable: HEADERS,
        limit: '10000',
      },
      'a ride': { status: 201, fields: expect.arrayContaining(['ride_id', 'status']), readable: HEADERS, limit: '5' },
    });
  });
});
