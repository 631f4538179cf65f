import { SECOND_MS } from '../../domain/time.ts';
import { FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS, paceOf, slowDown } from '../slow-down.ts';
import type { Throttles } from '../throttles.ts';
import { CLOCK, type ScriptClock, sentClock } from './clock.ts';
import { type Redis, scriptOf } from './connection.ts';
import type { NameOf } from './names.ts';
import { verdictOf } from './verdict.ts';

/**
 * The Redis version of slowDown in http/slow-down.ts. tests/redis/same-verdicts.test.ts checks that both reach the same
 * verdicts.
 *
 * KEYS: one for each pace; then the shared key, if any; then the caller's. ARGV: the clock; whether a key is shared (1
 * or 0); how long to remember when a caller may try; and for each pace and the shared key, the number of free attempts,
 * how long an attempt counts, and how many are remembered. Returns the milliseconds to wait. If that is 0, also returns
 * the clock, whether the caller's wait was used up, and for each counter when it opens and how many attempts were
 * added.
 */
const TAKE = scriptOf(`${CLOCK}
local isShared, callerKeptMs = ARGV[2] == '1', tonumber(ARGV[3])
local counters = isShared and #KEYS - 1 or #KEYS
local caller = isShared and KEYS[#KEYS]
-- every digit of a number that is not whole
local function text(number) return string.format('%.17g', number) end
local function save(key, tries, opensAt, forgetMs)
  redis.call('hset', key, 'tries', text(tries), 'countedAt', text(now), 'opensAt', text(opensAt))
  -- at least as long as one attempt counts, because our clock can be set back
  redis.call('pexpire', key, math.ceil(math.max(math.max(tries, 1) * forgetMs, opensAt - now)))
end
local function waitMsAfter(tries, free)
  local whole = math.ceil(tries)
  if whole < free then return 0 end
  return math.min(${LONGEST_WAIT_SECONDS}, ${FIRST_WAIT_SECONDS} * 2 ^ (whole - free)) * ${SECOND_MS}
end

local counts = {}
local function read(i)
  local free, forgetMs, most = tonumber(ARGV[3 * i + 1]), tonumber(ARGV[3 * i + 2]), tonumber(ARGV[3 * i + 3])
  local known = redis.call('hmget', KEYS[i], 'tries', 'countedAt', 'opensAt')
  local tries, countedAt, opensAt = tonumber(known[1]) or 0, tonumber(known[2]) or now, tonumber(known[3]) or now
  if countedAt > now then
    -- the clock was set back: keep the remaining wait
    opensAt, countedAt = opensAt - (countedAt - now), now
    save(KEYS[i], tries, opensAt, forgetMs)
  end
  tries = math.max(0, tries - (now - countedAt) / forgetMs)
  counts[i] = { free = free, forgetMs = forgetMs, most = most, tries = tries, opensAt = opensAt }
end

local paces = isShared and counters - 1 or counters
local opening = now
for i = 1, paces do
  read(i)
  opening = math.max(opening, counts[i].opensAt)
end
if opening > now then return { opening - now } end

local crowdWaitMs = 0
if isShared then
  read(counters)
  crowdWaitMs = waitMsAfter(counts[counters].tries, counts[counters].free)
end
local function openCallerAt(at) redis.call('set', caller, text(at), 'px', math.ceil(math.max(at - now, 0) + callerKeptMs)) end
if crowdWaitMs > 0 then
  local ownOpening = math.min(tonumber(redis.call('get', caller)) or math.huge, now + crowdWaitMs)
  openCallerAt(ownOpening)
  if ownOpening > now then return { ownOpening - now } end
  openCallerAt(now + crowdWaitMs)
end

local reply = { 0, text(now), crowdWaitMs > 0 and '1' or '0' }
for i = 1, counters do
  local count = counts[i]
  local tries = math.min(count.most, count.tries + 1)
  local opensAt = now + waitMsAfter(tries, count.free)
  save(KEYS[i], tries, opensAt, count.forgetMs)
  reply[#reply + 1] = text(opensAt)
  reply[#reply + 1] = text(tries - count.tries)
end
return reply
`);

/**
 * KEYS: as above. ARGV: the clock of the attempt; whether the caller's wait was used up; how long to remember when a
 * caller may try; for each counter, when it opens and how many attempts were added.
 */
const TAKE_BACK = scriptOf(`
local counters = (#ARGV - 3) / 2
for i = 1, counters do
  local known = redis.call('hmget', KEYS[i], 'tries', 'opensAt')
  if known[1] then
    local tries = math.max(0, tonumber(known[1]) - tonumber(ARGV[2 * i + 3]))
    redis.call('hset', KEYS[i], 'tries', string.format('%.17g', tries))
    if known[2] == ARGV[2 * i + 2] then redis.call('hset', KEYS[i], 'opensAt', ARGV[1]) end
  end
end
if ARGV[2] == '1' then redis.call('set', KEYS[#KEYS], ARGV[1], 'px', ARGV[3]) end
return 0
`);

/** The same for all servers that share a Redis, or in this process only while Redis is unavailable. */
export function slowDownInRedis(redis: Redis, nameOf: NameOf, clock: ScriptClock): Throttles['slowDown'] {
  return (name, slowing, multiplier) => {
    const countHere = slowDown(slowing, multiplier);
    const { paces, shared } = slowing;
    const callerKeptMs = String((shared?.windowSeconds ?? 0) * SECOND_MS);
    const limits = shared ? [...paces, shared] : paces;
    return (attempt) => {
      const here = countHere(attempt);
      const counters = limits.flatMap((limit, index) => {
        const key = limit.keyOf(attempt);
        if (key === null) return [];
        const { free, forgetMs, most } = paceOf(limit, multiplier);
        return [{ key: nameOf(`${name}:${index}`, key), args: [free, forgetMs, most].map(String) }];
      });
      const isShared = shared !== undefined && shared.keyOf(attempt) !== null;
      const caller = isShared ? [nameOf(`${name}:callers`, shared.callerOf(attempt))] : [];
      const keys = [...counters.map(({ key }) => key), ...caller];
      const settings = [sentClock(clock), isShared ? '1' : '0', callerKeptMs];
      const counting = redis.run(TAKE, keys, [...settings, ...counters.flatMap(({ args }) => args)]);
      return verdictOf(here, counting, ([now = '', isCallersWait = '', ...added]) => {
        void redis.run(TAKE_BACK, keys, [now, isCallersWait, callerKeptMs, ...added]);
      });
    };
  };
}
