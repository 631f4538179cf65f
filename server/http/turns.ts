import type { CallsAtOnce } from '../parts.ts';

/** A call's place in its line. */
export interface Turn {
  /** Resolves when the call may begin. Null: at once. */
  readonly wait: Promise<void> | null;
  /** Ends the call, so that the next one begins. A second time does nothing. */
  readonly end: () => void;
}

interface Line {
  running: number;
  /** What begins each call that waits, in the order of arrival. */
  readonly waiting: (() => void)[];
}

/** How many full lines a group runs. */
const MOST_LINES_IN_A_GROUP = 4;

/** Lines of which one call begins in a turn of the event loop. */
interface Group {
  readonly lines: Map<string, Line>;
  /** The lines from which a call can begin. A Map keeps the order of its keys: the first one is next. */
  readonly ready: Map<string, Line>;
  running: number;
  /** Whether a call has begun in this turn of the event loop. */
  hasBegun: boolean;
  isScheduled: boolean;
}

export interface Turns {
  /** @param group the lines that share the turns of the event loop. Null if no more calls of the line may wait. */
  take(line: string, group?: string): Turn | null;
  /** How many lines have calls in progress. */
  lines(): number;
}

/**
 * Lets so many calls of each line run at once, and so many more wait, first come, first served. In each turn of the event
 * loop at most one call of a group begins, and its lines take turns: SQLite answers a call within a turn, so all of them
 * would run before anybody else's request is read. All lines of a group together run four times as many calls as one:
 * PostgreSQL answers none within a turn, and its connections are few.
 * @param later runs work in a later turn of the event loop
 */
export function newTurns(
  { running: mostRunning, waiting: mostWaiting }: CallsAtOnce,
  later: (work: () => void) => void = setImmediate,
): Turns {
  const groups = new Map<string, Group>();
  const hasRoom = ({ running }: Group) => running < MOST_LINES_IN_A_GROUP * mostRunning;

  const beginNext = (group: Group) => {
    const [next] = group.ready;
    if (next === undefined || !hasRoom(group)) return;
    const [name, line] = next;
    group.ready.delete(name);
    line.waiting.shift()!();
    // to the end of the round
    if (line.waiting.length > 0 && line.running < mostRunning) group.ready.set(name, line);
  };
  const schedule = (name: string, group: Group) => {
    if (group.isScheduled) return;
    group.isScheduled = true;
    later(() => {
      group.isScheduled = false;
      group.hasBegun = false;
      beginNext(group);
      settle(name, group);
    });
  };
  const settle = (name: string, group: Group) => {
    if (group.hasBegun || (group.ready.size > 0 && hasRoom(group))) schedule(name, group);
    else if (group.lines.size === 0 && !group.isScheduled) groups.delete(name);
  };

  const take = (name: string, groupName = name): Turn | null => {
    const group: Group = groups.get(groupName) ?? {
      lines: new Map(),
      ready: new Map(),
      running: 0,
      hasBegun: false,
      isScheduled: false,
    };
    const line = group.lines.get(name) ?? { running: 0, waiting: [] };
    if (line.running + line.waiting.length >= mostRunning + mostWaiting) return null;
    groups.set(groupName, group);
    group.lines.set(name, line);
    const begin = () => {
      line.running += 1;
      group.running += 1;
      group.hasBegun = true;
    };
    const mayBegin = line.running < mostRunning;
    let wait: Promise<void> | null = null;
    if (mayBegin && hasRoom(group) && !group.hasBegun && group.ready.size === 0) begin();
    else {
      wait = new Promise((resolve) => {
        line.waiting.push(() => {
          begin();
          resolve();
        });
      });
      if (mayBegin) group.ready.set(name, line);
    }
    settle(groupName, group);

    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      line.running -= 1;
      group.running -= 1;
      if (line.waiting.length > 0) group.ready.set(name, line);
      else if (line.running === 0) group.lines.delete(name);
      settle(groupName, group);
    };
    return { wait, end };
  };

  return { take, lines: () => [...groups.values()].reduce((count, { lines }) => count + lines.size, 0) };
}
