import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { openStage } from '../contract/support/refusals-stage.ts';
import type { AcceptedCall } from '../support/accepted-calls.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { basic } from '../support/demo-caller.ts';
import { newApplication } from '../support/oauth.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { CALL_IDS, type CallId, firstSchemeOf } from '../support/operations.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { forAll, testServer } from '../support/started.ts';

/** Wrong client credentials count per network across all operations, so each call comes from its own /24. */
let networks = 0;

const stage = forAll(() => openStage('sqlite'));
const generous = testServer('sqlite', { rateLimitMultiplier: 1000 });

const takesBody = (id: CallId) => OPERATIONS[id].requestMediaTypes.length > 0;
const isForClients = (id: CallId) => firstSchemeOf(id).scheme === 'clientBasic';
const malformed = (id: CallId): RawCall => (takesBody(id) ? { body: '{' } : { query: 'surprise=1' });
const NOT_JSON = { body: 'x', headers: { 'Content-Type': 'text/plain' } };
const TOO_LARGE = { body: ' '.repeat(70_000) };

describe.each(CALL_IDS)('%s checks a request in order', (operation) => {
  const wrong: RawCall[] = [malformed(operation), ...(takesBody(operation) ? [TOO_LARGE, NOT_JSON] : [])];

  /** Sends a call to the server that allows one call a minute for each caller. */
  const send = (call: RawCall) => rawCall(stage.strict.baseUrl, operation, call);

  /** A valid call from a new caller. */
  async function newCall(): Promise<AcceptedCall> {
    const call = await acceptedCall(operation, stage.server);
    if (!isForClients(operation)) return call;
    return { ...call, headers: await newApplication(stage.server, crypto.randomUUID()) };
  }

  /** The changes that give a call wrong credentials, or a token of the same caller without the scope. */
  async function badCallers({ world, passenger }: AcceptedCall): Promise<RawCall[]> {
    if (isForClients(operation)) return [{ headers: basic('demo', 'wrong') }];
    const poor = await stage.server.newToken({ world, ...(passenger && { passenger }), scopes: ['offline'] });
    return [{ token: 'made-up' }, { token: poor }];
  }

  test('a 401 comes before all other errors and does not count, and a 429 comes before errors about the request itself', async () => {
    const call = await newCall();
    const callers = await badCallers(call);
    const sendBad = async (change: RawCall) => {
      for (const bad of callers) {
        const from = { 'X-Forwarded-For': `198.51.${networks++}.1` };
        const headers = { ...change.headers, ...bad.headers, ...from };
        const response = await send({ ...call, ...change, ...bad, headers });
        expect(response.status).toBe(401);
      }
    };
    for (const change of wrong) await sendBad(change);
    expect((await send({ ...call, ...malformed(operation) })).status).toBe(400);
    await sendBad({});
    // the limit is one call
    for (const change of [...wrong, {}]) {
      const response = await send({ ...call, ...change, headers: { ...change.headers, ...call.headers } });
      expect(await rawAnswerOf(response)).toEqual(failure(429, 'rate_limit_exceeded'));
    }
  });

  if (takesBody(operation)) {
    test('a body that is too large comes before an invalid query, and an invalid body comes before an unknown ride', async () => {
      const call = await acceptedCall(operation, generous);
      const statusOf = async (change: RawCall) =>
        (await rawCall(generous.baseUrl, operation, { ...call, ...change })).status;
      expect(await statusOf({ query: 'surprise=1', ...TOO_LARGE })).toBe(413);
      expect(await statusOf({ ...malformed(operation), path: { ...call.path, ride_id: 'no-such-ride' } })).toBe(400);
    });
  }
});
