import { describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { failure } from '../support/answers.ts';
import { changingNothing, expectStored } from '../support/changing-nothing.ts';
import { engines } from '../support/database.ts';
import { tablesIn } from '../support/everything-stored.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { fragileServer } from '../support/started.ts';

/** No call makes this many queries. */
const MOST_QUERIES = 60;
const TRACE = /select|primary|TypeError|ECONN/;
const CAUSE = 'select * from rides at primary.example';
const GONE = Object.assign(new Error(CAUSE), { code: 'ECONNREFUSED' });
const FAULT = failure(500, 'internal_error');
const AWAY = failure(503, 'temporarily_unavailable');

describe.each(engines)('on %s', (engine) => {
  const server = fragileServer(engine, { rateLimitMultiplier: 100 });

  const send = async (operation: OperationId, call: RawCall) => {
    const response = await rawCall(server.baseUrl, operation, call);
    const text = await response.text();
    return { headers: response.headers, text, status: response.status };
  };

  describe.each(OPERATION_IDS)('%s', (operation) => {
    test.each([
      ['a server error', FAULT, null, (k: number) => server.faults.failOnce(k, new TypeError(CAUSE))],
      ['a database that goes away', AWAY, '5', (k: number) => server.faults.failFrom(k, GONE)],
    ])('%s at any query changes nothing, reveals nothing, and can be retried', async (...fault) => {
      const [, answer, retryAfter, breakAt] = fault;
      const call = await acceptedCall(operation, server);
      const before = await tablesIn(server.store);
      const failsAt = async (k: number) => {
        breakAt(k);
        const { status, headers, text } = await send(operation, call);
        if (!server.faults.mend()) {
          expect(status).toBe(call.status ?? OPERATIONS[operation].successStatus);
          return false;
        }
        expect({ status, body: JSON.parse(text) }, `query ${k}`).toEqual(answer);
        expect(text + JSON.stringify([...headers]), `query ${k}`).not.toMatch(TRACE);
        expect(headers.get('retry-after')).toBe(retryAfter);
        await expectStored(server.store, before, `query ${k}`);
        return true;
      };
      let queries = 0;
      while (queries < MOST_QUERIES && (await failsAt(queries + 1))) queries += 1;
      // at least the query for the caller
      expect(queries).toBeGreaterThanOrEqual(1);
      expect(queries).toBeLessThan(MOST_QUERIES);
    });
  });

  test.each(['updateDestination', 'rateRide', 'cancelRide'] as const)(
    '%s that loses every race is a 503, and changes nothing',
    async (operation) => {
      const call = await acceptedCall(operation, server);
      server.faults.outrunUpdatesOf('rides');
      const { status, headers, text } = await changingNothing(server, () => send(operation, call));
      server.faults.mend();
      expect({ status, body: JSON.parse(text) }).toEqual(AWAY);
      expect(headers.get('retry-after')).toBe('5');
      expect((await send(operation, call)).status).toBe(OPERATIONS[operation].successStatus);
    },
  );

  test('a race that is lost once, at any query, does not affect the response', async () => {
    const victim = Object.assign(new Error(CAUSE), { code: '40P01' });
    let hasFailed = true;
    // the first query reads the token, before the transaction
    for (let k = 2; hasFailed; k++) {
      const call = await acceptedCall('requestRide', server);
      server.faults.failOnce(k, victim);
      const { status } = await send('requestRide', call);
      hasFailed = server.faults.mend();
      expect(status, `query ${k}`).toBe(201);
    }
  });
});
