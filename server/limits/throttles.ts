import { type Slowing, slowDown } from './slow-down.ts';
import { type Limit, throttle, type Verdict } from './throttle.ts';

/** Counts an attempt before it is made. A counter shared by several processes is asynchronous. */
export type CountAttempt<Attempt> = (attempt: Attempt) => Verdict | Promise<Verdict>;

/** Creates counters of attempts. Names must be unique, because processes share counts by name. */
export interface Throttles {
  throttle<Attempt>(name: string, limits: readonly Limit<Attempt>[], multiplier: number): CountAttempt<Attempt>;
  slowDown<Attempt>(name: string, slowing: Slowing<Attempt>, multiplier: number): CountAttempt<Attempt>;
}

/** Counts in this process only. */
export const THROTTLES_IN_MEMORY: Throttles = {
  throttle: (_name, limits, multiplier) => throttle(limits, multiplier),
  slowDown: (_name, slowing, multiplier) => slowDown(slowing, multiplier),
};
