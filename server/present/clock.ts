import type { Clock } from '../../generated/types.ts';
import { unfinishedAt, type WorldClock, worldTime } from '../domain/worlds/clock.ts';
import { presentInstant } from './instant.ts';

/** A world's clock at a real time, in milliseconds UTC. */
export function presentClock(clock: WorldClock, realNow: number): Clock {
  const unfinished = unfinishedAt(clock, realNow);
  return {
    state: clock.running ? 'running' : 'frozen',
    now: presentInstant(worldTime(clock, realNow)),
    advancing_to: unfinished && presentInstant(unfinished.until),
  };
}
