import type { CallsAtOnce } from '../parts.ts';

/** A call's place in its line. */
export interface Turn {
  /** Resolves when the call may start. Null: immediately. */
  readonly wait: Promise<void> | null;
  /**
   * Ends the call, so that the next one starts. A second call does nothing.
   * @param lastMs how long the call has blocked the process since it last paused, if known
   */
  readonly end: (lastMs?: number) => void;
}

interface Line {
  running: number;
  /** Callbacks that start the waiting calls, in order of arrival. */
  readonly waiting: (() => void)[];
}

/**
 * A group starts no further call in a turn of the event loop once its calls have blocked the process for this long. A
 * longer call uses up the time of following turns, so that groups with short calls get an equal share. If the server's
 * own work takes part of a turn, each group also gets as much time as that work.
 */
const MOST_MS_IN_A_TURN = 2;
/** The minimum charged to a group for a call that pauses, because its total time is unknown. */
const LEAST_MS_OF_A_CALL_THAT_PAUSES = 1;
/** The maximum number of waiting calls of a group that start in a turn, regardless of how short they are. */
const MOST_BEGUN_IN_A_TURN = 8;
/** A group may run as many calls as this many full lines. */
const MOST_LINES_IN_A_GROUP = 4;
/**
 * While this many calls of a kind run, a further one starts only in a line without a running call. That is enough to
 * keep the connections to PostgreSQL busy. More calls would wait for a connection, and the garbage collector copies all
 * that a call in progress holds.
 */
export const MOST_OF_A_KIND = 64;

/** Groups whose calls count together. */
interface Kind {
  running: number;
  /** Groups that wait until fewer calls of the kind run, in order. */
  readonly held: Map<string, Group>;
}

/** Lines that share turns of the event loop. */
interface Group {
  readonly kind: Kind;
  readonly lines: Map<string, Line>;
  /** The lines from which a call can start. A Map keeps insertion order: the first line is next. */
  readonly ready: Map<string, Line>;
  running: number;
  waiting: number;
  /** How long its calls have blocked the process, minus the time granted by each turn of the event loop since. */
  debtMs: number;
  /** The server's own work up to the group's latest turn. */
  ownMs: number;
  hasBegun: boolean;
  isScheduled: boolean;
}

export interface Turns {
  /**
   * @param group lines that share turns of the event loop
   * @param kind groups that cannot use up the room of other kinds
   * @returns null if the line is full
   */
  take(line: string, group?: string, kind?: string): Turn | null;
  /** How many lines have calls in progress. */
  lines(): number;
}

/** Bounds on calls that run and wait. */
interface Bounds extends CallsAtOnce {
  /** See MOST_OF_A_KIND. */
  readonly ofAKind?: number;
}

/**
 * Runs a limited number of calls per line, and queues a limited number more, in order of arrival. SQLite completes a
 * call within one turn of the event loop, so without this, one line's calls would all run before any other request is
 * read. Therefore, in each turn a group starts calls for MOST_MS_IN_A_TURN, alternating between its lines. A group runs
 * at most four times as many calls as a line: PostgreSQL calls span turns, and its connections are few. The bound on
 * all calls of a kind never stops the first call of a line.
 * @param serversOwnMs how long work other than calls has blocked the process, in milliseconds
 * @param later runs work in the next turn of the event loop
 * @param now milliseconds
 */
export function newTurns(
  { running: mostRunning, waiting: mostWaiting, ofAKind: mostOfAKind = MOST_OF_A_KIND }: Bounds,
  serversOwnMs: () => number,
  later: (work: () => void) => void = setImmediate,
  now: () => number = () => performance.now(),
): Turns {
  const groups = new Map<string, Group>();
  const kinds = new Map<string, Kind>();
  /**
   * The latest call that started, by its `end`. Null in the next turn of the event loop, where its time cannot be told
   * from other work.
   */
  let latest: { readonly end: Turn['end']; readonly at: number } | null = null;
  const hasTime = ({ debtMs }: Group) => debtMs < MOST_MS_IN_A_TURN;
  const isFull = (group: Group) => group.running >= MOST_LINES_IN_A_GROUP * mostRunning;
  const hasRoom = (group: Group, line: Line) =>
    !isFull(group) && (group.kind.running < mostOfAKind || line.running === 0);
  /** The next line from which a call can start, apart from the group's time. */
  const nextIn = (group: Group) => {
    // this passes only lines with a running call, and a group runs few
    for (const next of group.ready) if (hasRoom(group, next[1])) return next;
    return undefined;
  };

  const beginNext = (group: Group) => {
    const next = nextIn(group);
    if (next === undefined || !hasTime(group)) return;
    const [name, line] = next;
    group.ready.delete(name);
    group.waiting -= 1;
    line.waiting.shift()!();
    // moves to the end of the round
    if (line.waiting.length > 0 && line.running < mostRunning) group.ready.set(name, line);
  };
  const schedule = (name: string, group: Group) => {
    if (group.isScheduled) return;
    group.isScheduled = true;
    later(() => {
      latest = null;
      group.isScheduled = false;
      group.hasBegun = false;
      const ownMs = serversOwnMs();
      group.debtMs = Math.max(0, group.debtMs - Math.max(MOST_MS_IN_A_TURN, ownMs - group.ownMs));
      group.ownMs = ownMs;
      beginNext(group);
      settle(name, group);
    });
    if (group.waiting === 0) return;
    // each starts after the previous call's work has paused
    for (let more = 1; more < MOST_BEGUN_IN_A_TURN; more++) {
      later(() => {
        latest = null;
        beginNext(group);
      });
    }
  };
  const settle = (name: string, group: Group) => {
    group.kind.held.delete(name);
    if (group.hasBegun || group.debtMs > 0 || nextIn(group) !== undefined) schedule(name, group);
    else if (group.ready.size > 0 && !isFull(group)) group.kind.held.set(name, group);
    else if (group.lines.size === 0 && !group.isScheduled) groups.delete(name);
  };
  /** Lets one held group start a call if there is room again. */
  const releaseOne = ({ running, held }: Kind) => {
    if (running >= mostOfAKind) return;
    const [next] = held;
    if (next !== undefined) settle(...next);
  };

  const take = (name: string, groupName = name, kindName = ''): Turn | null => {
    const kind: Kind = kinds.get(kindName) ?? { running: 0, held: new Map() };
    kinds.set(kindName, kind);
    const group: Group = groups.get(groupName) ?? {
      kind,
      lines: new Map(),
      ready: new Map(),
      running: 0,
      waiting: 0,
      debtMs: 0,
      ownMs: serversOwnMs(),
      hasBegun: false,
      isScheduled: false,
    };
    const line = group.lines.get(name) ?? { running: 0, waiting: [] };
    if (line.running + line.waiting.length >= mostRunning + mostWaiting) return null;
    groups.set(groupName, group);
    group.lines.set(name, line);
    let isOver = false;
    const end = (lastMs = 0) => {
      if (isOver) return;
      isOver = true;
      group.debtMs += latest?.end === end ? now() - latest.at : Math.max(lastMs, LEAST_MS_OF_A_CALL_THAT_PAUSES);
      line.running -= 1;
      group.running -= 1;
      kind.running -= 1;
      if (line.waiting.length > 0) group.ready.set(name, line);
      else if (line.running === 0) group.lines.delete(name);
      // before this group, which has just had its turn
      releaseOne(kind);
      settle(groupName, group);
    };
    const begin = () => {
      line.running += 1;
      group.running += 1;
      kind.running += 1;
      group.hasBegun = true;
      latest = { end, at: now() };
    };
    const mayBegin = line.running < mostRunning;
    let wait: Promise<void> | null = null;
    if (mayBegin && hasRoom(group, line) && hasTime(group) && group.ready.size === 0) begin();
    else {
      group.waiting += 1;
      wait = new Promise((resolve) => {
        line.waiting.push(() => {
          begin();
          resolve();
        });
      });
      if (mayBegin) group.ready.set(name, line);
    }
    settle(groupName, group);
    return { wait, end };
  };

  return { take, lines: () => [...groups.values()].reduce((count, { lines }) => count + lines.size, 0) };
}
