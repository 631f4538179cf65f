import { describe, expect, test, vi } from 'vitest';
import { NOBODY } from '../../server/domain/rides/anonymize.ts';
import { DAY_MS, HOUR_MS } from '../../server/domain/time.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { newLogger } from '../../server/log.ts';
import { noteConsent } from '../../server/store/consents.ts';
import { saveDecision, takeDecision } from '../../server/store/decisions.ts';
import { MOST_ROWS_SWEPT_AT_ONCE } from '../../server/store/delete-some.ts';
import { findDeveloperLink, saveDeveloperLink } from '../../server/store/developer-links.ts';
import { devicesOf, insertDevice } from '../../server/store/devices.ts';
import { findEvent } from '../../server/store/events.ts';
import { deleteOldRides, findRide, insertRide, MOST_RIDES_SWEPT_AT_ONCE } from '../../server/store/rides.ts';
import { findSession, insertSession, sessionsOf } from '../../server/store/sessions.ts';
import { OF_DEVELOPERS, OF_PASSENGERS } from '../../server/store/sign-in-tables.ts';
import { insertAccessToken, insertCode } from '../../server/store/tokens.ts';
import { transaction } from '../../server/store/transaction.ts';
import { startSweeper, sweep } from '../../server/workers/sweep.ts';
import { accessToken, code, insertEvent, ride, webhookEvent } from '../store/samples.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { FERRY_BUILDING, tripBetween } from '../support/places.ts';
import { LIVE } from '../support/server.ts';
import { serverForEach } from '../support/started.ts';
import { requestRideOf, ridingOf } from '../support/take-ride.ts';

const OVER = { status: 'canceled', canceledAt: 1, canceledBy: 'passenger' } as const;

describe.each(engines)('the sweep, on %s', (engine) => {
  const server = serverForEach(engine);

  /** Lets this many milliseconds pass, then sweeps. */
  async function sweepAfter(ms: number): Promise<void> {
    server.passTime(ms);
    await sweep(server.parts);
  }

  test('deletes a token a day after it expires, and not before', async () => {
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

  test('deletes any number of consents without tokens or codes in any world', async () => {
    const { store, parts } = server;
    const at = parts.now();
    const { passenger } = await server.newRider(await server.newWorld());
    const agree = (passengerId: string) => noteConsent(store.db, { passengerId, applicationId: 'demo', at });
    const long = { applicationId: 'demo', issuedAt: at, expiresAt: at + 9 * DAY_MS };
    const MANY = 2 * MOST_ROWS_SWEPT_AT_ONCE + 1;
    for (let n = 0; n < MANY; n++) await agree(`gone ${n}`);
    await agree(passenger.id);
    await agree('with code');
    await insertCode(store.db, code({ ...long, passengerId: 'with code' }));
    // another application's code
    await insertCode(store.db, code({ ...long, codeHash: 'other', applicationId: 'other', passengerId: 'gone 1' }));
    const left = async () => {
      const rows = await store.db.selectFrom('consents').select('passengerId').execute();
      return rows.map(({ passengerId }) => passengerId).sort();
    };
    await store.db.updateTable('accessTokens').set({ expiresAt: long.expiresAt }).execute();
    await sweepAfter(DAY_MS);
    expect(await left()).toHaveLength(MANY + 2);
    await sweepAfter(1);
    expect(await left()).toEqual([passenger.id, 'with code'].sort());
    await sweepAfter(9 * DAY_MS);
    expect(await left()).toEqual([]);
  });

  test.each([
    ['passengers', OF_PASSENGERS],
    ['developers', OF_DEVELOPERS],
  ])('deletes sessions and known browsers of %s when they expire, and not before', async (_, tables) => {
    const { store, parts } = server;
    const signedInAt = parts.now();
    const expiring = { tokenHash: 'expiring', accountId: 'ada', signedInAt, expiresAt: signedInAt + DAY_MS };
    const staying = { ...expiring, tokenHash: 'staying', expiresAt: signedInAt + DAY_MS + 1 };
    for (const each of [expiring, staying]) {
      await insertSession(store.db, tables, each);
      await insertDevice(store.db, tables, each);
    }
    const left = async () => {
      const sessions = await sessionsOf(store.db, tables, 'ada', { at: 0, limit: 9 });
      const devices = await devicesOf(store.db, tables, 'ada');
      return [sessions, devices].map((rows) => rows.map(({ tokenHash }) => tokenHash).sort());
    };
    await sweepAfter(DAY_MS - 1);
    expect(await left()).toEqual(Array(2).fill(['expiring', 'staying']));
    await sweepAfter(1);
    expect(await left()).toEqual(Array(2).fill(['staying']));
  });

  test('deletes any number of links of developers when they expire, and not before', async () => {
    const { db } = server.store;
    const expiresAt = server.parts.now() + DAY_MS;
    const link = { email: 'dev@example.com', developerId: null, expiresAt };
    for (let n = 0; n <= MOST_ROWS_SWEPT_AT_ONCE; n++)
      await saveDeveloperLink(db, { ...link, tokenHash: `${n}`, email: `${n}@example.com` });
    await saveDeveloperLink(db, { ...link, tokenHash: 'staying', expiresAt: expiresAt + 1 });
    await sweepAfter(DAY_MS - 1);
    expect(await findDeveloperLink(db, '0')).toBeDefined();
    await sweepAfter(1);
    expect(await db.selectFrom('developerLinks').select('tokenHash').execute()).toEqual([{ tokenHash: 'staying' }]);
  });

  test('deletes a decision that is not used for an hour, and not before', async () => {
    const { store, parts } = server;
    const decision = { sessionHash: 'session', scopes: ['public'], decidedAt: parts.now() };
    await saveDecision(store.db, { ...decision, requestHash: 'early' });
    server.passTime(1);
    await saveDecision(store.db, { ...decision, requestHash: 'late', decidedAt: parts.now() });
    await sweepAfter(HOUR_MS);
    expect(await takeDecision(store.db, 'session', 'early')).toBeUndefined();
    expect(await takeDecision(store.db, 'session', 'late')).toBeDefined();
  });

  test('deletes any number of events after thirty days, and not before', async () => {
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

  test('deletes a bounded number of rows at a time, and serves other requests in between', async () => {
    const { store, parts } = server;
    const old = { issuedAt: 0, expiresAt: 1 };
    const ROUNDS = 3;
    for (let n = 0; n < (ROUNDS - 1) * MOST_ROWS_SWEPT_AT_ONCE + 1; n++) {
      const name = `old ${n}`;
      await insertAccessToken(store.db, accessToken({ ...old, tokenHash: name, passengerId: null }));
      await insertCode(store.db, code({ ...old, codeHash: name }));
      await insertSession(store.db, OF_PASSENGERS, { tokenHash: name, accountId: 'ada', signedInAt: 0, expiresAt: 1 });
      await store.db
        .insertInto('devices')
        .values({ tokenHash: name, accountId: 'ada', signedInAt: 0, expiresAt: 1 })
        .execute();
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
    for (const table of ['accessTokens', 'authorizationCodes', 'sessions', 'devices', 'decisions'] as const) {
      expect(await store.db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  test('continues after a failure, and reports it', async () => {
    const { store, parts } = server;
    const [broken, whole] = ['broken', 'whole'].map((id) => ride({ id, passengerId: id, ...OVER }));
    for (const each of [broken!, whole!]) await insertRide(store.db, each);
    await store.db.updateTable('rides').set({ document: '{' }).where('id', '=', 'broken').execute();
    const leftAt = parts.now();
    const leave = (passengerId: string, worldId = LIVE.id) => ({ worldId, passengerId, leftAt });
    await store.db
      .insertInto('departures')
      .values([leave('broken'), leave('whole')])
      .execute();
    await insertSession(store.db, OF_PASSENGERS, {
      tokenHash: 'session',
      accountId: 'ada',
      signedInAt: 0,
      expiresAt: 1,
    });
    await expect(sweepAfter(HOUR_MS)).rejects.toThrow(AggregateError);
    const left = await store.db.selectFrom('departures').select('passengerId').execute();
    expect(left).toEqual([{ passengerId: 'broken' }]);
    expect(await findSession(store.db, OF_PASSENGERS, 'session')).toBeUndefined();
  });

  test('removes a passenger who left, without a charge for a ride in a closed area', async () => {
    const { store, parts } = server;
    const rides = [
      ride({ ...OVER, id: 'canceled', canceledAt: parts.now(), areaId: 'closed' }),
      ride({ id: 'unpaid', status: 'droppedOff', droppedOffAt: parts.now(), areaId: 'closed' }),
    ];
    for (const each of rides) await insertRide(store.db, each);
    await store.db.insertInto('departures').values({ worldId: LIVE.id, passengerId: 'ada', leftAt: 0 }).execute();
    await sweep(parts);
    expect(await store.db.selectFrom('departures').selectAll().execute()).toEqual([]);
    for (const { id } of rides) {
      expect(await findRide(store.db, LIVE.id, id)).toMatchObject({ passengerId: NOBODY, payment: null });
    }
  });

  test('logs every failure', async () => {
    const { store, parts } = server;
    const leavers = ['broken', 'broken too'];
    for (const id of leavers) await insertRide(store.db, ride({ id, passengerId: id, ...OVER }));
    await store.db.updateTable('rides').set({ document: '{' }).where('id', '=', 'broken').execute();
    await store.db.updateTable('rides').set({ document: '[oops' }).where('id', '=', 'broken too').execute();
    const leaving = leavers.map((passengerId) => ({ worldId: LIVE.id, passengerId, leftAt: 0 }));
    await store.db.insertInto('departures').values(leaving).execute();
    const lines: string[] = [];
    const logger = newLogger('error', { write: (line) => void lines.push(line) });
    startSweeper({ ...parts, logger }).stop();
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    const { err } = JSON.parse(lines[0]!);
    expect(err.errors[0].errors.map(({ type }: { type: string }) => type)).toEqual(['SyntaxError', 'SyntaxError']);
  });

  test('has the same result if several sweeps run at once', async () => {
    const { store, parts } = server;
    const MANY = 2 * MOST_ROWS_SWEPT_AT_ONCE + 1;
    const now = parts.now();
    const expired = { signedInAt: 0, expiresAt: 1 };
    const ended = { ...OVER, requestedAt: 0, canceledAt: 1, lastEventAt: 1 };
    await store.transaction(async (tx) => {
      for (let n = 0; n < MANY; n++) {
        const name = `old ${n}`;
        await insertAccessToken(tx, accessToken({ tokenHash: name, issuedAt: 0, expiresAt: 1, passengerId: null }));
        await insertSession(tx, OF_PASSENGERS, { tokenHash: name, accountId: 'ada', ...expired });
        await tx
          .insertInto('devices')
          .values({ tokenHash: name, accountId: 'ada', ...expired })
          .execute();
      }
      // the sweep deletes events both with their rides and on their own
      for (let n = 0; n < 3 * MOST_RIDES_SWEPT_AT_ONCE; n++) {
        const [rideId, passengerId] = [`old ${n}`, n % 2 === 0 ? 'ada' : 'leaving'];
        await insertRide(tx, ride({ ...ended, id: rideId, passengerId }));
        await insertEvent(tx, webhookEvent({ eventId: rideId, rideId, createdAt: 0 }), LIVE, now);
      }
      await insertRide(tx, ride({ ...OVER, id: 'young', canceledAt: now, requestedAt: now, lastEventAt: now }));
      await insertSession(tx, OF_PASSENGERS, {
        tokenHash: 'young',
        accountId: 'ada',
        signedInAt: now,
        expiresAt: now + DAY_MS,
      });
      await tx.insertInto('departures').values({ worldId: LIVE.id, passengerId: 'leaving', leftAt: 0 }).execute();
    });
    await store.db.updateTable('deliveries').set({ status: 'delivered' }).execute();
    await Promise.all([sweep(parts), sweep(parts), sweep(parts)]);
    const left = async (table: 'accessTokens' | 'devices' | 'departures' | 'events' | 'deliveries') =>
      store.db.selectFrom(table).selectAll().execute();
    for (const table of ['accessTokens', 'devices', 'departures', 'events', 'deliveries'] as const) {
      expect(await left(table), table).toEqual([]);
    }
    expect(await store.db.selectFrom('rides').select('id').execute()).toEqual([{ id: 'young' }]);
    expect(await findSession(store.db, OF_PASSENGERS, 'young')).toBeDefined();
  });

  /** A canceled ride, and a function that returns a client with a new token. */
  async function canceledRideIn(world: World) {
    const { passenger, api } = await server.newRider(world);
    const ride_id = await requestRideOf({ api });
    await api.cancelRide({ params: { path: { ride_id } } });
    const client = async () => server.client({ token: await server.newToken({ world, passenger }) });
    return { ride_id, client };
  }

  test('deletes a live ride and its receipt 1,095 days after its end, and not before', async () => {
    const old = await canceledRideIn(LIVE);
    server.passTime(HOUR_MS);
    const young = await canceledRideIn(LIVE);
    const seen = async ({ ride_id, client }: typeof old) => {
      const api = await client();
      const params = { path: { ride_id } };
      const { data } = await api.listRides({ params: { query: { start_time: '2020-01-01T00:00:00Z' } } });
      const [ride, receipt] = [answerOf(await api.getRide({ params })), answerOf(await api.getReceipt({ params }))];
      return { ride, receipt, listed: data!.ride_history.length };
    };
    const there = { ride: { status: 200 }, receipt: failure(404, 'receipt_not_available'), listed: 1 };
    const notFound = failure(404, 'ride_not_found');
    await sweepAfter(1095 * DAY_MS - HOUR_MS);
    expect(await seen(old)).toMatchObject(there);
    // canceled a millisecond after its request
    await sweepAfter(2);
    expect(await seen(old)).toEqual({ ride: notFound, receipt: notFound, listed: 0 });
    expect(await seen(young)).toMatchObject(there);
    await sweepAfter(HOUR_MS);
    expect(await seen(young)).toEqual({ ride: notFound, receipt: notFound, listed: 0 });
  });

  test('deletes old rides in every final status, in batches, but no active, recent or sandbox rides', async () => {
    const { store, parts } = server;
    const ended = parts.now() - 1095 * DAY_MS - 1;
    const long = { requestedAt: ended - HOUR_MS, lastEventAt: ended };
    const ways = [
      { status: 'droppedOff', droppedOffAt: ended },
      { status: 'canceled', canceledAt: ended },
      { status: 'unknown' },
    ] as const;
    const old = Array.from({ length: 2 * MOST_RIDES_SWEPT_AT_ONCE + 1 }, (_, n) =>
      ride({ ...long, ...ways[n % ways.length]!, id: `old ${n}` }),
    );
    const kept = [
      ride({ ...long, id: 'active', status: 'pickedUp', passengerId: 'bob' }),
      ride({ ...long, id: 'young', status: 'canceled', canceledAt: ended + 1 }),
      ride({ ...long, id: 'sandboxed', worldId: 'elsewhere', status: 'canceled', canceledAt: ended }),
    ];
    for (const each of [...old, ...kept]) await insertRide(store.db, each);
    const counts: number[] = [];
    for (;;) {
      const count = await deleteOldRides(store.db, parts.now() - 1095 * DAY_MS);
      counts.push(count);
      if (count === 0) break;
    }
    expect(counts).toEqual([MOST_RIDES_SWEPT_AT_ONCE, MOST_RIDES_SWEPT_AT_ONCE, 1, 0]);
    const left = await store.db.selectFrom('rides').select('id').orderBy('id').execute();
    expect(left.map(({ id }) => id)).toEqual(['active', 'sandboxed', 'young']);
  });

  test('keeps used prices: in a frozen world, a used price is refused even days later', async () => {
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
