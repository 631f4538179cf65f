import { type Slowing, slowDown } from './slow-down.ts';
import { type Limit, throttle, type Verdict } from './throttle.ts';

/** Counts an attempt before it is made. What counts for several processes answers later. */
export type CountAttempt<Attempt> = (attempt: Attempt) => Verdict | Promise<Verdict>;

/** Makes what counts attempts. Each has a name of its own, because the throttles of several processes share counts by name. */
export interface Throttles {
  throttle<Attempt>(name: string, limits: readonly Limit<Attempt>[], multiplier: number): CountAttempt<Attempt>;
  slowDown<Attempt>(name: string, slowing: Slowing<Attempt>, multiplier: number): CountAttempt<Attempt>;
}

/** Count for this process alone. */
export const THROTTLES_IN_MEMORY: Throttles = {
  throttle: (_name, limits, multiplier) => throttle(limits, multiplier),
  slowDown: (_name, slowing, multiplier) => slowDown(slowing, multiplier),
};
