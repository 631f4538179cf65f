import { SECOND_MS } from '../domain/time.ts';
import type { Parts } from '../parts.ts';
import { nextDeliveryDue } from '../store/deliveries.ts';
import type { Sender } from '../webhooks/send.ts';
import { type DeliveryDesk, openDeliveryDesk } from './delivery-desk.ts';
import { MOST_CLAIMED } from './held-deliveries.ts';
import { pause } from './pause.ts';

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
export function startDeliveryWorker(parts: Parts, sender: Sender): DeliveryWorker {
  const desk = openDeliveryDesk(parts, sender);
  const renewing = setInterval(() => void desk.outages.unlessAway(desk.held.renew()), RENEW_EVERY_MS);
  const worked = work(parts, desk);
  return {
    stop: async (withinMs) => {
      desk.close();
      await worked;
      await within(withinMs, desk.held.settled());
      desk.results.stop();
      clearInterval(renewing);
      await desk.outages.unlessAway(desk.held.release());
    },
  };
}

/**
 * Makes every attempt that is due by now, and those that fall due meanwhile; resolves when they are recorded. Throws when the database is
 * away.
 *
 * @returns how many deliveries were claimed for it
 */
export async function runDueDeliveries(parts: Parts, sender: Sender): Promise<number> {
  const desk = openDeliveryDesk(parts, sender);
  for (let count = 0; ; ) {
    let claimed = await desk.claim();
    if (claimed === 0) {
      await desk.held.settled();
      claimed = await desk.claim();
    }
    if (claimed === 0) return count;
    count += claimed;
  }
}

async function work(parts: Parts, desk: DeliveryDesk): Promise<void> {
  let quietMs = SHORTEST_PAUSE_MS;
  while (!desk.isClosed()) {
    const claimed = await desk.outages.unlessAway(desk.claim());
    if (claimed === MOST_CLAIMED) continue;
    await pause(SHORTEST_PAUSE_MS);
    quietMs = claimed ? SHORTEST_PAUSE_MS : Math.min(2 * quietMs, LONGEST_PAUSE_MS);
    // where there was something there is more soon, and to look for it costs as much as to claim it
    if (claimed) continue;
    const next = await desk.outages.unlessAway(nextDeliveryDue(parts.store.db, desk.lines.full()));
    const untilDue = (next ?? Number.POSITIVE_INFINITY) - parts.now();
    if (untilDue > 0) await desk.bell.wait(Math.min(quietMs, untilDue));
  }
}

async function within(longestMs: number, done: Promise<void>): Promise<void> {
  let timeout: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timeout = setTimeout(resolve, longestMs);
  });
  await Promise.race([done, over]);
  clearTimeout(timeout);
}
