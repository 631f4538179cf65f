import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { webhookContract } from '../../scripts/contract/read.ts';
import { newDatabase } from '../../scripts/support/temporary-database.ts';
import { liveId } from '../../server/domain/ids.ts';
import type { RideEventType } from '../../server/domain/rides/events.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { startResend } from '../../server/store/deliveries/resends.ts';
import { type Engine, openStore } from '../../server/store/engine/open.ts';
import { insertEvents } from '../../server/store/events.ts';
import { holdWorld } from '../../server/store/worlds.ts';
import { createSendingThread } from '../../server/webhooks/delivery/sending-thread.ts';
import { startDeliveryWorker } from '../../server/webhooks/delivery/worker.ts';
import { startResendWorker } from '../../server/workers/resends.ts';
import { newStepGate } from '../../server/workers/step-gate.ts';
import { fill } from '../requests/filled.ts';
import { openJournal } from './journal.ts';
import { startReceivers } from './receivers.ts';

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** The contract's examples, which have realistic sizes. */
const BODIES = Object.values(webhookContract.components!.examples!).map(
  ({ value }) => value as { readonly event_type: RideEventType },
);

/** A database with one application per endpoint, and a server's delivery worker and sender. */
export async function openStage(engine: Engine, endpoints: number) {
  const database = await newDatabase(engine);
  const store = await openStore(database.url);
  const journal = openJournal();
  const receivers = await startReceivers(endpoints, journal.answered);
  const size = { applications: endpoints, passengers: endpoints, riding: endpoints, history: 1, fresh: 0 };
  const { riding } = await fill(store, { ...size, webhookUrls: receivers.urls }, Date.now());
  // as in production, except that webhooks may go to private addresses over http
  const logger = pino({ level: 'error' }, pino.destination(2));
  const sender = createSendingThread({ allowPrivate: true, requireHttps: false, outdatedPortsUntil: 0, logger });
  const workers: { stop(withinMs: number): Promise<void> }[] = [];
  let events = 0;
  const newEvent = (endpoint: number) => {
    const { client } = riding[endpoint]!;
    // in turn, because a range sends one event of a ride at a time
    const { rideId } = riding[events % endpoints]!;
    const [now, body] = [Date.now(), BODIES[events++ % BODIES.length]!];
    const eventId = liveId(now, randomBytes(16));
    const about = { worldId: LIVE_WORLD.id, rideId, applicationId: client.id, environment: 'production' } as const;
    const text = JSON.stringify({ ...body, event_id: eventId });
    const event = { ...about, eventId, type: body.event_type, occurredAt: now, body: text, createdAt: now };
    return { event: { ...event, hadUrl: 1 } as const, dueAt: now };
  };
  return {
    journal,
    receivers,
    /** Commits events in one transaction, like a change of a ride. */
    commit: async (endpoint: number, count = 1) => {
      await store.transaction(async (tx) => {
        const added = Array.from({ length: count }, () => newEvent(endpoint));
        for (const one of added) await insertEvents(tx, await holdWorld(tx, LIVE_WORLD), one.dueAt, [one]);
        for (const { event } of added) journal.committed(event.eventId, endpoint);
      });
    },
    startWorker: () => {
      const parts = { store, now: Date.now, randomBytes, logger, meter: null, tracer: null };
      workers.push(startDeliveryWorker(parts, sender));
    },
    /** Makes all events of an endpoint failed ones. */
    giveUp: async (endpoint: number) => {
      const givenUp = { status: 'given_up', realDueAt: null } as const;
      const { id } = riding[endpoint]!.client;
      await store.db.updateTable('deliveries').set(givenUp).where('applicationId', '=', id).execute();
    },
    /** Starts to send the failed events of an endpoint again. */
    sendAgain: async (endpoint: number) => {
      const { id: applicationId } = riding[endpoint]!.client;
      const [since, until] = [0, Date.now() + 1];
      const range = { applicationId, worldId: LIVE_WORLD.id, eventType: null, failedOnly: 1, since, until } as const;
      const found = { ...range, events: 1, lastAt: until, lastId: '', startedAt: until };
      await store.transaction((tx) => startResend(tx, found));
      workers.push(startResendWorker({ store, now: Date.now, logger, steps: newStepGate() }));
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.stop(0)));
      await sender.close();
      await receivers.close();
      await store.close();
      await database.drop();
    },
  };
}
