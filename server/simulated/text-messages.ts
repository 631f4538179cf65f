import { LRUCache } from 'lru-cache';
import type { TextMessages } from '../domain/phone/text-messages.ts';

/** Numbers whose latest message is remembered. */
const MOST_NUMBERS = 1000;

/** Reaches no phone. A development server shows the messages to the passenger on the page that waits for them. */
export function simulatedTextMessages(): TextMessages {
  const latest = new LRUCache<string, string>({ max: MOST_NUMBERS });
  return {
    send: async (to, text) => void latest.set(to, text),
    latestTo: (to) => latest.get(to),
  };
}
