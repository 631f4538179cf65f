import { SECOND_MS } from '../../domain/time.ts';
import type { Parts } from '../../parts.ts';
import { type DueDelivery, findDueDelivery } from '../../store/deliveries/due.ts';
import { type Lane, waitingLanes } from '../../store/deliveries/lanes.ts';
import { dropDelivery, inLockedSandboxes, recordAttempts } from '../../store/deliveries/record.ts';
import { isLockTimeout } from '../../store/engine/errors.ts';
import { type Attempted, attemptDelivery, isAddressed, meterAttempts } from './attempt.ts';
import { type BatchWriter, openBatchWriter } from './batch-writer.ts';
import { openQueues } from './lane-queues.ts';
import { type Leased, type Leases, MOST_CLAIMED, openLeases } from './leases.ts';
import { newOutages, type Outages } from './outages.ts';
import type { Sender } from './send.ts';
import { newWakeup } from './wakeup.ts';

/**
 * Pause of the worker that sends webhooks, after a quiet period. After activity, it is shorter.
 * @beyond an event of another process waits this long
 * @heldBy tests/webhooks/deliveries-worker.test.ts
 */
export const LONGEST_PAUSE_MS = 100;
/** A delivery that has waited longer than this is read again, because its URL may have changed. */
const ADDRESS_KEPT_MS = SECOND_MS;

/**
 * Webhooks in sandboxes of an application that one claim reads to find the sandboxes: those that are due first.
 * @beyond more of its sandboxes are read, see MOST_SANDBOXES_AT_ONCE
 * @heldBy tests/store/deliveries.test.ts
 */
const MOST_DUE_AT_ONCE = 32;
/**
 * Sandboxes of an application with even more due webhooks that one claim reads.
 * @beyond the next claim continues with the following ones, then with the next such application
 * @heldBy tests/store/deliveries.test.ts
 */
const MOST_SANDBOXES_AT_ONCE = 128;

/** The result of a delivery; null: dropped, because it has no URL. */
interface Result {
  readonly held: Leased;
  readonly attempted: Attempted | null;
}

export type Dispatcher = ReturnType<typeof openDispatcher>;

export type DispatcherParts = Pick<Parts, 'store' | 'now' | 'randomBytes' | 'logger' | 'meter' | 'tracer'>;

/** The stages of a delivery: claimed, queued by lane, attempted, recorded. */
export function openDispatcher(parts: DispatcherParts, sender: Sender) {
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
  const look = openLook(parts);
  return {
    held,
    results,
    outages,
    wakeup,
    /** Claims due deliveries of lanes with room. Returns when more may be due. */
    claim: async () => {
      const open = (await look()).filter(queues.hasRoom);
      const due = open.filter(({ dueAt }) => dueAt <= parts.now()).sort((a, b) => a.dueAt - b.dueAt);
      const claimed = await held.claim(due.slice(0, MOST_CLAIMED));
      for (const one of claimed) queues.add(one.delivery, one);
      return { count: claimed.length, nextDue: Math.min(...open.map(({ dueAt }) => dueAt)) };
    },
    /** Starts no further attempts. */
    close: () => {
      isClosed = true;
      wakeup.wake();
    },
    isClosed: () => isClosed,
  };
}

/** Lists the lanes that are due now or soon. If very many are, each look lists further ones. */
function openLook({ store, now }: Pick<Parts, 'store' | 'now'>) {
  let after: Lane | null = null;
  return async () => {
    const realNow = now();
    const most = { mostDue: MOST_DUE_AT_ONCE, mostSandboxes: MOST_SANDBOXES_AT_ONCE };
    const found = await waitingLanes(store.db, { realNow, until: realNow + LONGEST_PAUSE_MS, ...most, after });
    after = found.last;
    return found.lanes;
  };
}

/**
 * The delivery's current state: the start of an attempt determines its URL, signature and faults. Undefined if it is no
 * longer ours to send: the passenger has revoked the application's access, or another worker has claimed it.
 */
async function upToDate(
  { store, now }: Pick<Parts, 'store' | 'now'>,
  outages: Outages,
  held: Leased,
): Promise<DueDelivery | undefined> {
  const { delivery, claimedAt } = held;
  if (now() - claimedAt < ADDRESS_KEPT_MS) return delivery;
  const latest = await outages.unlessAway(findDueDelivery(store.db, delivery.eventId));
  return latest?.status === 'pending' && latest.leaseOwner === held.owner ? latest : undefined;
}

function openResults(parts: DispatcherParts, held: Leases, outages: Outages): BatchWriter<Result> {
  const write = async (group: readonly Result[]) => {
    const locked = await recordFree(parts, group);
    for (const result of group) if (!locked.includes(result)) held.settle(result.held);
    return locked;
  };
  return openBatchWriter(outages, write, (result, error) => {
    parts.logger.error({ err: error, event: result.held.delivery.eventId }, 'could not record a webhook attempt');
    held.forget(result.held);
  });
}

/**
 * Waits only briefly for a locked row, with the sandboxes of the whole group in hand. Then looks for it in smaller groups.
 * @returns the results whose rows another transaction has locked, which are to be recorded later
 */
async function recordFree(parts: DispatcherParts, group: readonly Result[]): Promise<readonly Result[]> {
  try {
    return await record(parts, group);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
  }
  if (group.length === 1) return group;
  const [first, rest] = [group.slice(0, group.length / 2), group.slice(group.length / 2)];
  return [...(await recordFree(parts, first)), ...(await recordFree(parts, rest))];
}

/** @returns the results in sandboxes that another transaction has locked, which are to be recorded later */
async function record({ store, meter }: Pick<Parts, 'store' | 'meter'>, group: readonly Result[]): Promise<Result[]> {
  const { made, eventIds, locked } = await store.transaction(async (tx) => {
    const busy = await inLockedSandboxes(tx, group.map(eventOf));
    const [locked, free] = [
      group.filter((one) => busy.has(eventOf(one))),
      group.filter((one) => !busy.has(eventOf(one))),
    ];
    const made = free.flatMap(({ held, attempted }) => (attempted ? [{ ...attempted, owner: held.owner }] : []));
    const eventIds = await recordAttempts(tx, made);
    for (const { held, attempted } of free) {
      if (attempted === null) await dropDelivery(tx, held.delivery.eventId, held.owner);
    }
    return { made, eventIds, locked };
  }, 'briefly');
  meterAttempts(meter, made, eventIds);
  return locked;
}

function eventOf({ held }: Result): string {
  return held.delivery.eventId;
}
