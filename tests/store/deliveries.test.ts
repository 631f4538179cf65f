import { beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../server/domain/time.ts';
import { freeze, type World } from '../../server/domain/worlds/clock.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { saveClock } from '../../server/store/clocks.ts';
import {
  claimDelivery,
  claimDueDeliveries,
  type DeliveryClaim,
  releaseAllLeases,
  releaseDelivery,
  releaseLeases,
  renewLeases,
} from '../../server/store/deliveries/claim.ts';
import { type LaneSearch, waitingLanes } from '../../server/store/deliveries/lanes.ts';
import { type AttemptResult, dropDelivery, recordAttempts } from '../../server/store/deliveries/record.ts';
import { resendEvent } from '../../server/store/deliveries/resend.ts';
import { deleteOldEvents, MOST_EVENTS_SWEPT_AT_ONCE, OLDEST_EVENT } from '../../server/store/events.ts';
import { holdWorld, insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { engines } from '../support/database.ts';
import { storeForEach } from '../support/started.ts';
import { allLanes, claimDue, findEvent, listAttempts, nextDeliveryDue } from '../support/webhook-events.ts';
import { meanwhile } from './meeting.ts';
import { application, insertEvent, NOON, sandbox, webhookEvent } from './samples.ts';

const LEASE_MS = 15_000;
const FOREVER = Number.MAX_SAFE_INTEGER - LEASE_MS;
const FROZEN = freeze(sandbox().clock, 1010);

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);
  beforeEach(async () => {
    await insertApplicationIfAbsent(store.db, application({ webhookUrl: 'https://app.example/hook' }));
    await insertApplicationIfAbsent(store.db, application({ id: 'other' }));
    await insertWorldIfAbsent(store.db, LIVE_WORLD, 0);
    await insertWorldIfAbsent(store.db, sandbox(), 0);
  });

  /** Saves an event of the live world that is due at once. */
  const occur = (eventId: string, occurredAt = NOON, applicationId = 'app') =>
    store.transaction((tx) =>
      insertEvent(tx, webhookEvent({ eventId, occurredAt, applicationId }), LIVE_WORLD, occurredAt),
    );
  const occurInSandbox = (eventId: string, occurredAt: number, realNow: number, clock = sandbox().clock) => {
    const event = webhookEvent({ eventId, occurredAt, worldId: 'sandbox', environment: 'sandbox' });
    return store.transaction((tx) => insertEvent(tx, event, sandbox({ clock }), realNow));
  };
  const saveSandboxClock = (clock: World['clock']) => store.transaction((tx) => saveClock(tx, 'sandbox', clock));

  const claim = async (change: Partial<DeliveryClaim> = {}) => {
    const { realNow = NOON } = change;
    const lanes = await allLanes(store.db, realNow);
    return claimDueDeliveries(store.db, { realNow, leaseMs: LEASE_MS, limit: 100, owner: 'me', lanes, ...change });
  };
  const claimIds = async (change: Partial<DeliveryClaim> = {}) => (await claim(change)).map(({ eventId }) => eventId);

  /** A failed attempt that took a second. The next one is due two seconds after its start. */
  const failed = (eventId: string, startedAt = NOON, next: Partial<AttemptResult['next']> = {}): AttemptResult => ({
    attempt: { eventId, startedAt, durationMs: 1000, status: 500, answer: 'no', error: 'It was 500.', sent: null },
    next: { status: 'pending', dueAt: startedAt + 2000, scheduleAnchor: startedAt, ...next },
    owner: 'me',
    verificationToken: 'verify',
  });
  const record = (...results: AttemptResult[]) => store.transaction((tx) => recordAttempts(tx, results));

  describe('a claim', () => {
    test('takes due deliveries of all applications, earliest first, up to the limit', async () => {
      for (const n of [3, 1, 4, 2]) await occur(`e${n}`, NOON + n, n % 2 === 0 ? 'app' : 'other');
      expect(await claimIds()).toEqual([]);
      expect(await claimIds({ realNow: NOON + 3, limit: 2 })).toEqual(['e1', 'e2']);
      expect(await claimIds({ realNow: NOON + 3 })).toEqual(['e3']);
    });

    test('takes only from the given lanes, and at most the given number from each', async () => {
      for (const n of [1, 2, 3]) await occur(`app ${n}`, NOON + n);
      for (const n of [4, 5, 6]) await occur(`other ${n}`, NOON + n, 'other');
      for (const n of [7, 8, 9]) await occurInSandbox(`sandbox ${n}`, NOON + n, NOON);
      const [app, other, inSandbox] = [
        { applicationId: 'app', worldId: 'live' },
        { applicationId: 'other', worldId: 'live' },
        { applicationId: 'app', worldId: 'sandbox' },
      ];
      const realNow = NOON + 9;
      expect(await claimIds({ realNow, lanes: [other, inSandbox], limit: 1 })).toEqual(['sandbox 7']);
      expect(await claimIds({ realNow, limitPerLane: 1 })).toEqual(['sandbox 8', 'app 1', 'other 4']);
      expect(await claimIds({ realNow, lanes: [] })).toEqual([]);
      expect(await claimIds({ realNow, lanes: [app] })).toEqual(['app 2', 'app 3']);
      expect(await claimIds({ realNow })).toEqual(['sandbox 9', 'other 5', 'other 6']);
    });

    test.runIf(engine === 'postgres')('does not wait for another claim in progress', async () => {
      await occur('a');
      await occur('b', NOON + 1);
      await store.transaction(async (tx) => {
        const first = { realNow: NOON + 1, leaseMs: LEASE_MS, limit: 1, owner: 'other' };
        expect((await claimDue(tx, first)).map(({ eventId }) => eventId)).toEqual(['a']);
        expect(await claimIds({ realNow: NOON + 1 })).toEqual(['b']);
      });
    });

    test('of one delivery fails if another worker holds it, or it has ended or is unknown', async () => {
      await occur('a');
      const lease = { realNow: NOON - 5, leaseMs: LEASE_MS, owner: 'me' };
      expect(await claimDelivery(store.db, 'a', lease)).toBe(true);
      expect(await claimDelivery(store.db, 'a', { ...lease, owner: 'other' })).toBe(false);
      expect(await claimIds({ owner: 'other' })).toEqual([]);
      await record(failed('a', NOON, { status: 'given_up' }));
      expect(await claimDelivery(store.db, 'a', lease)).toBe(false);
      expect(await claimDelivery(store.db, 'unknown', lease)).toBe(false);
    });
  });

  describe('a lease', () => {
    test.runIf(engine === 'postgres')(
      'is renewed without waiting for another delivery that is being recorded',
      async () => {
        await occur('recorded');
        await occur('held');
        await claimIds();
        await store.transaction(async (tx) => {
          await recordAttempts(tx, [failed('recorded')]);
          await renewLeases(store.db, 'me', NOON + 2 * LEASE_MS);
        });
        expect(await claimIds({ realNow: NOON + LEASE_MS, owner: 'other' })).toEqual(['recorded']);
      },
    );

    test('is released for one delivery, for all of an owner, or for all owners', async () => {
      for (const id of ['a', 'b', 'c']) await occur(id);
      await claimIds();
      await releaseDelivery(store.db, 'a', 'other');
      expect(await claimIds({ owner: 'other' })).toEqual([]);
      await releaseDelivery(store.db, 'a', 'me');
      expect(await claimIds({ owner: 'other' })).toEqual(['a']);
      await releaseLeases(store.db, 'me');
      expect((await claimIds({ owner: 'third' })).sort()).toEqual(['b', 'c']);
      await releaseAllLeases(store.db);
      expect((await claimIds({ owner: 'fourth' })).sort()).toEqual(['a', 'b', 'c']);
    });

    test.runIf(engine === 'postgres')('of one delivery is released even while a clock is being set', async () => {
      await occurInSandbox('a', NOON + 500, 1000);
      await claimIds({ realNow: 1500 });
      const setClock: Parameters<typeof meanwhile>[2] = (tx) => saveClock(tx, 'sandbox', FROZEN);
      await meanwhile(store, 'deliveries', setClock, () => releaseDelivery(store.db, 'a', 'me'));
      expect(await claimDelivery(store.db, 'a', { realNow: 1500, leaseMs: LEASE_MS, owner: 'other' })).toBe(true);
    });
  });

  describe('an attempt', () => {
    test('under an expired lease that no one else took is recorded, but only once', async () => {
      await occur('a');
      await claimIds();
      expect(await record(failed('a', NOON + 2 * LEASE_MS))).toEqual(['a']);
      expect(await record(failed('a'))).toEqual([]);
      expect(await listAttempts(store.db, 'a')).toHaveLength(1);
    });

    test('is not required to drop a delivery, but only its owner can drop it', async () => {
      await occur('a');
      await claimIds();
      await dropDelivery(store.db, 'a', 'other');
      expect(await findEvent(store.db, 'a')).toMatchObject({ status: 'pending' });
      await dropDelivery(store.db, 'a', 'me');
      expect(await findEvent(store.db, 'a')).toMatchObject({ status: 'dropped', attempts: 0, realDueAt: null });
      expect(await claimIds({ realNow: FOREVER })).toEqual([]);
    });
  });

  describe('the waiting lanes', () => {
    const look = (change: Partial<LaneSearch> = {}, db = store.db) =>
      waitingLanes(db, { realNow: NOON, until: NOON, mostDue: 100, mostSandboxes: 100, after: null, ...change });
    const seen = async (change: Partial<LaneSearch> = {}) => {
      const { lanes, last } = await look(change);
      return [...lanes.map(({ applicationId, worldId, dueAt }) => [applicationId, worldId, dueAt]), last];
    };

    test('are listed with the due time of their first free delivery, if it is due now or soon', async () => {
      expect(await seen()).toEqual([null]);
      await occur('a');
      await occur('b', NOON + 5, 'other');
      await occurInSandbox('c', NOON + 500, 1000);
      expect(await seen()).toEqual([['app', 'live', NOON], ['app', 'sandbox', 1500], null]);
      expect(await seen({ until: NOON + 5 })).toContainEqual(['other', 'live', NOON + 5]);
      await claimIds();
      expect(await seen()).toEqual([null]);
      expect(await seen({ realNow: NOON + LEASE_MS })).toEqual([['app', 'live', NOON], ['app', 'sandbox', 1500], null]);
      await record(failed('a', NOON, { status: 'delivered' }), failed('c', NOON, { status: 'given_up' }));
      expect(await seen({ until: FOREVER })).toEqual([['other', 'live', NOON + 5], null]);
    });

    /** Sandboxes of an application, each with an event that is due in real time at `dueAt(n)`. */
    async function occurInSandboxes(applicationId: string, dueAt: (n: number) => number): Promise<void> {
      for (let n = 1; n <= 5; n++) {
        const clock = { realAnchor: NOON, worldAnchor: NOON, running: true };
        const world = sandbox({ id: `${applicationId} ${n}`, applicationId, clock });
        await insertWorldIfAbsent(store.db, world, 0);
        const own = { eventId: `event ${world.id}`, rideId: `ride ${world.id}`, worldId: world.id, applicationId };
        const event = webhookEvent({ ...own, occurredAt: dueAt(n) });
        await store.transaction((tx) => insertEvent(tx, event, world, NOON));
      }
    }

    test('of sandboxes are listed even if others have deliveries that are due later', async () => {
      await occurInSandboxes('app', () => NOON + HOUR_MS);
      await occurInSandboxes('other', (n) => (n === 5 ? NOON : NOON + HOUR_MS));
      expect(await seen({ mostDue: 2, mostSandboxes: 1 })).toEqual([['other', 'other 5', NOON], null]);
    });

    test('of sandboxes are listed a few at a time: those due first, and in rounds those of applications with more', async () => {
      await occurInSandboxes('app', (n) => NOON + 5 - n);
      await occurInSandboxes('other', (n) => (n < 3 ? NOON + HOUR_MS : NOON + n));
      const rounds: (readonly string[])[] = [];
      let after: LaneSearch['after'] = null;
      do {
        const { lanes, last } = await look({ until: NOON + 5, after, mostDue: 2, mostSandboxes: 4 });
        rounds.push(lanes.map(({ worldId }) => worldId).sort());
        after = last;
      } while (after !== null);
      const first = ['app 4', 'app 5', 'other 3', 'other 4'];
      // the application also has the sandbox in which nothing is due
      expect(rounds).toEqual([['app 1', 'app 2', 'app 3', ...first], first, first, [...first, 'other 5']]);
    });
  });

  describe('with the clock of a sandbox', () => {
    test('a clock that is set during an attempt determines the next attempt', async () => {
      await occurInSandbox('a', NOON, 1000);
      await claimIds({ realNow: 1000 });
      await saveSandboxClock(FROZEN);
      await record(failed('a', 1000, { dueAt: NOON + 2000 }));
      expect(await nextDeliveryDue(store.db)).toBeNull();
    });

    /** Freezes the clock while a transaction that does this work is open. */
    const freezeDuring = (work: Parameters<typeof meanwhile>[2]) =>
      meanwhile(store, 'worlds', work, () => saveSandboxClock(FROZEN));

    test('a clock that is set while an attempt is being recorded determines the next attempt', async () => {
      await occurInSandbox('a', NOON, 1000);
      await claimIds({ realNow: 1000 });
      await freezeDuring((tx) => recordAttempts(tx, [failed('a', 1000, { dueAt: NOON + 2000 })]));
      expect(await nextDeliveryDue(store.db)).toBeNull();
    });

    test('a clock that is set while an event is being saved applies to it', async () => {
      const event = webhookEvent({ worldId: 'sandbox', occurredAt: NOON + 50 });
      await freezeDuring((tx) => insertEvent(tx, event, sandbox(), 1000));
      expect(await nextDeliveryDue(store.db)).toBeNull();
    });
  });

  describe('resending', () => {
    const again = (eventId: string, realNow: number) =>
      store.transaction(async (tx) =>
        resendEvent(tx, { eventId, applicationId: 'app' }, await holdWorld(tx, LIVE_WORLD), realNow),
      );

    test.each(['delivered', 'given_up', 'pending'] as const)(
      'waits for the attempt in progress, which counts and ends as %s',
      async (status) => {
        await occur('a');
        await claimIds();
        expect(await again('a', NOON + 1)).toBe(true);
        expect(await claimIds({ realNow: NOON + LEASE_MS - 1 })).toEqual([]);
        expect(await record(failed('a', NOON + 1, { status }))).toEqual(['a']);
        const [due] = await claim({ realNow: NOON + 1500 });
        expect(due).toMatchObject({ attempts: 0, earlierAttempts: 1, scheduleAnchor: null });
        // a second result for the same attempt changes nothing
        await record(failed('a', NOON + 1500, { status: 'delivered' }));
        expect(await findEvent(store.db, 'a')).toMatchObject({ status: 'delivered', attempts: 2 });
      },
    );

    test('takes over a delivery whose lease has expired', async () => {
      await occur('a');
      await claimIds();
      expect(await again('a', NOON + LEASE_MS)).toBe(true);
      expect(await record(failed('a'))).toEqual([]);
      expect(await claimIds({ realNow: NOON + LEASE_MS })).toEqual(['a']);
    });
  });

  test('many old pending events do not keep finished ones from being deleted, and are read once', async () => {
    const pending = Array.from({ length: 3 * MOST_EVENTS_SWEPT_AT_ONCE }, (_, n) => `pending ${n}`);
    await store.transaction(async (tx) => {
      for (const eventId of [...pending, 'over']) {
        const createdAt = eventId === 'over' ? NOON - 1 : NOON - 2;
        await insertEvent(tx, webhookEvent({ eventId, createdAt }), LIVE_WORLD, NOON);
      }
    });
    await store.db.updateTable('deliveries').set({ status: 'delivered' }).where('eventId', '=', 'over').execute();
    const left: number[] = [];
    for (let after: typeof OLDEST_EVENT | null = OLDEST_EVENT; after !== null; ) {
      const from: typeof OLDEST_EVENT = after;
      after = await store.transaction((tx) => deleteOldEvents(tx, NOON, from));
      left.push((await store.db.selectFrom('events').select('eventId').execute()).length);
    }
    const { length } = pending;
    expect(left).toEqual([length + 1, length + 1, length + 1, length, length]);
    expect(await findEvent(store.db, 'over')).toBeUndefined();
  });
});
