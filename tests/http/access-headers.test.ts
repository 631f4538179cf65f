import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { brokenPromises } from '../../scripts/fuzz/promises.ts';
import { openStage, type Stage } from '../contract/support/refusals-stage.ts';
import { pairOfEachAnswer, refused } from '../contract/support/refused-calls.ts';
import { ACCEPTED } from '../support/accepted-calls.ts';
import { failure } from '../support/answers.ts';
import { basic } from '../support/demo-caller.ts';
import { newApplication } from '../support/oauth.ts';
import { CALL_IDS, type CallId, firstSchemeOf } from '../support/operations.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let stage: Stage;
let generous: TestServer;
beforeAll(async () => {
  stage = await openStage('sqlite');
  generous = await startTestServer('sqlite', { rateLimitMultiplier: 1000 });
});
afterAll(async () => {
  await generous.close();
  await stage.close();
});

describe('an answer has the headers that the contract gives it, no others, and the body:', () => {
  async function expectPromised(operation: OperationId, response: Response): Promise<void> {
    const { method } = OPERATIONS[operation];
    const headers = Object.fromEntries(response.headers);
    const answer = { status: response.status, headers, text: await response.text() };
    expect(brokenPromises(operation, { method: method.toUpperCase(), target: '', headers: {} }, answer)).toEqual([]);
    // RFC 6749, section 5.1
    if (OPERATIONS[operation].tag === 'Tokens') expect(headers['cache-control']).toBe('no-store');
  }

  test.each(CALL_IDS)('%s, accepted', async (operation) => {
    const response = await rawCall(generous.baseUrl, operation, await ACCEPTED[operation](generous));
    expect(response.status).toBe(OPERATIONS[operation].successStatus);
    await expectPromised(operation, response);
  });

  test.each(pairOfEachAnswer())('$operation, $status', async (pair) => {
    const response = await refused(stage, pair, (baseUrl, call) => rawCall(baseUrl, pair.operation, call));
    expect(response.status).toBe(pair.status);
    await expectPromised(pair.operation, response);
  });
});

const takesBody = (id: CallId) => OPERATIONS[id].requestMediaTypes.length > 0;
const isForClients = (id: CallId) => firstSchemeOf(id).scheme === 'clientBasic';
const malformed = (id: CallId): RawCall => (takesBody(id) ? { body: '{' } : { query: 'surprise=1' });
const NOT_JSON = { body: 'x', headers: { 'Content-Type': 'text/plain' } };
const TOO_LARGE = { body: ' '.repeat(70_000) };

describe.each(CALL_IDS)('refusals of %s come in their order:', (operation) => {
  const wrong: RawCall[] = [malformed(operation), ...(takesBody(operation) ? [TOO_LARGE, NOT_JSON] : [])];

  /** Sends a call to where each caller may call once in a minute. */
  const send = (call: RawCall) => rawCall(stage.strict.baseUrl, operation, call);

  /** A sound call of somebody who has not called yet. */
  async function newCall(): Promise<RawCall> {
    const call = await ACCEPTED[operation](stage.server);
    if (!isForClients(operation)) return call;
    return { ...call, headers: await newApplication(stage.server, crypto.randomUUID()) };
  }

  test('401 before 429 and all else, and it does not count', async () => {
    const call = await newCall();
    const bad = isForClients(operation) ? { headers: basic('demo', 'wrong') } : { token: 'made-up' };
    const sendBad = async (change: RawCall) =>
      expect((await send({ ...call, ...change, ...bad, headers: { ...change.headers, ...bad.headers } })).status).toBe(
        401,
      );
    for (const change of wrong) await sendBad(change);
    expect((await send({ ...call, ...malformed(operation) })).status).toBe(400);
    expect((await send({ ...call, ...malformed(operation) })).status).toBe(429);
    await sendBad({});
  });

  test('429 before everything about the call itself', async () => {
    const call = await newCall();
    await send({ ...call, ...malformed(operation) });
    for (const change of [...wrong, {}]) {
      const response = await send({ ...call, ...change, headers: { ...change.headers, ...call.headers } });
      expect({ status: response.status, body: await response.json() }).toEqual(failure(429, 'rate_limit_exceeded'));
    }
  });

  if (takesBody(operation)) {
    test('a body that is too large before a query that is wrong, and a wrong body before an unknown ride', async () => {
      const call = await ACCEPTED[operation](generous);
      const statusOf = async (change: RawCall) =>
        (await rawCall(generous.baseUrl, operation, { ...call, ...change })).status;
      expect(await statusOf({ query: 'surprise=1', ...TOO_LARGE })).toBe(413);
      expect(await statusOf({ ...malformed(operation), path: { ...call.path, ride_id: 'no-such-ride' } })).toBe(400);
    });
  }
});
