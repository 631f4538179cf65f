import { Refusal } from '../domain/refusal.ts';

/** Who asks for a turn. */
export interface Asking {
  /** Those of one line wait behind each other, and the lines take turns. */
  readonly line?: string;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

interface Waiting {
  readonly begin: () => void;
  readonly leave: () => void;
}

/**
 * Does at most `atOnce` works at a time, and lets `mostWaiting` more wait. Throws Refusal `temporarily_unavailable` for
 * any other, and for one whose caller is gone before its turn. When all places are taken, the last of the longest line
 * makes room for one of a line that is shorter.
 */
export function turns(atOnce: number, mostWaiting: number) {
  let busy = 0;
  let waiting = 0;
  /** The line whose turn is next comes first. */
  const lines = new Map<string, Set<Waiting>>();

  /** Resolves when there is a place. The work before hands its place over. */
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

  /** Whether there is a place to wait, if need be that of another. */
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
  return new Refusal('temporarily_unavailable', 'Too many people sign in at the moment; try again shortly.');
}
