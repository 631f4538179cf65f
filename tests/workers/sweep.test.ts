import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../server/domain/time.ts';
import { saveDecision, takeDecision } from '../../server/store/decisions.ts';
import { findEvent } from '../../server/store/events.ts';
import { findSession, insertSession } from '../../server/store/sessions.ts';
import { insertAccessToken, insertCode, MOST_ROWS_SWEPT_AT_ONCE } from '../../server/store/tokens.ts';
import { transaction } from '../../server/store/transaction.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { accessToken, code, insertEvent, webhookEvent } from '../store/samples.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { FERRY_BUILDING, tripBetween } from '../support/places.ts';
import { LIVE } from '../support/server.ts';
import { serverForEach } from '../support/started.ts';
import { ridingOf } from '../support/take-ride.ts';

describe.each(engines)('the sweep, on %s', (engine) => {
  const server = serverForEach(engine);

  /** Lets this many milliseconds pass, then sweeps. */
  async function sweepAfter(ms: number): Promise<void> {
    server.passTime(ms);
    await sweep(server.parts);
  }

  test('forgets a token a day after it expired, and not before', async () => {
    const token = await server.newToken({ world: LIVE, expiresInMs: HOUR_MS });
    const ask = async () => {
      const { response } = await server.client({ token }).listRideTypes({ params: { query: FERRY_BUILDING } });
      return response.headers.get('error');
    };
    await sweepAfter(HOUR_MS + DAY_MS);
    expect(await ask()).toBe('token_expired');
    await sweepAfter(1);
    expect(await ask()).toBe('invalid_token');
  });

  test('forgets a session when it has expired, and not before', async () => {
    const { store, parts } = server;
    const signedInAt = parts.now();
    const session = { tokenHash: 'session', passengerId: 'ada', signedInAt, expiresAt: signedInAt + DAY_MS };
    await insertSession(store.db, session);
    await sweepAfter(DAY_MS - 1);
    expect(await findSession(store.db, 'session')).toBeDefined();
    await sweepAfter(1);
    expect(await findSession(store.db, 'session')).toBeUndefined();
  });

  test('forgets a decision that nobody has come for in an hour, and not before', async () => {
    const { store, parts } = server;
    const decision = { sessionHash: 'session', scopes: ['public'], decidedAt: parts.now() };
    await saveDecision(store.db, { ...decision, requestHash: 'early' });
    server.passTime(1);
    await saveDecision(store.db, { ...decision, requestHash: 'late', decidedAt: parts.now() });
    await sweepAfter(HOUR_MS);
    expect(await takeDecision(store.db, 'session', 'early')).toBeUndefined();
    expect(await takeDecision(store.db, 'session', 'late')).toBeDefined();
  });

  test('forgets events after thirty days, however many, and not before', async () => {
    const { store, parts } = server;
    const occur = (...eventIds: string[]) =>
      store.transaction(async (tx) => {
        for (const eventId of eventIds) {
          await insertEvent(tx, webhookEvent({ eventId, createdAt: parts.now() }), LIVE, parts.now());
        }
      });
    await occur('old');
    await store.db.updateTable('deliveries').set({ status: 'delivered' }).execute();
    await sweepAfter(30 * DAY_MS);
    expect(await findEvent(store.db, 'old')).toBeDefined();
    await occur(...Array.from({ length: 600 }, (_, n) => `young ${n}`));
    await store.db.updateTable('deliveries').set({ status: 'given_up' }).execute();
    await sweepAfter(1);
    expect(await findEvent(store.db, 'old')).toBeUndefined();
    expect(await findEvent(store.db, 'young 599')).toBeDefined();
    await sweepAfter(30 * DAY_MS);
    expect(await store.db.selectFrom('events').select('eventId').execute()).toEqual([]);
  });

  test('deletes a bounded number of rows at once, and others are served in between', async () => {
    const { store, parts } = server;
    const old = { issuedAt: 0, expiresAt: 1 };
    const ROUNDS = 3;
    for (let n = 0; n < (ROUNDS - 1) * MOST_ROWS_SWEPT_AT_ONCE + 1; n++) {
      const name = `old ${n}`;
      await insertAccessToken(store.db, accessToken({ ...old, tokenHash: name, passengerId: null }));
      await insertCode(store.db, code({ ...old, codeHash: name }));
      await insertSession(store.db, { tokenHash: name, passengerId: 'ada', signedInAt: 0, expiresAt: 1 });
      await saveDecision(store.db, { sessionHash: name, requestHash: name, scopes: [], decidedAt: 0 });
    }
    const counts: number[] = [];
    const db = store.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        counts.push(Number(result.numAffectedRows ?? 0));
        return result;
      },
    });
    let turns = 0;
    const turn = () => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    await sweep({ ...parts, store: { ...store, db, transaction: (work) => transaction(db, work) } });
    clearImmediate(next);
    expect(Math.max(...counts)).toBe(MOST_ROWS_SWEPT_AT_ONCE);
    // tokens and codes share their rounds
    expect(turns).toBeGreaterThanOrEqual(3 * ROUNDS);
    for (const table of ['accessTokens', 'authorizationCodes', 'sessions', 'decisions'] as const) {
      expect(await store.db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  test('forgets no used price: in a frozen world it is refused even days later', async () => {
    const world = await server.newWorld();
    const rider = await server.newRider(world);
    const query = { ...tripBetween(), ride_type: 'svc' };
    const { data } = await rider.api.estimateCost({ params: { query } });
    const cost_token = data!.cost_estimates[0]!.cost_token!;
    const ask = async () => answerOf(await rider.api.requestRide({ body: { ...ACROSS_TOWN, cost_token } }));
    const { ride_id } = (await ask()).body as { ride_id: string };
    await rider.api.cancelRide({ params: ridingOf(rider, world, ride_id).params });
    await sweepAfter(2 * DAY_MS);
    expect(await ask()).toEqual(failure(400, 'invalid_primetime_confirmation'));
  });
});
