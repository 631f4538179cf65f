/** Milliseconds UTC for a script; null: the Redis clock, which all servers share. */
export type ScriptClock = (() => number) | null;

export function sentClock(clock: ScriptClock): string {
  return clock === null ? '' : String(clock());
}

/** The start of a script: sets `now` to the clock, which is the first argument. */
export const CLOCK = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('time')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
`;
