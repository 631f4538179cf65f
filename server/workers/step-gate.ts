import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { FairQueue } from '../limits/fair-queue.ts';

/**
 * Concurrent steps of rides, over all worlds. On PostgreSQL, a step waits for the database, and the next one can start
 * in the meantime. A sandbox has one, because its steps would wait for each other, and all sandboxes leave one to the
 * live world.
 * @beyond further ones wait; every second turn is for the live world
 */
export const MOST_STEPS_AT_ONCE = 4;

/**
 * A turn of the event loop that did no work.
 * @beyond the turn counts as work: the next step of a sandbox waits for a quiet turn, or until other work had as much
 * time as the last step
 */
const QUIET_TURN_MS = 0.2;

export type StepGate = ReturnType<typeof newStepGate>;

/**
 * Runs background work, such as timers, alongside calls: one gate per process. On SQLite, a step blocks the process until
 * it is committed, so at most one starts in each turn of the event loop. After a sandbox's step, other work gets the
 * process for as long as the step took, or until it leaves a turn unused.
 * @param now milliseconds
 */
export function newStepGate(now: () => number = () => performance.now()) {
  const queue = new FairQueue<() => Promise<void>>(MOST_STEPS_AT_ONCE);
  let isScheduled = false;
  let wasLive = false;
  /** Duration of the last sandbox step, minus the time that other work has had since. */
  let owedMs = 0;
  let spentMs = 0;
  let turnEndedAt = now();

  const schedule = () => {
    if (isScheduled || queue.nextPart() === null) return;
    isScheduled = true;
    turnEndedAt = now();
    turn();
  };
  const turn = () => {
    let begunAt: number | null = null;
    setImmediate(() => {
      const othersMs = now() - turnEndedAt;
      owedMs = othersMs < QUIET_TURN_MS ? 0 : Math.max(0, owedMs - othersMs);
      const flow = nextFlow();
      if (flow === null) return;
      begunAt = now();
      wasLive = flow.name === LIVE_WORLD.id;
      const step = flow.start();
      void step().then(() => {
        flow.end();
        schedule();
      });
    });
    // runs when the step's synchronous work has ended
    setImmediate(() => {
      turnEndedAt = now();
      const stepMs = begunAt === null ? 0 : turnEndedAt - begunAt;
      spentMs += stepMs;
      if (begunAt !== null && !wasLive) owedMs = stepMs;
      isScheduled = queue.nextPart() !== null;
      if (isScheduled) turn();
    });
  };
  const flowOf = (name: string) =>
    name === LIVE_WORLD.id ? queue.part(name) : queue.part('sandboxes', MOST_STEPS_AT_ONCE - 1).part(name, 1);
  const nextFlow = () => {
    const live = flowOf(LIVE_WORLD.id);
    if (live.waiting > 0 && (!wasLive || owedMs > 0)) return live;
    if (owedMs > 0) return null;
    const next = queue.nextPart();
    return next?.name === LIVE_WORLD.id ? next : (next?.nextPart() ?? null);
  };
  return {
    /**
     * Runs a step when its turn comes. Flows take turns, so a flow with many steps delays each other flow by one step.
     * The live world gets every second turn, regardless of how many sandboxes wait. It does not wait for time that a
     * sandbox owes.
     * @param flow shared by steps that run one after the other, such as the id of a world
     * @param step of a call, waits only briefly for a locked row: see `whileLocked`
     */
    run: <T>(flow: string, step: () => Promise<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        // resolves or rejects the caller's promise, so it never rejects itself
        flowOf(flow).add(() => step().then(resolve, reject));
        schedule();
      }),
    /** How many milliseconds all steps so far have blocked the process, each until it paused. */
    spentMs: (): number => spentMs,
  };
}
