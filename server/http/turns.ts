import { FairQueue } from '../limits/fair-queue.ts';
import type { CallsAtOnce } from '../parts.ts';

export interface Turn {
  /** Resolves when the call may start. Null: immediately. */
  readonly wait: Promise<void> | null;
  /**
   * Ends the call, or its wait if it has not started, so that the next one starts. A second call does nothing.
   * @param lastMs how long the call has blocked the process since it last paused, if known
   */
  readonly end: (lastMs?: number) => void;
  /** Charges time in which the call has blocked the process, before a pause that would hide it from `end`. */
  readonly charge: (ms: number) => void;
}

/**
 * Milliseconds that a group (an application, or all clients without a token) may use in one turn of the event loop. A
 * longer call uses up the time of following turns, so that groups with short calls get an equal share. If the server's
 * own work takes part of a turn, each group also gets as much time as that work.
 * @beyond its further calls wait for a later turn
 */
export const MOST_MS_IN_A_TURN = 2;
/** The minimum charged to a group for a call that pauses, because its total time is unknown. */
const LEAST_MS_OF_A_CALL_THAT_PAUSES = 1;
/**
 * Waiting calls of a group that start in one turn of the event loop, regardless of how short they are.
 * @beyond further ones wait for a later turn
 */
const MOST_BEGUN_IN_A_TURN = 8;
/**
 * Concurrent calls of all clients without a token, in multiples of `MAX_CONCURRENT_CALLS`.
 * @beyond further ones wait, and the networks take turns
 */
const MOST_FLOWS_IN_A_GROUP = 4;
/**
 * Concurrent calls of each kind: live, in sandboxes, without a token. That is enough to keep the connections to
 * PostgreSQL busy. More calls would wait for a connection, and the garbage collector copies all that a call in progress
 * holds.
 * @beyond a call starts only in a flow without a running call
 */
export const MOST_OF_A_KIND = 64;

/** A kind, a group or a flow. A waiting call is a callback that starts it. */
type Calls = FairQueue<() => void>;

/**
 * Runs a limited number of calls per flow, and queues a limited number more. SQLite completes a call within one turn of
 * the event loop, so without this, one flow's calls would all run before any other request is read. Therefore, in each
 * turn a group starts calls for MOST_MS_IN_A_TURN, alternating between its flows. A group runs at most four times as many
 * calls as a flow: PostgreSQL calls span turns, and its connections are few. The bound on all calls of a kind never stops
 * the first call of a flow.
 * @param serversOwnMs how long work other than calls has blocked the process, in milliseconds
 * @param later runs work in the next turn of the event loop
 * @param now milliseconds
 */
export function newTurns(
  { running, waiting, ofAKind = MOST_OF_A_KIND }: CallsAtOnce & { readonly ofAKind?: number },
  serversOwnMs: () => number,
  later: (work: () => void) => void = setImmediate,
  now: () => number = () => performance.now(),
) {
  const kinds = new Map<string, Calls>();
  /** The latest call that started, by its `end`, until it ends or another one starts. */
  let latest: { readonly end: Turn['end']; readonly group: Calls; at: number } | null = null;
  /** What it has done so far is its group's, also what it did after a pause. */
  const settleLatest = () => {
    if (latest !== null) latest.group.debtMs += now() - latest.at;
    latest = null;
  };

  const hasRoom = (flow: Calls) => flow.hasRoom(flow.running === 0);
  const nextFlow = (group: Calls) => {
    let flow = group.nextPart();
    // this passes only flows with a running call, and a group runs few
    while (flow !== null && !hasRoom(flow)) flow = flow.next;
    return flow;
  };
  const startNext = (group: Calls) => {
    settleLatest();
    if (group.debtMs < MOST_MS_IN_A_TURN) nextFlow(group)?.start()();
  };
  /** Gives a group its share of the next turn of the event loop. Until then, it takes no room that becomes free. */
  const schedule = (group: Calls) => {
    if (group.isPaused) return;
    group.isPaused = true;
    group.settle();
    const ownMs = serversOwnMs();
    later(() => {
      group.debtMs = Math.max(0, group.debtMs - Math.max(MOST_MS_IN_A_TURN, serversOwnMs() - ownMs));
      group.isPaused = false;
      group.settle();
      startNext(group);
      if (group.debtMs > 0 || nextFlow(group) !== null) schedule(group);
    });
    if (group.waiting === 0) return;
    // each starts after the previous call's work has paused
    for (let more = 1; more < MOST_BEGUN_IN_A_TURN; more++) later(() => startNext(group));
  };

  /**
   * @param groupName flows that share turns of the event loop
   * @param kindName groups that cannot use up the room of other kinds
   * @returns null if the flow is full
   */
  const take = (name: string, groupName = name, kindName = ''): Turn | null => {
    const kind = kinds.get(kindName) ?? new FairQueue(ofAKind);
    kinds.set(kindName, kind);
    const group = kind.part(groupName, MOST_FLOWS_IN_A_GROUP * running);
    const flow = group.part(name, running);
    if (flow.running + flow.waiting >= running + waiting) return null;
    settleLatest();
    let isOver = false;
    /** Ends the wait; null unless the call waits. */
    let leave: (() => void) | null = null;
    const end = (lastMs = 0) => {
      if (isOver) return;
      isOver = true;
      if (leave !== null) return leave();
      if (latest?.end === end) settleLatest();
      else group.debtMs += Math.max(lastMs, LEAST_MS_OF_A_CALL_THAT_PAUSES);
      flow.end();
      // before this group, which has just had its turn
      const next = kind.nextPart();
      if (next !== null) schedule(next);
      schedule(group);
    };
    const charge = (ms: number) => {
      group.debtMs += ms;
      if (latest?.end === end) latest.at += ms;
      schedule(group);
    };
    const onStart = () => {
      settleLatest();
      latest = { end, group, at: now() };
      schedule(group);
    };
    if (group.first === null && group.debtMs < MOST_MS_IN_A_TURN && hasRoom(flow)) {
      flow.begin();
      onStart();
      return { wait: null, end, charge };
    }
    const wait = new Promise<void>((resolve) => {
      const job = flow.add(() => {
        leave = null;
        onStart();
        resolve();
      });
      leave = () => {
        job.leave();
        resolve();
      };
    });
    if (nextFlow(group) !== null) schedule(group);
    return { wait, end, charge };
  };

  return {
    take,
    /** How many groups have calls, or used up time of later turns. */
    groups: () => [...kinds.values()].reduce((count, { parts }) => count + (parts?.size ?? 0), 0),
  };
}
