import type { CallsAtOnce } from '../parts.ts';

/** A call's place among those of its key. */
export interface Turn {
  /** Resolves when the call may begin. Null: at once. */
  readonly wait: Promise<void> | null;
  /** Ends the call, so that the next one begins. A second time does nothing. */
  readonly end: () => void;
}

/** The calls of one key. */
interface Line {
  running: number;
  /** What begins each call that waits, in the order of arrival. */
  readonly waiting: (() => void)[];
  /** Whether a call has begun in this turn of the event loop. */
  hasBegun: boolean;
  isScheduled: boolean;
}

export interface Turns {
  /** Null if no more calls of the key may wait. */
  take(key: string): Turn | null;
  /** How many keys have calls in progress. */
  keys(): number;
}

/**
 * Lets so many calls of each key run at once, and so many more wait, first come, first served. In each turn of the event
 * loop at most one call of a key begins: SQLite answers a call within a turn, so all of them would run before anybody
 * else's request is read.
 * @param later runs work in a later turn of the event loop
 */
export function newTurns(
  { running: mostRunning, waiting: mostWaiting }: CallsAtOnce,
  later: (work: () => void) => void = setImmediate,
): Turns {
  const lines = new Map<string, Line>();

  const schedule = (key: string, line: Line) => {
    if (line.isScheduled) return;
    line.isScheduled = true;
    later(() => {
      line.isScheduled = false;
      line.hasBegun = false;
      if (line.running < mostRunning) line.waiting.shift()?.();
      settle(key, line);
    });
  };
  const settle = (key: string, line: Line) => {
    const canBegin = line.waiting.length > 0 && line.running < mostRunning;
    if (line.hasBegun || canBegin) schedule(key, line);
    else if (line.running === 0 && !line.isScheduled) lines.delete(key);
  };
  const begin = (line: Line) => {
    line.running += 1;
    line.hasBegun = true;
  };
  const endOnce = (key: string, line: Line) => {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      line.running -= 1;
      settle(key, line);
    };
  };

  const take: Turns['take'] = (key) => {
    const line = lines.get(key) ?? { running: 0, waiting: [], hasBegun: false, isScheduled: false };
    if (line.running + line.waiting.length >= mostRunning + mostWaiting) return null;
    lines.set(key, line);
    const end = endOnce(key, line);
    let wait: Promise<void> | null = null;
    if (line.running < mostRunning && line.waiting.length === 0 && !line.hasBegun) begin(line);
    else {
      wait = new Promise((resolve) => {
        line.waiting.push(() => {
          begin(line);
          resolve();
        });
      });
    }
    settle(key, line);
    return { wait, end };
  };

  return { take, keys: () => lines.size };
}
