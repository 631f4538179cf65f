import { LIVE_WORLD } from '../domain/worlds/live.ts';

/**
 * On PostgreSQL a step waits for the database, and the next one may begin meanwhile. So few leave connections for calls.
 */
export const MOST_STEPS_AT_ONCE = 4;

/** A turn of the event loop that is shorter did nothing for anybody. */
const QUIET_TURN_MS = 0.2;

/**
 * Lets work that nobody waits for at the moment, such as timers, run beside calls. On SQLite a step blocks the process
 * until it is committed, so at most one begins in each turn of the event loop. After a sandbox's step, the others get
 * as much of the process as it took, or until they leave a turn unused.
 */
export interface StepGate {
  /**
   * Runs a step when its turn comes. Lines take turns, so one with many steps delays each other line by one step. The
   * live world has every second turn, however many sandboxes wait, and does not wait for what a sandbox owes.
   * @param line a name that steps share if they wait for one another, such as the id of a world
   */
  run<T>(line: string, step: () => Promise<T>): Promise<T>;
  /** How many milliseconds all steps so far have kept the process, each until it paused. */
  spentMs(): number;
}

/**
 * One for the process.
 * @param now milliseconds
 */
export function newStepGate(now: () => number = () => performance.now()): StepGate {
  // a Map keeps the order of its keys: the first line is the next one
  const lines = new Map<string, (() => Promise<void>)[]>();
  let underWay = 0;
  let isScheduled = false;
  let wasLive = false;
  /** What the last step of a sandbox took, less what the others have had since. */
  let owedMs = 0;
  let spentMs = 0;
  let turnEndedAt = now();

  const schedule = () => {
    if (isScheduled || lines.size === 0 || underWay >= MOST_STEPS_AT_ONCE) return;
    isScheduled = true;
    turnEndedAt = now();
    turn();
  };
  const turn = () => {
    let begunAt: number | null = null;
    setImmediate(() => {
      const othersMs = now() - turnEndedAt;
      owedMs = othersMs < QUIET_TURN_MS ? 0 : Math.max(0, owedMs - othersMs);
      if (owedMs === 0 || lines.has(LIVE_WORLD.id)) {
        begunAt = now();
        begin();
      }
    });
    // runs when the work of the step has paused
    setImmediate(() => {
      turnEndedAt = now();
      const stepMs = begunAt === null ? 0 : turnEndedAt - begunAt;
      spentMs += stepMs;
      if (begunAt !== null && !wasLive) owedMs = stepMs;
      if (lines.size > 0 && underWay < MOST_STEPS_AT_ONCE) turn();
      else isScheduled = false;
    });
  };
  const begin = () => {
    const isLive = lines.has(LIVE_WORLD.id) && (!wasLive || owedMs > 0);
    const line = isLive ? LIVE_WORLD.id : lines.keys().next().value!;
    wasLive = line === LIVE_WORLD.id;
    const steps = lines.get(line)!;
    const step = steps.shift()!;
    lines.delete(line);
    // to the end of the round
    if (steps.length > 0) lines.set(line, steps);
    underWay += 1;
    void step().then(() => {
      underWay -= 1;
      schedule();
    });
  };
  return {
    run: (line, step) =>
      new Promise((resolve, reject) => {
        const steps = lines.get(line) ?? [];
        // settles both ways, so it never rejects
        steps.push(() => step().then(resolve, reject));
        lines.set(line, steps);
        schedule();
      }),
    spentMs: () => spentMs,
  };
}
