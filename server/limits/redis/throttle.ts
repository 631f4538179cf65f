import { SECOND_MS } from '../../domain/time.ts';
import { attemptsOf, throttle } from '../throttle.ts';
import type { Throttles } from '../throttles.ts';
import { CLOCK, type ScriptClock, sentClock } from './clock.ts';
import { type Redis, scriptOf } from './connection.ts';
import type { NameOf } from './names.ts';
import { verdictOf } from './verdict.ts';

/**
 * KEYS: one for each limit. ARGV: the clock; for each limit, the number of allowed attempts and the window in
 * milliseconds. Returns the milliseconds to wait and, if that is 0, when each window ends.
 */
const TAKE = scriptOf(`${CLOCK}
local counts = {}
for i, key in ipairs(KEYS) do
  local most, windowMs = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local known = redis.call('hmget', key, 'attempts', 'endsAt')
  local attempts, endsAt = tonumber(known[1]), tonumber(known[2])
  if not endsAt or endsAt <= now then attempts, endsAt = 0, now + windowMs end
  if attempts >= most then return { endsAt - now } end
  counts[i] = { attempts, endsAt, windowMs }
end
local reply = { 0 }
for i, key in ipairs(KEYS) do
  local attempts, endsAt, windowMs = unpack(counts[i])
  redis.call('hset', key, 'attempts', attempts + 1, 'endsAt', endsAt)
  -- for the whole window, because our clock can be set back
  redis.call('pexpire', key, math.max(windowMs, endsAt - now))
  reply[i + 1] = endsAt
end
return reply
`);

/** KEYS: one for each limit. ARGV: when the attempt's window ends. A new window may have begun. */
const TAKE_BACK = scriptOf(`
for i, key in ipairs(KEYS) do
  if redis.call('hget', key, 'endsAt') == ARGV[i] then redis.call('hincrby', key, 'attempts', -1) end
end
return 0
`);

/** The same for all servers that share a Redis, or in this process only while Redis is unavailable. */
export function throttleInRedis(redis: Redis, nameOf: NameOf, clock: ScriptClock): Throttles['throttle'] {
  return (name, limits, multiplier) => {
    const countHere = throttle(limits, multiplier);
    return (attempt) => {
      const here = countHere(attempt);
      const concerned = limits.flatMap((limit, index) => {
        const key = limit.keyOf(attempt);
        if (key === null) return [];
        const most = attemptsOf(limit, multiplier);
        return [{ key: nameOf(`${name}:${index}`, key), args: [most, limit.windowSeconds * SECOND_MS] }];
      });
      const keys = concerned.map(({ key }) => key);
      const args = concerned.flatMap(({ args }) => args.map(String));
      const counting = redis.run(TAKE, keys, [sentClock(clock), ...args]);
      return verdictOf(here, counting, (ends) => void redis.run(TAKE_BACK, keys, ends));
    };
  };
}
