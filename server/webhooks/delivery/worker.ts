import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/time.ts';
import { nextDeliveryDue } from '../../store/deliveries/due.ts';
import { type Dispatcher, type DispatcherParts, openDispatcher } from './dispatcher.ts';
import { MOST_CLAIMED } from './leases.ts';
import type { Sender } from './send.ts';

const RENEW_EVERY_MS = 5 * SECOND_MS;
/** What room is made meanwhile is filled by one claim. Within it a line does not run dry, as long as answers take a millisecond. */
const SHORTEST_PAUSE_MS = 15;
/** How long a new event may go unseen when it has been quiet for as long; after a shorter quiet it is seen sooner. */
const LONGEST_PAUSE_MS = 100;

/** A worker that delivers webhooks as they fall due, until it is stopped. */
export interface DeliveryWorker {
  /** Begins nothing more, and resolves when what is under way is done and recorded, or after so many milliseconds is given up. */
  stop(withinMs: number): Promise<void>;
}

/**
 * Starts a worker. It holds no more of an application than fits in its line, so what it needs grows with the applications whose receivers
 * are slow, never with what waits. While the database is away it tells so once, and goes on when that is back.
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
 * Makes every attempt that is due by now, and those that fall due meanwhile; resolves when they are recorded. Throws when the database is
 * away.
 *
 * @returns how many deliveries were claimed for it
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
    // where there was something there is more soon, and to look for it costs as much as to claim it
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
