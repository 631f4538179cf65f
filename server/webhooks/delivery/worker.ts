import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/time.ts';
import { nextDeliveryDue } from '../../store/deliveries/due.ts';
import { type Dispatcher, type DispatcherParts, openDispatcher } from './dispatcher.ts';
import { MOST_CLAIMED } from './leases.ts';
import type { Sender } from './send.ts';

const RENEW_EVERY_MS = 5 * SECOND_MS;
/** One claim then fills all the room made meanwhile. No queue runs dry if responses take at least a millisecond. */
const SHORTEST_PAUSE_MS = 15;
/** Longest wait of a new event after a quiet time. After activity the wait is shorter. */
const LONGEST_PAUSE_MS = 100;

/** Delivers webhooks as they become due, until it is stopped. */
export interface DeliveryWorker {
  /** Starts no further attempt. Resolves when those in progress are recorded, or gives them up after `withinMs`. */
  stop(withinMs: number): Promise<void>;
}

/**
 * Starts a worker. It holds no more deliveries of an application than fit in its queue, so its memory grows with the
 * number of slow receivers, not with the backlog. It logs an outage of the database once, and continues after it.
 */
export function startDeliveryWorker(parts: DispatcherParts, sender: Sender): DeliveryWorker {
  const dispatcher = openDispatcher(parts, sender);
  const renewing = setInterval(() => void dispatcher.outages.unlessAway(dispatcher.held.renew()), RENEW_EVERY_MS);
  const worked = work(parts, dispatcher);
  return {
    stop: async (withinMs) => {
      dispatcher.close();
      await worked;
      await within(withinMs, dispatcher.held.settled());
      dispatcher.results.stop();
      clearInterval(renewing);
      await dispatcher.outages.unlessAway(dispatcher.held.release());
    },
  };
}

/**
 * Makes every attempt that is due now or becomes due meanwhile; resolves when all are recorded. Throws when the
 * database is unavailable.
 * @returns how many deliveries were claimed
 */
export async function runDueDeliveries(parts: DispatcherParts, sender: Sender): Promise<number> {
  const dispatcher = openDispatcher(parts, sender);
  for (let count = 0; ; ) {
    let claimed = await dispatcher.claim();
    if (claimed === 0) {
      await dispatcher.held.settled();
      claimed = await dispatcher.claim();
    }
    if (claimed === 0) return count;
    count += claimed;
  }
}

async function work(parts: DispatcherParts, dispatcher: Dispatcher): Promise<void> {
  let quietMs = SHORTEST_PAUSE_MS;
  while (!dispatcher.isClosed()) {
    const claimed = await dispatcher.outages.unlessAway(dispatcher.claim());
    if (claimed === MOST_CLAIMED) continue;
    await sleep(SHORTEST_PAUSE_MS);
    quietMs = claimed ? SHORTEST_PAUSE_MS : Math.min(2 * quietMs, LONGEST_PAUSE_MS);
    // after one claim more is due soon, and checking costs as much as claiming
    if (claimed) continue;
    const next = await dispatcher.outages.unlessAway(nextDeliveryDue(parts.store.db, dispatcher.queues.full()));
    const untilDue = (next ?? Number.POSITIVE_INFINITY) - parts.now();
    if (untilDue > 0) await dispatcher.wakeup.sleep(Math.min(quietMs, untilDue));
  }
}

async function within(longestMs: number, done: Promise<void>): Promise<void> {
  const waiting = new AbortController();
  const over = sleep(longestMs, undefined, { signal: waiting.signal }).catch(() => {});
  await Promise.race([done, over]);
  waiting.abort();
}
