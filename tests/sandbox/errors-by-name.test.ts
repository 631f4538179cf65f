import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { contract } from '../../scripts/contract/read.ts';
import type { Confirmation } from '../../server/http/caller.ts';
import { promisedAnswers } from '../contract/support/promised-answers.ts';
import { PAIRS, type Pair } from '../contract/support/refused-calls.ts';
import { liveCall } from '../contract/support/shared-recipes.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { LIVE_CLIENT, SANDBOX_CLIENT } from '../support/oauth.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { CALL_IDS, type CallId, OPERATION_IDS } from '../support/operations.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { testServer } from '../support/started.ts';

const HEADER = 'Svc-Sandbox-Scenario';
const PUBLIC_URL = 'https://rides.example';

/** These responses contain a usable token, so each is different: confirmations.test.ts checks them. */
const CONFIRMATIONS: readonly string[] = [
  'primetime_confirmation_required',
  'cancel_confirmation_required',
] satisfies readonly Confirmation[];

const PROMISED = promisedAnswers().filter(({ mediaType }) => mediaType === 'application/json');

/** The contract's example of a failure, with this server's address. */
function exampleOf({ operation, code, status }: Pair): unknown {
  const shown = PROMISED.filter((answer) => answer.operationId === operation && answer.status === status)
    .map(({ body }) => body as { readonly error: string })
    .find(({ error }) => error === code);
  return shown && JSON.parse(JSON.stringify(shown).replaceAll('http://localhost:8080', PUBLIC_URL));
}

/** The headers that every such response has. Headers of deprecated fields come only with those fields. */
function headersOf({ operation, status }: Pair): string[] {
  const { method, path } = OPERATIONS[operation];
  const { headers = {} } = contract.paths![path]![method]!.responses[status]!;
  return Object.keys(headers).filter((name) => name !== 'Deprecation' && name !== 'Link');
}

/** A valid call with credentials of a sandbox. */
async function callInSandbox(server: TestServer, operation: OperationId): Promise<RawCall> {
  const { world, passenger, ...call } = await acceptedCall(operation, server);
  return OPERATIONS[operation].tag === 'Tokens' ? { ...call, headers: SANDBOX_CLIENT } : call;
}

const asking = (call: RawCall, code: string): RawCall => ({ ...call, headers: { ...call.headers, [HEADER]: code } });

const server = testServer('sqlite', { publicUrl: PUBLIC_URL, rateLimitMultiplier: 1000 });

const send = (operation: OperationId, call: RawCall) => rawCall(server.baseUrl, operation, call);

describe.each(OPERATION_IDS)('%s', (operation) => {
  let accepted: RawCall;
  beforeAll(async () => {
    // one call for all tests, because the server never carries it out
    accepted = await callInSandbox(server, operation);
  });

  test('returns each of its codes, refuses any other and lists its own, and changes nothing', async () => {
    const { failures } = OPERATIONS[operation];
    const others = PAIRS.map(({ code }) => code).filter((code) => !(code in failures));
    const detail = [{ [HEADER]: `must be one of none, ${Object.keys(failures).join(', ')}` }];
    const malformed = 'invalid_request' in failures ? 'invalid_request' : 'bad_parameter';
    await changingNothing(server, async () => {
      for (const pair of PAIRS.filter((each) => each.operation === operation && !CONFIRMATIONS.includes(each.code))) {
        const response = await send(operation, asking(accepted, pair.code));
        expect(await rawAnswerOf(response), pair.code).toEqual({ status: pair.status, body: exampleOf(pair) });
        for (const name of headersOf(pair)) expect(response.headers.get(name), `${pair.code} ${name}`).not.toBeNull();
        // a 401 comes before the limit
        expect(response.headers.has('X-RateLimit-Remaining'), pair.code).toBe(pair.status !== 401);
      }
      for (const code of [others[0]!, others.at(-1)!, 'constructor', '', 'x'.repeat(65)]) {
        const response = await send(operation, asking(accepted, code));
        expect(await rawAnswerOf(response), code).toEqual(failure(400, malformed, detail));
      }
    });
  });
});

test.each(OPERATION_IDS)('%s works as usual with `none`, the first example of the header', async (operation) => {
  expect(Object.values(contract.components!.parameters!.scenario!.examples!)[0]!.value).toBe('none');
  const response = await send(operation, asking(await callInSandbox(server, operation), 'none'));
  expect(response.status).toBe(OPERATIONS[operation].successStatus);
});

test.each(CALL_IDS)('%s ignores the header in the live world', async (operation) => {
  const call = await callInLive(server, operation);
  const answer = async (sent: RawCall) => rawAnswerOf(await send(operation, sent));
  // OAuth endpoints refuse a bad body and the others an unknown parameter, so the call can be repeated
  const refused = OPERATIONS[operation].tag === 'Tokens' ? { ...call, body: '{}' } : { ...call, query: 'surprise=1' };
  const plain = await answer(refused);
  for (const code of ['internal_error', 'token_expired', 'made-up', 'x'.repeat(65)]) {
    expect(await answer(asking(refused, code)), code).toEqual(plain);
  }
});

test('a browser gets a page', async () => {
  const { headers, ...call } = await callInSandbox(server, 'authorizeApplication');
  for (const [code, title] of [
    ['invalid_request', 'This link doesn’t work'],
    ['rate_limit_exceeded', 'Too many attempts'],
    ['internal_error', 'Something went wrong'],
    ['temporarily_unavailable', 'Temporarily unavailable'],
  ] as const) {
    const response = await send('authorizeApplication', asking({ ...call, headers: { Accept: 'text/html' } }, code));
    expect(response.status).toBe(OPERATIONS.authorizeApplication.failures[code]);
    const page = await response.text();
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(page).toContain(response.headers.get('x-request-id'));
    const seconds = response.headers.get('retry-after');
    expect(page.includes(`Try again in ${seconds} seconds`)).toBe(code === 'rate_limit_exceeded');
    expect(response.headers.get('vary')).toBe('Origin, Accept');
  }
});

test('requested errors count against the limit, except for errors of the token', async () => {
  const limited = await startTestServer('sqlite');
  const { token } = await limited.newRider(await limited.newWorld());
  const call = { token, path: { ride_id: 'ride-1' }, body: '{' };
  const statuses: number[] = [];
  for (const code of ['token_expired', 'invalid_token', ...Array<string>(6).fill('ride_not_found')]) {
    statuses.push((await rawCall(limited.baseUrl, 'rateRide', asking(call, code))).status);
  }
  await limited.close();
  expect(statuses).toEqual([401, 401, 404, 404, 404, 404, 404, 429]);
});

test('an invalid token is refused before the requested error', async () => {
  const response = await send('getProfile', asking({ token: 'made-up' }, 'token_expired'));
  expect(response.headers.get('error')).toBe('invalid_token');
});

/** A valid call with credentials of the live world. */
async function callInLive(server: TestServer, operation: CallId): Promise<RawCall> {
  const call = await liveCall(operation, server);
  return OPERATIONS[operation].tag === 'Tokens' ? { ...call, headers: LIVE_CLIENT } : call;
}
