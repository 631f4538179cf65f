import type { CallsAtOnce } from '../parts.ts';

/** A call's place in its line. */
export interface Turn {
  /** Resolves when the call may begin. Null: at once. */
  readonly wait: Promise<void> | null;
  /**
   * Ends the call, so that the next one begins. A second time does nothing.
   * @param lastMs how long the call has kept the process since it last paused, if that is known
   */
  readonly end: (lastMs?: number) => void;
}

interface Line {
  running: number;
  /** What begins each call that waits, in the order of arrival. */
  readonly waiting: (() => void)[];
}

/**
 * How long the calls of a group may keep the process in a turn of the event loop before no other one begins. A call that
 * takes longer uses up that time of the turns to come, so that groups with short calls get as much time. A turn in which the
 * server did work of its own gives each group as much time as that work took.
 */
const MOST_MS_IN_A_TURN = 2;
/** What a call that pauses costs its group at least. How long it kept the process in all is not known. */
const LEAST_MS_OF_A_CALL_THAT_PAUSES = 1;
/** Calls of a group that wait and begin in a turn, however short they are. */
const MOST_BEGUN_IN_A_TURN = 8;
/** How many full lines a group runs. */
const MOST_LINES_IN_A_GROUP = 4;

/** Lines of which one call begins in a turn of the event loop. */
interface Group {
  readonly lines: Map<string, Line>;
  /** The lines from which a call can begin. A Map keeps the order of its keys: the first one is next. */
  readonly ready: Map<string, Line>;
  running: number;
  waiting: number;
  /** How long its calls have kept the process, less what each turn of the event loop since has given it. */
  debtMs: number;
  /** The server's own work until the group's latest turn. */
  ownMs: number;
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
 * Lets so many calls of each line run at once, and so many more wait, first come, first served. SQLite answers a call
 * within a turn of the event loop, so all of them would run before anybody else's request is read. So in each turn a
 * group begins calls for MOST_MS_IN_A_TURN, and its lines take turns. All lines of a group together run
 * four times as many calls as one: PostgreSQL answers none within a turn, and its connections are few.
 * @param serversOwnMs how long work that is no call has kept the process, in milliseconds
 * @param later runs work in the next turn of the event loop
 * @param now milliseconds
 */
export function newTurns(
  { running: mostRunning, waiting: mostWaiting }: CallsAtOnce,
  serversOwnMs: () => number,
  later: (work: () => void) => void = setImmediate,
  now: () => number = () => performance.now(),
): Turns {
  const groups = new Map<string, Group>();
  /** When the latest call began, by its turn's end. Null in the next turn of the event loop, where its time is no longer its own. */
  let latest: { readonly end: Turn['end']; readonly at: number } | null = null;
  const hasTime = ({ debtMs }: Group) => debtMs < MOST_MS_IN_A_TURN;
  const hasRoom = ({ running }: Group) => running < MOST_LINES_IN_A_GROUP * mostRunning;

  const beginNext = (group: Group) => {
    const [next] = group.ready;
    if (next === undefined || !hasRoom(group) || !hasTime(group)) return;
    const [name, line] = next;
    group.ready.delete(name);
    group.waiting -= 1;
    line.waiting.shift()!();
    // to the end of the round
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
    // each runs when the work of the one before has paused
    for (let more = 1; more < MOST_BEGUN_IN_A_TURN; more++) {
      later(() => {
        latest = null;
        beginNext(group);
      });
    }
  };
  const settle = (name: string, group: Group) => {
    if (group.hasBegun || group.debtMs > 0 || (group.ready.size > 0 && hasRoom(group))) schedule(name, group);
    else if (group.lines.size === 0 && !group.isScheduled) groups.delete(name);
  };

  const take = (name: string, groupName = name): Turn | null => {
    const group: Group = groups.get(groupName) ?? {
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
      if (line.waiting.length > 0) group.ready.set(name, line);
      else if (line.running === 0) group.lines.delete(name);
      settle(groupName, group);
    };
    const begin = () => {
      line.running += 1;
      group.running += 1;
      group.hasBegun = true;
      latest = { end, at: now() };
    };
    const mayBegin = line.running < mostRunning;
    let wait: Promise<void> | null = null;
    if (mayBegin && hasRoom(group) && hasTime(group) && group.ready.size === 0) begin();
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
