/**
 * Remembers which events were handled, so that a repeated event is handled only once. `webhookHandler` claims an event
 * and handles it. Then it confirms the event, or releases it for the next attempt.
 *
 * If you run several processes, they must share one store, such as a table with event_id as its key: `claim` inserts a
 * row and detects the conflict. A claim that is not confirmed or released within a minute belongs to a crashed process:
 * give it to the next caller.
 */
export interface EventStore {
  /**
   * `claimed`: for this caller only. `busy`: another caller is handling the event. `done`: the event was already
   * handled.
   */
  claim(eventId: string): Promise<'claimed' | 'busy' | 'done'>;
  /** Marks the event as handled: from now on, `claim` returns `done`. */
  confirm(eventId: string): Promise<void>;
  /** Gives up the claim: the next caller of `claim` gets it. */
  release(eventId: string): Promise<void>;
}

export interface MemoryEventStoreOptions {
  /** How many handled events to remember. Forgets the oldest first. */
  readonly limit?: number;
  /** How long to remember a handled event, in milliseconds. */
  readonly ttlMs?: number;
  /** The clock, in milliseconds; for tests. */
  readonly now?: () => number;
}

/**
 * By default, remembers 10,000 events for 24 hours. It works for a single process and is lost when that process ends.
 */
export function memoryEventStore({
  limit = 10_000,
  ttlMs = 24 * 60 * 60 * 1000,
  now = Date.now,
}: MemoryEventStoreOptions = {}): EventStore {
  const claimed = new Set<string>();
  /** Maps each event ID to the time when it was handled, oldest first. */
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
