import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/time.ts';
import { within } from '../../shared.ts';
import { type Dispatcher, type DispatcherParts, LONGEST_PAUSE_MS, openDispatcher } from './dispatcher.ts';
import { MOST_CLAIMED } from './leases.ts';
import type { Sender } from './send.ts';

const RENEW_EVERY_MS = 5 * SECOND_MS;
/** The next claim fills what gets free in this time. No queue runs empty if responses take at least a millisecond. */
const SHORTEST_PAUSE_MS = 15;

export type DeliveryWorker = ReturnType<typeof startDeliveryWorker>;

/**
 * Delivers webhooks as they become due, until stopped. It holds no more deliveries of a lane than fit in its queue, so its memory grows with the number of
 * slow receivers, not with the backlog. It logs a database outage once, and continues afterwards.
 */
export function startDeliveryWorker(parts: DispatcherParts, sender: Sender) {
  const dispatcher = openDispatcher(parts, sender);
  const renewing = setInterval(() => void dispatcher.outages.unlessAway(dispatcher.held.renew()), RENEW_EVERY_MS);
  const worked = work(parts, dispatcher);
  return {
    /** Starts no further attempts. Resolves when those in progress are recorded, or abandons them after `withinMs`. */
    stop: async (withinMs: number): Promise<void> => {
      dispatcher.close();
      await worked;
      await within(withinMs, dispatcher.held.settled());
      dispatcher.results.stop();
      clearInterval(renewing);
      await dispatcher.outages.unlessAway(dispatcher.held.release());
    },
  };
}

async function work(parts: DispatcherParts, dispatcher: Dispatcher): Promise<void> {
  let quietMs = SHORTEST_PAUSE_MS;
  while (!dispatcher.isClosed()) {
    const claimed = await dispatcher.outages.unlessAway(dispatcher.claim());
    if (claimed?.count === MOST_CLAIMED) continue;
    // after a claim, more is due soon
    const isQuiet = claimed === undefined || claimed.count === 0;
    quietMs = isQuiet ? Math.min(2 * quietMs, LONGEST_PAUSE_MS) : SHORTEST_PAUSE_MS;
    const untilDue = (claimed?.nextDue ?? Number.POSITIVE_INFINITY) - parts.now();
    await sleep(SHORTEST_PAUSE_MS);
    const restMs = Math.min(quietMs, untilDue) - SHORTEST_PAUSE_MS;
    if (isQuiet && restMs > 0) await dispatcher.wakeup.sleep(restMs);
  }
}
