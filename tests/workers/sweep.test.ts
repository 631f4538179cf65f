import { describe, expect, test } from 'vitest';
import { NOBODY } from '../../server/domain/rides/anonymize.ts';
import { DAY_MS, HOUR_MS } from '../../server/domain/time.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { newLogger } from '../../server/log.ts';
import { noteConsent } from '../../server/store/consents.ts';
import { saveDecision } from '../../server/store/decisions.ts';
import { MOST_ROWS_SWEPT_AT_ONCE } from '../../server/store/delete-some.ts';
import { saveDeveloperLink } from '../../server/store/developer-links.ts';
import { insertDevice } from '../../server/store/devices.ts';
import { MOST_EVENTS_SWEPT_AT_ONCE } from '../../server/store/events.ts';
import { insertPassengerIfAbsent } from '../../server/store/passengers.ts';
import { deleteOldRides, findRide, insertRide, MOST_RIDES_SWEPT_AT_ONCE } from '../../server/store/rides.ts';
import type { Database } from '../../server/store/schema.ts';
import { findSession, insertSession } from '../../server/store/sessions.ts';
import { OF_DEVELOPERS, OF_PASSENGERS } from '../../server/store/sign-in-tables.ts';
import { insertAccessToken, insertCode, insertRefreshToken } from '../../server/store/tokens.ts';
import { startSweeper, sweep } from '../../server/workers/sweep.ts';
import { accessToken, code, insertEvent, passenger, refreshToken, ride, webhookEvent } from '../store/samples.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { tripBetween } from '../support/places.ts';
import { LIVE } from '../support/server.ts';
import { serverForEach } from '../support/started.ts';
import { stepping } from '../support/steps-of.ts';
import { requestRideOf, ridingOf } from '../support/take-ride.ts';
import { until } from '../support/until.ts';

const OVER = { status: 'canceled', canceledAt: 1, canceledBy: 'passenger' } as const;

/** More than one transaction deletes. */
const MANY = MOST_ROWS_SWEPT_AT_ONCE + 1;

type Tx = Parameters<typeof saveDecision>[0] & Parameters<typeof insertEvent>[0];
type Insert = (tx: Tx, name: string, at: number) => Promise<unknown>;
type SignInTable = 'sessions' | 'devices' | 'developerSessions' | 'developerDevices';
type TokenTable = 'accessTokens' | 'authorizationCodes' | 'refreshTokens';
type Kind = readonly [TokenTable | SignInTable | 'developerLinks' | 'decisions' | 'events', keptMs: number, Insert];

const signIn = (name: string, at: number) => ({ tokenHash: name, accountId: name, signedInAt: 0, expiresAt: at });
const insertToken: Insert = (tx, tokenHash, expiresAt) =>
  insertAccessToken(tx, accessToken({ tokenHash, expiresAt, passengerId: null }));
const insertRefresh =
  (column: 'revokedAt' | 'lastUsedAt'): Insert =>
  async (tx, name, at) => {
    await insertPassengerIfAbsent(tx, passenger());
    await insertRefreshToken(tx, refreshToken({ tokenHash: `${column} ${name}`, [column]: at }));
  };
const insertLink: Insert = (tx, name, expiresAt) =>
  saveDeveloperLink(tx, { tokenHash: name, email: name, developerId: null, expiresAt });
const insertDecision: Insert = (tx, name, decidedAt) =>
  saveDecision(tx, { sessionHash: name, requestHash: name, scopes: [], decidedAt });
const insertAttempted: Insert = async (tx, eventId, at) => {
  await insertEvent(tx, webhookEvent({ eventId, createdAt: at }), LIVE, at);
  const attempt = { eventId, number: 1, startedAt: at, durationMs: 5, status: 200, answer: 'ok', error: null };
  await tx.insertInto('attempts').values(attempt).execute();
};

/** The rows that the sweep deletes by their age: how long they are kept after an instant, and how to store one. */
const KINDS: readonly Kind[] = [
  ['accessTokens', DAY_MS, insertToken],
  ['authorizationCodes', DAY_MS, (tx, name, at) => insertCode(tx, code({ codeHash: name, expiresAt: at }))],
  ['refreshTokens', DAY_MS, insertRefresh('revokedAt')],
  ['refreshTokens', 366 * DAY_MS, insertRefresh('lastUsedAt')],
  ['sessions', -1, (tx, name, at) => insertSession(tx, OF_PASSENGERS, signIn(name, at))],
  ['devices', -1, (tx, name, at) => insertDevice(tx, OF_PASSENGERS, signIn(name, at))],
  ['developerSessions', -1, (tx, name, at) => insertSession(tx, OF_DEVELOPERS, signIn(name, at))],
  ['developerDevices', -1, (tx, name, at) => insertDevice(tx, OF_DEVELOPERS, signIn(name, at))],
  ['developerLinks', -1, insertLink],
  ['decisions', HOUR_MS, insertDecision],
  ['events', 30 * DAY_MS, insertAttempted],
];

describe.each(engines)('the sweep, on %s', (engine) => {
  const server = serverForEach(engine);

  /** Lets this many milliseconds pass, then sweeps. */
  async function sweepAfter(ms: number): Promise<void> {
    server.passTime(ms);
    await sweep(server.parts);
  }

  const idsIn = async (table: keyof Database, column: string) => {
    const rows = await server.store.db.selectFrom(table).selectAll().execute();
    return rows.map((row) => String(Reflect.get(row, column))).sort();
  };

  /** Stores many rows of each kind. */
  const fill = (kinds: readonly Kind[], at: number) =>
    server.store.transaction(async (tx) => {
      for (const [, , insert] of kinds) for (let n = 0; n < MANY; n++) await insert(tx, `old ${n}`, at);
    });

  test.each(KINDS)(
    'deletes all %s when their time is over, in batches, and not before',
    async (table, keptMs, insert) => {
      const { store, parts } = server;
      const now = parts.now();
      await fill([[table, keptMs, insert]], now);
      await store.transaction((tx) => insert(tx, 'young', now + 1));
      await store.db.updateTable('deliveries').set({ status: 'delivered' }).execute();
      const left = async () => (await store.db.selectFrom(table).selectAll().execute()).length;
      await sweepAfter(keptMs);
      expect(await left()).toBe(MANY + 1);
      server.passTime(1);
      const { store: watched, steps } = stepping(store);
      await sweep({ ...parts, store: watched });
      expect(await left()).toBe(1);
      expect(steps.length).toBeGreaterThan(1);
      // other requests are served in between
      expect(steps.filter(({ hasTurned }) => !hasTurned)).toEqual([]);
      // an event is deleted with its delivery and its attempt
      const most = table === 'events' ? 3 * MOST_EVENTS_SWEPT_AT_ONCE : MOST_ROWS_SWEPT_AT_ONCE;
      expect(Math.max(...steps.map(({ deleted }) => deleted))).toBe(most);
      await sweepAfter(1);
      expect(await left()).toBe(0);
    },
  );

  test('deletes any number of consents without tokens or codes in any world', async () => {
    const { store, parts } = server;
    const at = parts.now();
    const { passenger } = await server.newRider({ ...(await server.newWorld()), id: 'demo-sandbox' });
    const long = { applicationId: 'demo', issuedAt: at, expiresAt: at + 9 * DAY_MS };
    await store.transaction(async (tx) => {
      for (const id of [...Array(MANY).keys()].map((n) => `gone ${n}`).concat(passenger.id, 'with code', 'told')) {
        await noteConsent(tx, { passengerId: id, applicationId: 'demo', at });
      }
      await insertCode(tx, code({ ...long, passengerId: 'with code' }));
      // an application is told of a ride until its passenger removes it
      for (const id of ['told', 'gone 2']) {
        await insertRide(
          tx,
          ride({ ...OVER, canceledAt: at, id, passengerId: id, applicationId: 'demo', requestedAt: at }),
        );
      }
      await tx.updateTable('rides').set({ silent: 1 }).where('id', '=', 'gone 2').execute();
      // another application's code
      await insertCode(tx, code({ ...long, codeHash: 'other', applicationId: 'other', passengerId: 'gone 1' }));
    });
    const left = () => idsIn('consents', 'passengerId');
    for (const table of ['issuedTokens', 'accessGrants'] as const) {
      await store.db.updateTable(table).set({ expiresAt: long.expiresAt }).execute();
    }
    await sweepAfter(DAY_MS);
    expect(await left()).toHaveLength(MANY + 3);
    await sweepAfter(1);
    expect(await left()).toEqual([passenger.id, 'with code', 'told'].sort());
    await sweepAfter(9 * DAY_MS);
    expect(await left()).toEqual(['told']);
    await sweepAfter(30 * DAY_MS);
    expect(await left()).toEqual([]);
  });

  test('continues after failures, and logs all of them unless it was stopped', async () => {
    const { store, parts } = server;
    const leavers = ['broken', 'broken too', 'whole'];
    for (const id of leavers) await insertRide(store.db, ride({ id, passengerId: id, ...OVER }));
    await store.db.updateTable('rides').set({ document: '[oops' }).where('id', '<>', 'whole').execute();
    const leaving = leavers.map((passengerId) => ({ worldId: LIVE.id, passengerId, leftAt: 0 }));
    await store.db.insertInto('departures').values(leaving).execute();
    await insertSession(store.db, OF_PASSENGERS, { tokenHash: 'old', accountId: 'ada', signedInAt: 0, expiresAt: 1 });
    const lines: string[] = [];
    const logger = newLogger('error', { write: (line) => void lines.push(line) });
    startSweeper({ ...parts, logger }).stop();
    const sweeper = startSweeper({ ...parts, logger });
    await until(() => expect(lines).not.toEqual([]));
    sweeper.stop();
    expect(lines).toHaveLength(1);
    const { err } = JSON.parse(lines[0]!);
    expect(err.errors[0].errors.map(({ type }: { type: string }) => type)).toEqual(['SyntaxError', 'SyntaxError']);
    expect(await idsIn('departures', 'passengerId')).toEqual(['broken', 'broken too']);
    expect(await findSession(store.db, OF_PASSENGERS, 'old')).toBeUndefined();
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

  test('has the same result if several sweeps run at once', async () => {
    const { store, parts } = server;
    const now = parts.now();
    const ended = { ...OVER, requestedAt: 0, canceledAt: 1, lastEventAt: 1 };
    await fill(KINDS, 0);
    await store.transaction(async (tx) => {
      // the sweep deletes events both with their rides and on their own
      for (let n = 0; n < 3 * MOST_RIDES_SWEPT_AT_ONCE; n++) {
        const [rideId, passengerId] = [`ride ${n}`, n % 2 === 0 ? 'ada' : 'leaving'];
        await insertRide(tx, ride({ ...ended, id: rideId, passengerId }));
        await insertEvent(tx, webhookEvent({ eventId: rideId, rideId, createdAt: 0 }), LIVE, now);
      }
      await insertRide(tx, ride({ ...OVER, id: 'young', canceledAt: now, requestedAt: now, lastEventAt: now }));
      const young = { tokenHash: 'young', accountId: 'ada', signedInAt: now, expiresAt: now + DAY_MS };
      await insertSession(tx, OF_PASSENGERS, young);
      await tx.insertInto('departures').values({ worldId: LIVE.id, passengerId: 'leaving', leftAt: 0 }).execute();
    });
    await store.db.updateTable('deliveries').set({ status: 'delivered' }).execute();
    await Promise.all([sweep(parts), sweep(parts), sweep(parts)]);
    for (const table of [...KINDS.map(([name]) => name), 'departures', 'deliveries', 'attempts'] as const) {
      const left = await store.db.selectFrom(table).selectAll().execute();
      expect(left, table).toHaveLength(table === 'sessions' ? 1 : 0);
    }
    // the events of the other rows are of one recent ride
    expect(await idsIn('rides', 'id')).toEqual(['ride', 'young']);
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
    expect(await idsIn('rides', 'id')).toEqual(['active', 'sandboxed', 'young']);
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
