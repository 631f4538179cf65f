import { LRUCache } from 'lru-cache';
import type { TextMessages } from '../domain/phone/text-messages.ts';

/**
 * Numbers whose latest simulated message is remembered.
 * @beyond the least recently used one is dropped
 * @heldBy tests/account/phone.test.ts
 */
const MOST_NUMBERS = 1000;

/** Reaches no phone. A development server shows the message to the passenger on the page that asks for the code. */
export function simulatedTextMessages(): TextMessages {
  const latest = new LRUCache<string, string>({ max: MOST_NUMBERS });
  return {
    send: async (to, text) => void latest.set(to, text),
    latestTo: (to) => latest.get(to),
  };
}
