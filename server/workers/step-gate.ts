import { LIVE_WORLD } from '../domain/worlds/live.ts';

/**
 * On PostgreSQL a step waits for the database, and the next one may begin meanwhile. So few leave connections for calls.
 */
export const MOST_STEPS_AT_ONCE = 4;

/**
 * Lets work that nobody waits for at the moment, such as timers, run beside calls. On SQLite a step blocks the process
 * until it is committed, so at most one begins in each turn of the event loop.
 */
export interface StepGate {
  /**
   * Runs a step when its turn comes. Lines take turns, so one with many steps delays each other line by one step. The
   * live world has every second turn, however many sandboxes wait.
   * @param line a name that steps share if they wait for one another, such as the id of a world
   */
  run<T>(line: string, step: () => Promise<T>): Promise<T>;
}

/** One for the process. */
export function newStepGate(): StepGate {
  // a Map keeps the order of its keys: the first line is the next one
  const lines = new Map<string, (() => Promise<void>)[]>();
  let underWay = 0;
  let isScheduled = false;
  const schedule = () => {
    if (isScheduled || lines.size === 0 || underWay >= MOST_STEPS_AT_ONCE) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      begin();
      schedule();
    });
  };
  let wasLive = false;
  const begin = () => {
    const line = !wasLive && lines.has(LIVE_WORLD.id) ? LIVE_WORLD.id : lines.keys().next().value!;
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
  };
}
