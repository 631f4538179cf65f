import type { KyselyPlugin, QueryResult, UnknownRow } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { claimDelivery } from '../../server/store/deliveries/claim.ts';
import { dueDeliveryInWorld } from '../../server/store/deliveries/due.ts';
import type { Store } from '../../server/store/engine/open.ts';
import type { Tx } from '../../server/store/schema.ts';
import { holdWorld } from '../../server/store/worlds.ts';
import { claimInWorld, deliverClaimed } from '../../server/webhooks/delivery/in-world.ts';
import { freezeWorld, resumeWorld } from '../../server/workers/world-clock.ts';
import { engines } from '../support/database.ts';
import { heldAnswer } from '../support/receiver.ts';
import { receiverForEach } from '../support/started.ts';
import { startRiding, storedRide } from '../support/take-ride.ts';
import { until } from '../support/until.ts';
import { claimDue, listAttempts, newEvent, newReceiving, storedEvent } from '../support/webhook-events.ts';
import { expectNextAttemptAfter, patientServerForEach } from '../workers/support.ts';

describe.each(engines)('on %s', (engine) => {
  const server = patientServerForEach(engine);
  const receiver = receiverForEach();
  let world: World;
  let applicationId: string;
  beforeEach(async () => {
    receiver.answerWith(() => 500);
    applicationId = await newReceiving(server.store, receiver.url);
    world = await server.newWorld({ applicationId });
  });

  const event = (afterMs = 0) => newEvent(server, applicationId, { world, afterMs });
  const order = () => receiver.received.map(({ body }) => JSON.parse(body).event_id as string);

  describe('in a frozen world', () => {
    test('an event is sent at once, and its next attempt waits, no matter how much real time passes', async () => {
      const eventId = await event();
      expect(await server.runDeliveries()).toBe(1);
      server.passTime(10 * MINUTE_MS);
      expect(await server.runDeliveries()).toBe(0);
      expect(receiver.received[0]!.headers['svc-environment']).toBe('sandbox');
      expect(await storedEvent(server, eventId)).toMatchObject({ status: 'pending', attempts: 1, realDueAt: null });
    });

    test('the schedule continues as if no time had passed, once the clock runs', async () => {
      await event();
      await server.runDeliveries();
      server.passTime(10 * MINUTE_MS);
      await resumeWorld(server.parts, world);
      await expectNextAttemptAfter(server, 2 * SECOND_MS);
      // due before the clock freezes
      const due = await event();
      await freezeWorld(server.parts, world);
      server.passTime(10 * MINUTE_MS);
      expect(await server.runDeliveries()).toBe(1);
      expect(order().at(-1)).toBe(due);
    });
  });

  // SQLite has no locked rows. Not a skipped test: it would be one of the tests that hold the promises of clocks
  if (engine === 'postgres') {
    test.each<[what: string, lock: (tx: Tx, id: string) => Promise<unknown>]>([
      ['sandbox', (tx) => holdWorld(tx, world)],
      [
        'delivery',
        (tx, id) => tx.selectFrom('deliveries').where('eventId', '=', id).select('eventId').forUpdate().execute(),
      ],
    ])('a %s that another transaction has locked holds up no results of others', async (_what, lock) => {
      const held = heldAnswer();
      receiver.answerWith(() => held.answer);
      const statusOf = async (eventId: string) => (await storedEvent(server, eventId)).status;
      const inLocked = await event();
      const others = [
        await newEvent(server, applicationId),
        await newEvent(server, applicationId, { world: await server.newWorld() }),
      ];
      const sending = server.runDeliveries();
      await receiver.arrived(3);
      await server.store.transaction(async (tx) => {
        await lock(tx, inLocked);
        held.give(204);
        for (const eventId of others) await until(async () => expect(await statusOf(eventId)).toBe('delivered'));
        expect(await statusOf(inLocked)).toBe('pending');
      });
      expect(await sending).toBe(3);
      expect(await statusOf(inLocked)).toBe('delivered');
    });
  }

  describe('advancing', () => {
    test.each([1, 2])('by two minutes makes all nine attempts, with %i calls at once', async (times) => {
      const eventId = await event();
      await Promise.all(Array.from({ length: times }, () => server.advance(world, 2 * MINUTE_MS)));
      expect((await storedEvent(server, eventId)).status).toBe('given_up');
      const numbers = (await listAttempts(server.store.db, eventId)).map(({ number }) => number);
      expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(receiver.received).toHaveLength(9);
      expect(receiver.mostAtOnce).toBe(1);
    });

    test('makes each attempt at its own instant, and not a millisecond before', async () => {
      await event();
      const counts: number[] = [];
      for (const stepMs of [0, 1999, 1, 2999, 1, 4999, 1]) {
        await server.advance(world, stepMs);
        counts.push(receiver.received.length);
      }
      expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4]);
    });

    test('makes attempts in the order in which they fall due', async () => {
      const [first, second] = [await event(), await event(3 * SECOND_MS)];
      // an event ahead of the clock waits
      expect(await server.runDeliveries()).toBe(1);
      await server.advance(world, 10 * SECOND_MS);
      // due at 0, 2, 5 and 10 seconds (first), and at 3, 5 and 8 (second); the two at 5 come in either order
      expect(order().filter((_, i) => i !== 3 && i !== 4)).toEqual([first, first, second, second, first]);
      expect(new Set(order().slice(3, 5))).toEqual(new Set([first, second]));
    });

    test('processes webhooks and the steps of rides in one order', async () => {
      const riding = await startRiding(server, { world });
      await event();
      const statuses: string[] = [];
      receiver.answerWith(async () => {
        statuses.push((await storedRide(server, world, riding.rideId)).status);
        return 500;
      });
      await server.advance(world, 5 * SECOND_MS);
      // a driver accepts after two seconds, so the attempt at five sees the new status
      expect(statuses).toEqual(['pending', 'pending', 'accepted']);
    });

    test('waits for the attempt that a worker has started, and continues from there', async () => {
      const held = heldAnswer();
      receiver.answerWith(() => (receiver.received.length === 1 ? held.answer : 500));
      const eventId = await event();
      const worker = server.runDeliveries();
      await receiver.arrived(1);
      const advanced = server.advance(world, 2 * MINUTE_MS);
      held.give(500);
      await Promise.all([worker, advanced]);
      expect(await storedEvent(server, eventId)).toMatchObject({ status: 'given_up', attempts: 9 });
      expect(receiver.received).toHaveLength(9);
      expect(receiver.mostAtOnce).toBe(1);
    });

    test('drops events that have no URL any more', async () => {
      const nowhere = await newReceiving(server.store, receiver.url, { sandboxWebhookUrl: null });
      const eventId = await newEvent(server, nowhere, { world });
      await server.advance(world, SECOND_MS);
      expect((await storedEvent(server, eventId)).status).toBe('dropped');
      expect(receiver.received).toEqual([]);
    });

    test('affects the webhooks of one world only', async () => {
      const other = await server.newWorld({ applicationId });
      const eventId = await newEvent(server, applicationId, { world: other });
      await event();
      await server.advance(world, 2 * MINUTE_MS);
      expect((await storedEvent(server, eventId)).attempts).toBe(0);
    });

    test('moves a running world forward, and its schedule continues from there', async () => {
      await resumeWorld(server.parts, world);
      const eventId = await event();
      await server.advance(world, 60 * SECOND_MS);
      expect(await storedEvent(server, eventId)).toMatchObject({ attempts: 7 });
      await expectNextAttemptAfter(server, 25 * SECOND_MS);
    });
  });

  describe('an attempt that is made between the read and the claim', () => {
    /** Finds the world's next attempt, lets a worker make it, and only then claims it. */
    async function deliverLate(until: number): Promise<'held' | 'delivered' | null> {
      const { db, replay } = withLateRead(server.store.db);
      await dueDeliveryInWorld(db, world.id, until);
      await server.runDeliveries();
      replay();
      const parts = { ...server.parts, store: { ...server.store, db } };
      const claimed = await claimInWorld(parts, world.id, until);
      if (claimed === null || claimed === 'held') return claimed;
      await deliverClaimed(parts, server.sender, claimed, (write) => write());
      return 'delivered';
    }

    test('is not repeated before its time, and the delivery is released', async () => {
      const eventId = await event();
      expect(await deliverLate(world.clock.worldAnchor + 2 * SECOND_MS - 1)).toBe('held');
      expect(receiver.received).toHaveLength(1);
      const lease = { realNow: server.parts.now(), leaseMs: 1, owner: 'other' };
      expect(await claimDelivery(server.store.db, eventId, lease)).toBe(true);
    });

    test('counts, and the schedule continues from it', async () => {
      const eventId = await event();
      await deliverLate(world.clock.worldAnchor + 2 * SECOND_MS);
      const dueAt = world.clock.worldAnchor + 5 * SECOND_MS;
      expect(await storedEvent(server, eventId)).toMatchObject({ status: 'pending', attempts: 2, dueAt });
    });
  });

  test('a claim that its owner does not use delays an advance until its lease expires', async () => {
    await event();
    const claim = { realNow: server.parts.now(), leaseMs: 15 * SECOND_MS, limit: 64, owner: 'killed' };
    expect(await claimDue(server.store.db, claim)).toHaveLength(1);
    const advanced = server.advance(world, SECOND_MS);
    expect(receiver.received).toEqual([]);
    server.passTime(15 * SECOND_MS);
    await advanced;
    expect(receiver.received).toHaveLength(1);
  });
});

/** The same database. After `replay`, the next query gets the first result again, as a late read would. */
function withLateRead(db: Store['db']): { readonly db: Store['db']; replay(): void } {
  let first: QueryResult<UnknownRow> | undefined;
  let isReplayed = false;
  const transformResult: KyselyPlugin['transformResult'] = async ({ result }) => {
    first ??= result;
    const given = isReplayed ? first : result;
    isReplayed = false;
    return given;
  };
  const replay = () => {
    isReplayed = true;
  };
  return { db: db.withPlugin({ transformQuery: ({ node }) => node, transformResult }), replay };
}
