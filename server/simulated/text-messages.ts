import { LRUCache } from 'lru-cache';
import type { TextMessages } from '../domain/phone/text-messages.ts';

/** The most numbers whose latest message is remembered. */
const MOST_NUMBERS = 1000;

/** Reaches no phone. A development server shows the message to the passenger on the page that asks for the code. */
export function simulatedTextMessages(): TextMessages {
  const latest = new LRUCache<string, string>({ max: MOST_NUMBERS });
  return {
    send: async (to, text) => void latest.set(to, text),
    latestTo: (to) => latest.get(to),
  };
}
