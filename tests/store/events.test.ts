import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { claimDueDeliveries, recordAttempts } from '../../server/store/deliveries.ts';
import { deleteOldEvents, findEvent, insertEvent, listAttempts, listEvents } from '../../server/store/events.ts';
import type { Store } from '../../server/store/open.ts';
import type { DeliveryStatus, WebhookEventRow } from '../../server/store/schema.ts';
import { insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { engines, openTestStore } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { application, live, NOON, sandbox, webhookEvent } from './samples.ts';

describe.each(engines)('on %s', (engine) => {
  let store: Store;
  beforeEach(async () => {
    store = await openTestStore(engine);
    await insertApplicationIfAbsent(store.db, application());
    await insertWorldIfAbsent(store.db, live(), 0);
  });
  afterEach(() => store.close());

  const occur = (change: Partial<WebhookEventRow>) =>
    store.transaction((tx) => insertEvent(tx, webhookEvent(change), live(), NOON));

  /** Makes one attempt of each event that is due. */
  const attempt = async (status: DeliveryStatus) => {
    const claim = { realNow: NOON, leaseMs: 1000, limit: 1000, owner: 'me', except: [] };
    const due = await claimDueDeliveries(store.db, claim);
    const results = due.map(({ eventId }) => ({
      attempt: { eventId, startedAt: NOON, durationMs: 5, status: 200, answer: 'ok', error: null },
      next: { status, dueAt: NOON + 2000, scheduleAnchor: NOON },
      owner: 'me',
    }));
    await store.transaction((tx) => recordAttempts(tx, results));
  };

  const deleteBefore = (before: number) => store.transaction((tx) => deleteOldEvents(tx, before));

  test('an event comes back as it went in, with what became of its delivery', async () => {
    const delivery = { status: 'pending', dueAt: NOON, realDueAt: NOON, attempts: 0 };
    await occur({});
    expect(await findEvent(store.db, 'event')).toEqual({ ...webhookEvent(), ...delivery });
    await attempt('delivered');
    expect(await findEvent(store.db, 'event')).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(await findEvent(store.db, 'unknown')).toBeUndefined();
  });

  test('an event and its delivery are saved together, or not at all', async () => {
    const before = await everythingStored(store);
    const failing = store.transaction(async (tx) => {
      await insertEvent(tx, webhookEvent(), live(), NOON);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await everythingStored(store)).toEqual(before);
  });

  test('an application’s events in a sandbox are listed newest first, up to the limit', async () => {
    const world = sandbox();
    await insertWorldIfAbsent(store.db, world, NOON);
    const search = { worldId: world.id, applicationId: 'app', limit: 2 };
    const told = async (change: Partial<WebhookEventRow>) => {
      const event = webhookEvent({ worldId: world.id, ...change });
      await store.transaction((tx) => insertEvent(tx, event, world, NOON));
    };
    // stored in another order than it occurred in
    await told({ eventId: 'c', occurredAt: NOON + 2 });
    await told({ eventId: 'a', occurredAt: NOON + 1 });
    await told({ eventId: 'b', occurredAt: NOON + 2, rideId: 'other' });
    await told({ eventId: 'd', occurredAt: NOON + 3, applicationId: 'other' });
    await occur({ eventId: 'e', occurredAt: NOON + 4 });
    const listed = await listEvents(store.db, search);
    expect(listed.map(({ eventId }) => eventId)).toEqual(['c', 'b']);
    expect(listed[0]).toMatchObject({ rideId: 'ride', status: 'pending', attempts: 0, body: '{"event_id":"event"}' });
    expect((await listEvents(store.db, { ...search, rideId: 'ride' })).map(({ eventId }) => eventId)).toEqual([
      'c',
      'a',
    ]);
    expect(await listEvents(store.db, { ...search, applicationId: 'nobody' })).toEqual([]);
  });

  test('old events whose delivery is over are deleted, with all that is known of them; no others are', async () => {
    await occur({ eventId: 'old', createdAt: NOON - 1 });
    await occur({ eventId: 'new', createdAt: NOON });
    await attempt('delivered');
    await occur({ eventId: 'old and pending', createdAt: NOON - 1 });
    await attempt('pending');
    expect(await deleteBefore(NOON)).toBe(1);
    expect(await deleteBefore(NOON)).toBe(0);
    expect(await findEvent(store.db, 'old')).toBeUndefined();
    expect(await listAttempts(store.db, 'old')).toEqual([]);
    const deliveries = await store.db.selectFrom('deliveries').select('eventId').orderBy('eventId').execute();
    expect(deliveries.map(({ eventId }) => eventId)).toEqual(['new', 'old and pending']);
    for (const id of ['new', 'old and pending']) {
      expect(await findEvent(store.db, id)).toBeDefined();
      expect(await listAttempts(store.db, id)).toHaveLength(1);
    }
  });

  test('many that are old and pending do not keep those that are over', async () => {
    await store.transaction(async (tx) => {
      for (let n = 0; n < 500; n++) {
        await insertEvent(tx, webhookEvent({ eventId: `pending ${n}`, createdAt: NOON - 2 }), live(), NOON + 1);
      }
    });
    await occur({ eventId: 'over', createdAt: NOON - 1 });
    await store.db.updateTable('deliveries').set({ status: 'delivered' }).where('eventId', '=', 'over').execute();
    expect(await deleteBefore(NOON)).toBe(1);
    expect(await findEvent(store.db, 'over')).toBeUndefined();
  });
});
