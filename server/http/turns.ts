import type { CallsAtOnce } from '../parts.ts';

/** A call's place among those of its key. */
export interface Turn {
  /** Resolves when the call may begin. Null: at once. */
  readonly wait: Promise<void> | null;
  /** Ends the call, so that the next one begins. A second time does nothing. */
  readonly end: () => void;
}

/** The calls of one key. Some wait only while as many run as may. */
interface Line {
  running: number;
  /** What begins each call that waits, in the order of arrival. */
  readonly waiting: (() => void)[];
}

export interface Turns {
  /** Null if no more calls of the key may wait. */
  take(key: string): Turn | null;
  /** How many keys have calls in progress. */
  keys(): number;
}

/** Lets so many calls of each key run at once. So many more wait, first come, first served. */
export function newTurns({ running: mostRunning, waiting: mostWaiting }: CallsAtOnce): Turns {
  const lines = new Map<string, Line>();

  const endOnce = (key: string, line: Line) => {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const begin = line.waiting.shift();
      // the next call takes over the place of this one
      if (begin !== undefined) return begin();
      line.running -= 1;
      if (line.running === 0) lines.delete(key);
    };
  };

  const take: Turns['take'] = (key) => {
    const line = lines.get(key) ?? { running: 0, waiting: [] };
    const end = endOnce(key, line);
    if (line.running < mostRunning) {
      line.running += 1;
      lines.set(key, line);
      return { wait: null, end };
    }
    if (line.waiting.length >= mostWaiting) return null;
    return { wait: new Promise((begin) => line.waiting.push(begin)), end };
  };

  return { take, keys: () => lines.size };
}
