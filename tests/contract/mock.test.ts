import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { OperationId } from '../../generated/server.ts';
import { EXAMPLE_URL, OPERATIONS } from '../../generated/server.ts';
import { writeMockContract } from '../../scripts/support/mock-contract.ts';
import { OPERATION_FACTS } from '../support/operation-facts.ts';
import { startMock } from '../support/prism.ts';
import { rawCall } from '../support/raw-call.ts';
import { soundCallOf } from '../support/sound-calls.ts';
import { forAll } from '../support/started.ts';
import { type PromisedAnswer, promisedAnswers } from './support/promised-answers.ts';

const mock = forAll(startMock);

test.each(promisedAnswers())('the mock returns $operationId $status $example', async (promised) => {
  const response = await ask(promised);
  expect(response.status).toBe(promised.status);
  expect(headersIn(response)).toEqual(headersOf(promised));
  const text = await response.text();
  const isJson = promised.mediaType === 'application/json';
  expect(isJson ? JSON.parse(text) : text).toEqual(promised.body ?? '');
});

const asked = (target: string, prefer = '') =>
  fetch(`${mock.baseUrl}${target}`, { headers: { Authorization: 'Bearer any', Prefer: prefer } });

test.each(['invalid_token', 'insufficient_scope', 'token_expired'])('a 401 %s has its own headers', async (code) => {
  const response = await asked(OPERATIONS.getProfile.path, `code=401, example=${code}`);
  const [error, challenge] = ['error', 'www-authenticate'].map((name) => response.headers.get(name));
  expect([response.status, error]).toEqual([401, code]);
  const body = await response.text();
  expect(body === '' ? 'token_expired' : JSON.parse(body).error).toBe(code);
  expect(challenge).toBe(`Bearer realm="ridehail", error="${code === 'token_expired' ? 'invalid_token' : code}"`);
});

test.each(['2026-05-01T00:00:00+00:00', '2026-05-01T00:00%2B00', '20260501T000000Z'])(
  'the mock accepts %s',
  async (at) => {
    expect((await asked(`${OPERATIONS.listRides.path}?start_time=${at}`)).status).toBe(200);
  },
);

test.each(['?lat=37.7955', '?lat=91&lng=0'])('the mock does not guess what is wrong with %s', async (query) => {
  const response = await asked(OPERATIONS.listRideTypes.path + query);
  expect(await response.json()).toMatchObject({ error: 'bad_parameter', error_detail: [] });
  expect(response.headers.get('sl-violations')).toMatch(query.includes('lng') ? /lat must be <= 90/ : /'lng'/);
});

test('links in the examples of the mock lead to the server that it is told', () => {
  const { file, remove } = writeMockContract('http://localhost:8391');
  const text = readFileSync(file, 'utf8');
  remove();
  expect(text).toContain('"documentation_url":"http://localhost:8391/docs#tag/Errors/rate_limit_exceeded"');
  expect(text).not.toContain(EXAMPLE_URL);
});

const TOLD = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'Deprecation', 'Link'];

function headersIn({ headers }: Response) {
  return Object.fromEntries(TOLD.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)]] : [])));
}

/** Headers of the first response in a window. The call uses nothing deprecated. */
function headersOf({ operationId, status }: PromisedAnswer): Record<string, string> {
  const { limit } = OPERATION_FACTS[operationId as OperationId];
  if (status === 401) return {};
  return { 'X-RateLimit-Limit': `${limit}`, 'X-RateLimit-Remaining': `${status === 429 ? 0 : limit - 1}` };
}

function ask({ operationId, located, status, mediaType, example }: PromisedAnswer): Promise<Response> {
  const { path, query, body } = soundCallOf(operationId as OperationId);
  const scheme = located.operation.security?.some((one) => 'clientBasic' in one) ? 'Basic' : 'Bearer';
  const headers = {
    Authorization: `${scheme} ${btoa('any:any')}`,
    Prefer: example === null ? `code=${status}` : `code=${status}, example=${example}`,
    ...(mediaType !== null && { Accept: mediaType }),
  };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const call = { path, query: new URLSearchParams(query).toString(), headers, ...sent };
  return rawCall(mock.baseUrl, operationId as OperationId, call);
}
