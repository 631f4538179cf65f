import { beforeEach, describe, expect, test } from 'vitest';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { recordAttempts } from '../../server/store/deliveries/record.ts';
import { listEvents } from '../../server/store/event-list.ts';
import { deleteOldEvents, findEvent, MOST_EVENTS_SWEPT_AT_ONCE, OLDEST_EVENT } from '../../server/store/events.ts';
import type { DeliveryStatus, WebhookEventRow } from '../../server/store/webhook-rows.ts';
import { insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { engines } from '../support/database.ts';
import { storeForEach } from '../support/started.ts';
import { claimDue, listAttempts } from '../support/webhook-events.ts';
import { application, insertEvent, NOON, sandbox, webhookEvent } from './samples.ts';

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);
  beforeEach(async () => {
    await insertApplicationIfAbsent(store.db, application());
    await insertWorldIfAbsent(store.db, LIVE_WORLD, 0);
  });

  const occur = (change: Partial<WebhookEventRow>, world = LIVE_WORLD) =>
    store.transaction((tx) => insertEvent(tx, webhookEvent(change), world, NOON));

  /** Makes one attempt for each due event. */
  const attempt = async (status: DeliveryStatus) => {
    const claim = { realNow: NOON, leaseMs: 1000, limit: 1000, owner: 'me' };
    const due = await claimDue(store.db, claim);
    const results = due.map(({ eventId }) => ({
      attempt: { eventId, startedAt: NOON, durationMs: 5, status: 200, answer: 'ok', error: null },
      next: { status, dueAt: NOON + 2000, scheduleAnchor: NOON },
      owner: 'me',
      verificationToken: 'verify',
    }));
    await store.transaction((tx) => recordAttempts(tx, results));
  };

  /** Deletes old events in batches. @returns the number of events deleted in each transaction */
  const deleteBefore = async (before: number) => {
    const counts: number[] = [];
    const count = async () => (await store.db.selectFrom('events').select('eventId').execute()).length;
    for (let after: typeof OLDEST_EVENT | null = OLDEST_EVENT; after !== null; ) {
      const [from, had]: [typeof OLDEST_EVENT, number] = [after, await count()];
      after = await store.transaction((tx) => deleteOldEvents(tx, before, from));
      counts.push(had - (await count()));
    }
    return counts;
  };

  test('events of a sandbox are listed newest first, regardless of the order in which they were stored', async () => {
    await insertWorldIfAbsent(store.db, sandbox(), NOON);
    for (const [eventId, at] of Object.entries({ c: 2, a: 1, b: 2 })) {
      await occur({ eventId, worldId: 'sandbox', occurredAt: NOON + at }, sandbox());
    }
    const listed = await listEvents(store.db, { worldId: 'sandbox', applicationId: 'app' }, { limit: 9 });
    expect(listed.map(({ eventId }) => eventId)).toEqual(['c', 'b', 'a']);
  });

  test('old events with finished deliveries are deleted with all their data, and no others', async () => {
    await occur({ eventId: 'old', createdAt: NOON - 1 });
    await occur({ eventId: 'new', createdAt: NOON });
    await attempt('delivered');
    await occur({ eventId: 'old and pending', createdAt: NOON - 1 });
    await attempt('pending');
    expect(await deleteBefore(NOON)).toEqual([1, 0]);
    expect(await deleteBefore(NOON)).toEqual([0, 0]);
    expect(await findEvent(store.db, 'old')).toBeUndefined();
    expect(await listAttempts(store.db, 'old')).toEqual([]);
    const deliveries = await store.db.selectFrom('deliveries').select('eventId').orderBy('eventId').execute();
    expect(deliveries.map(({ eventId }) => eventId)).toEqual(['new', 'old and pending']);
    for (const id of ['new', 'old and pending']) {
      expect(await findEvent(store.db, id)).toBeDefined();
      expect(await listAttempts(store.db, id)).toHaveLength(1);
    }
  });

  test('many old pending events do not keep finished ones from being deleted, and are read once', async () => {
    await store.transaction(async (tx) => {
      for (let n = 0; n < 3 * MOST_EVENTS_SWEPT_AT_ONCE; n++) {
        await insertEvent(tx, webhookEvent({ eventId: `pending ${n}`, createdAt: NOON - 2 }), LIVE_WORLD, NOON + 1);
      }
    });
    await occur({ eventId: 'over', createdAt: NOON - 1 });
    await store.db.updateTable('deliveries').set({ status: 'delivered' }).where('eventId', '=', 'over').execute();
    expect(await deleteBefore(NOON)).toEqual([0, 0, 0, 1, 0]);
    expect(await findEvent(store.db, 'over')).toBeUndefined();
  });
});
