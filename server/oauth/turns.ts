import { Refusal } from '../domain/refusal.ts';

/** The caller that waits for a turn. */
export interface Asking {
  /** Callers of one line wait in sequence, and lines take turns. */
  readonly line?: string;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

interface Waiting {
  readonly begin: () => void;
  readonly leave: () => void;
}

/**
 * Runs at most `atOnce` tasks concurrently, and queues `mostWaiting` more. Throws Refusal `temporarily_unavailable` for
 * any further task, and for one whose caller disconnects before its turn. If the queue is full, the last task of the
 * longest line makes room for one of a shorter line.
 */
export function turns(atOnce: number, mostWaiting: number) {
  let busy = 0;
  let waiting = 0;
  /** The line with the next turn comes first. */
  const lines = new Map<string, Set<Waiting>>();

  /** Resolves when there is a free place. A finished task hands over its place. */
  const wait = (line: string, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const end = () => {
        signal?.removeEventListener('abort', leave);
        places.delete(place);
        if (places.size === 0) lines.delete(line);
        waiting -= 1;
      };
      const leave = () => {
        end();
        reject(unavailable());
      };
      const begin = () => {
        end();
        resolve();
      };
      const place: Waiting = { begin, leave };
      const places = lines.get(line) ?? new Set();
      lines.set(line, places.add(place));
      waiting += 1;
      signal?.addEventListener('abort', leave);
    });

  /** Whether there is a place in the queue, if necessary by evicting another task. */
  const makeRoom = (line: string): boolean => {
    if (waiting < mostWaiting) return true;
    const longest = [...lines.values()].reduce((one, other) => (other.size > one.size ? other : one), new Set());
    if (longest.size <= (lines.get(line)?.size ?? 0) + 1) return false;
    [...longest].at(-1)?.leave();
    return true;
  };

  const beginNext = () => {
    const [first] = lines;
    if (first === undefined) {
      busy -= 1;
      return;
    }
    const [line, places] = first;
    lines.delete(line);
    lines.set(line, places);
    const [place] = places;
    place?.begin();
  };

  return async <T>(work: () => Promise<T>, { line = '', signal }: Asking = {}): Promise<T> => {
    if (signal?.aborted) throw unavailable();
    if (busy < atOnce) busy += 1;
    else if (makeRoom(line)) await wait(line, signal);
    else throw unavailable();
    try {
      return await work();
    } finally {
      beginNext();
    }
  };
}

function unavailable(): Refusal {
  return new Refusal('temporarily_unavailable', 'Too many people are signing in at the moment. Try again shortly.');
}
