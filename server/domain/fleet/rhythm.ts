import { localTimeAt } from '../local-time.ts';
import { HOUR_MS } from '../time.ts';

/** The fraction of cars on duty at each local hour, with linear interpolation between hours. */
const AT_WORK = [
  0.6, 0.55, 0.5, 0.5, 0.5, 0.55, 0.65, 0.8, 0.95, 0.95, 0.85, 0.8, 0.8, 0.8, 0.8, 0.85, 0.95, 1, 1, 0.95, 0.9, 0.85,
  0.8, 0.7,
] as const;

/** The fraction of an area's cars on duty at a given time, 0.5 to 1. */
export function shareAtWork(timeZone: string, at: number): number {
  const local = localTimeAt(timeZone, at);
  const intoHour = local.minute / 60 + local.second / 3600;
  return AT_WORK[local.hour]! * (1 - intoHour) + AT_WORK[(local.hour + 1) % 24]! * intoHour;
}

/**
 * A driver's rank, 0 to 1. The driver works while the rank is below `shareAtWork`. The rank oscillates slowly, so that
 * every driver works in shifts, and all drivers' ranks are evenly spread at any time.
 * @param phase 0 to 1
 * @param period in hours
 */
export function shiftRank(phase: number, period: number, at: number): number {
  const turn = (phase + at / (period * HOUR_MS)) % 1;
  return Math.abs(2 * turn - 1);
}
