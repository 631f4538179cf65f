/**
 * Remembers which events were handled, so that one that comes twice is handled once. `webhookHandler` claims an event,
 * handles it, and then confirms it, or releases it so that its next attempt is handled.
 *
 * Several processes need one that they share, such as a table with event_id as its key: `claim` inserts a row and tells by
 * the conflict that there was one. A claim that is neither confirmed nor released within a minute belongs to a process that
 * died, and is to be given to the next who asks.
 */
export interface EventStore {
  /** `claimed`: it is the caller's alone. `busy`: another is handling it. `done`: it was handled. */
  claim(eventId: string): Promise<'claimed' | 'busy' | 'done'>;
  /** It was handled: from now on `done`. */
  confirm(eventId: string): Promise<void>;
  /** It was not: free for whoever claims it next. */
  release(eventId: string): Promise<void>;
}

export interface MemoryEventStoreOptions {
  /** How many handled events are remembered; beyond that the oldest is forgotten. */
  readonly limit?: number;
  /** How long a handled event is remembered, milliseconds. */
  readonly ttlMs?: number;
  /** The time, milliseconds; for tests. */
  readonly now?: () => number;
}

/** Remembers 10 000 events for 24 hours, for one process and as long as it runs. */
export function memoryEventStore({
  limit = 10_000,
  ttlMs = 24 * 60 * 60 * 1000,
  now = Date.now,
}: MemoryEventStoreOptions = {}): EventStore {
  const claimed = new Set<string>();
  /** When each was handled, the oldest first. */
  const handled = new Map<string, number>();
  const forget = () => {
    for (const [eventId, handledAt] of handled) {
      if (handled.size <= limit && handledAt > now() - ttlMs) return;
      handled.delete(eventId);
    }
  };
  return {
    async claim(eventId) {
      forget();
      if (handled.has(eventId)) return 'done';
      if (claimed.has(eventId)) return 'busy';
      claimed.add(eventId);
      return 'claimed';
    },
    async confirm(eventId) {
      claimed.delete(eventId);
      handled.set(eventId, now());
      forget();
    },
    async release(eventId) {
      claimed.delete(eventId);
    },
  };
}
