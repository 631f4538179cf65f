import { LIVE_WORLD } from '../domain/worlds/live.ts';

/**
 * On PostgreSQL, a step waits for the database, and the next one can start in the meantime. This limit leaves
 * connections for calls.
 */
export const MOST_STEPS_AT_ONCE = 4;

/** A shorter turn of the event loop did no work. */
const QUIET_TURN_MS = 0.2;

/**
 * Runs background work, such as timers, alongside calls. On SQLite, a step blocks the process until it is committed, so
 * at most one starts in each turn of the event loop. After a sandbox's step, other work gets the process for as long as
 * the step took, or until it leaves a turn unused.
 */
export interface StepGate {
  /**
   * Runs a step when its turn comes. Lines take turns, so a line with many steps delays each other line by one step.
   * The live world gets every second turn, regardless of how many sandboxes wait. It does not wait for time that a
   * sandbox owes.
   * @param line shared by steps that run one after the other, such as the id of a world
   */
  run<T>(line: string, step: () => Promise<T>): Promise<T>;
  /** How many milliseconds all steps so far have blocked the process, each until it paused. */
  spentMs(): number;
}

/**
 * One per process.
 * @param now milliseconds
 */
export function newStepGate(now: () => number = () => performance.now()): StepGate {
  // a Map keeps insertion order: the first line is next
  const lines = new Map<string, (() => Promise<void>)[]>();
  let underWay = 0;
  let isScheduled = false;
  let wasLive = false;
  /** Duration of the last sandbox step, minus the time that other work has had since. */
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
    // runs when the step's synchronous work has ended
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
    // moves to the end of the round
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
        // resolves or rejects the caller's promise, so it never rejects itself
        steps.push(() => step().then(resolve, reject));
        lines.set(line, steps);
        schedule();
      }),
    spentMs: () => spentMs,
  };
}
