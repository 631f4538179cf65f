import { SECOND_MS } from '../../domain/time.ts';
import type { Parts } from '../../parts.ts';
import { type DueDelivery, findDueDelivery } from '../../store/deliveries/due.ts';
import { dropDelivery, recordAttempts } from '../../store/deliveries/record.ts';
import { type ApplicationQueues, openQueues } from './application-queues.ts';
import { type Attempted, attemptDelivery, isAddressed } from './attempt.ts';
import { type BatchWriter, openBatchWriter } from './batch-writer.ts';
import { type Leased, type Leases, openLeases } from './leases.ts';
import { newOutages, type Outages } from './outages.ts';
import type { Sender } from './send.ts';
import { newWakeup, type Wakeup } from './wakeup.ts';

/** A delivery that has waited longer is read again: its URL may have changed. */
const ADDRESS_KEPT_MS = SECOND_MS;

/** The result of a delivery; null: dropped, because it has no URL. */
interface Result {
  readonly held: Leased;
  readonly attempted: Attempted | null;
}

/** The path of a delivery: claimed, queued by application, attempted, recorded. */
export interface Dispatcher {
  readonly held: Leases;
  readonly queues: ApplicationQueues<Leased>;
  readonly results: BatchWriter<Result>;
  readonly outages: Outages;
  /** Wakes when there may be more to claim. */
  readonly wakeup: Wakeup;
  /** Claims due deliveries of the applications that have room, and queues them. @returns how many were claimed */
  claim(): Promise<number>;
  /** Starts no further attempt. */
  close(): void;
  isClosed(): boolean;
}

/** What webhooks are dispatched with. */
export type DispatcherParts = Pick<Parts, 'store' | 'now' | 'randomBytes' | 'logger'>;

export function openDispatcher(parts: DispatcherParts, sender: Sender): Dispatcher {
  const outages = newOutages(parts.logger);
  const held = openLeases(parts);
  const wakeup = newWakeup();
  const results = openResults(parts, held, outages);
  let isClosed = false;
  const run = async (one: Leased) => {
    const delivery = isClosed ? undefined : await upToDate(parts, outages, one);
    if (isClosed || delivery === undefined || !held.isOurs(one)) held.forget(one);
    else if (!isAddressed(delivery)) results.add({ held: one, attempted: null });
    else results.add({ held: one, attempted: await attemptDelivery(parts, sender, delivery) });
  };
  const queues = openQueues(run, wakeup.wake);
  return {
    held,
    queues,
    results,
    outages,
    wakeup,
    claim: async () => {
      const claimed = await held.claim(queues.full());
      for (const one of claimed) queues.add(one.delivery.applicationId, one);
      return claimed.length;
    },
    close: () => {
      isClosed = true;
      wakeup.wake();
    },
    isClosed: () => isClosed,
  };
}

/** The delivery as it is now: the start of an attempt decides its URL, signature and faults. */
async function upToDate(
  { store, now }: Pick<Parts, 'store' | 'now'>,
  outages: Outages,
  held: Leased,
): Promise<DueDelivery | undefined> {
  const { delivery, claimedAt } = held;
  if (now() - claimedAt < ADDRESS_KEPT_MS) return delivery;
  return outages.unlessAway(findDueDelivery(store.db, delivery.eventId));
}

function openResults(parts: DispatcherParts, held: Leases, outages: Outages): BatchWriter<Result> {
  const write = async (group: readonly Result[]) => {
    await record(parts, group);
    for (const result of group) held.settle(result.held);
  };
  return openBatchWriter(outages, write, (result, error) => {
    parts.logger.error({ err: error, event: result.held.delivery.eventId }, 'an attempt cannot be recorded');
    held.forget(result.held);
  });
}

async function record({ store }: Pick<Parts, 'store'>, group: readonly Result[]): Promise<void> {
  await store.transaction(async (tx) => {
    const made = group.flatMap(({ held, attempted }) => (attempted ? [{ ...attempted, owner: held.owner }] : []));
    await recordAttempts(tx, made);
    for (const { held, attempted } of group) {
      if (attempted === null) await dropDelivery(tx, held.delivery.eventId, held.owner);
    }
  });
}
