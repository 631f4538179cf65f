import { type DispatcherParts, openDispatcher } from '../../server/webhooks/delivery/dispatcher.ts';
import type { Sender } from '../../server/webhooks/delivery/send.ts';

/** Makes all attempts that are or become due. Throws when the database is unavailable. @returns how many */
export async function runDueDeliveries(parts: DispatcherParts, sender: Sender): Promise<number> {
  const dispatcher = openDispatcher(parts, sender);
  for (let total = 0; ; ) {
    let { count } = await dispatcher.claim();
    if (count === 0) {
      await dispatcher.held.settled();
      ({ count } = await dispatcher.claim());
    }
    if (count === 0) return total;
    total += count;
  }
}
