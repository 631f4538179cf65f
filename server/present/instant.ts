import type { Clock } from '../../generated/types.ts';
import { unfinishedAt, type WorldClock, worldTime } from '../domain/worlds/clock.ts';

/** An instant as responses show it: UTC, with the offset +00:00. @param at milliseconds UTC */
export function presentInstant(at: number): string {
  return new Date(at).toISOString().replace('Z', '+00:00');
}

/** A world's clock at a real time, in milliseconds UTC. */
export function presentClock(clock: WorldClock, realNow: number): Clock {
  const unfinished = unfinishedAt(clock, realNow);
  return {
    state: clock.running ? 'running' : 'frozen',
    now: presentInstant(worldTime(clock, realNow)),
    advancing_to: unfinished && presentInstant(unfinished.until),
  };
}
