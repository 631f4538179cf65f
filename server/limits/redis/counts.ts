import type { Throttles } from '../throttles.ts';
import type { CountCall } from '../windows.ts';
import { countInRedis } from './calls.ts';
import type { ScriptClock } from './clock.ts';
import type { Redis } from './connection.ts';
import type { NameOf } from './names.ts';
import { slowDownInRedis } from './slow-down.ts';
import { throttleInRedis } from './throttle.ts';

/** The counters for all servers that share a Redis. @param clock the clock of the throttles */
export function countsInRedis(
  redis: Redis,
  nameOf: NameOf,
  clock: ScriptClock = null,
): { readonly countCall: CountCall; readonly throttles: Throttles } {
  const throttles = {
    throttle: throttleInRedis(redis, nameOf, clock),
    slowDown: slowDownInRedis(redis, nameOf, clock),
  };
  return { countCall: countInRedis(redis, nameOf), throttles };
}
