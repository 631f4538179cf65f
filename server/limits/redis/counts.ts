import { SECOND_MS } from '../../domain/time.ts';
import type { Throttles } from '../throttles.ts';
import { type CountCall, countInMemory } from '../windows.ts';
import type { ScriptClock } from './clock.ts';
import { type Redis, scriptOf } from './connection.ts';
import type { NameOf } from './names.ts';
import { slowDownInRedis } from './slow-down.ts';
import { throttleInRedis } from './throttle.ts';

/** The counters for all servers that share a Redis. @param clock the clock of the throttles */
export function countsInRedis(redis: Redis, nameOf: NameOf, clock: ScriptClock = null) {
  const throttles: Throttles = {
    throttle: throttleInRedis(redis, nameOf, clock),
    slowDown: slowDownInRedis(redis, nameOf, clock),
  };
  return { countCall: countInRedis(redis, nameOf), throttles };
}

/** A window begins with its first call, and ends when its key expires. */
const COUNT = scriptOf(`
local calls = redis.call('incr', KEYS[1])
local left = redis.call('pttl', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('pexpire', KEYS[1], left)
end
return { calls, left }
`);

/** Counts calls across all servers that share a Redis, or in this process only while Redis is unavailable. */
function countInRedis(redis: Redis, nameOf: NameOf): CountCall {
  const countHere = countInMemory();
  return (window, key) => {
    // also counted locally, so that the count continues if Redis becomes unavailable
    const here = countHere(window, key);
    if (redis.isAway()) return here;
    const name = nameOf(`calls:${window.bucket}`, key);
    return redis.run(COUNT, [name], [String(window.windowSeconds * SECOND_MS)]).then((counted) => {
      if (counted === null) return here;
      const [calls, msLeft] = counted as [number, number];
      return { calls, msLeft };
    });
  };
}
