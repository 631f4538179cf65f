import { DateTime } from 'luxon';
import { HOUR_MS } from '../time.ts';

/** Share of the cars that are at work at each local hour; between the hours it goes straight from one to the next. */
const AT_WORK = [
  0.6, 0.55, 0.5, 0.5, 0.5, 0.55, 0.65, 0.8, 0.95, 0.95, 0.85, 0.8, 0.8, 0.8, 0.8, 0.85, 0.95, 1, 1, 0.95, 0.9, 0.85,
  0.8, 0.7,
] as const;

/** Share of an area's cars that are at work at an instant, 0.5 to 1. */
export function shareAtWork(timeZone: string, at: number): number {
  const local = DateTime.fromMillis(at, { zone: timeZone });
  const intoHour = local.minute / 60 + local.second / 3600;
  return AT_WORK[local.hour]! * (1 - intoHour) + AT_WORK[(local.hour + 1) % 24]! * intoHour;
}

/**
 * Where a driver stands in the order of who works, 0 to 1: at work while below the share that is. It swings slowly
 * between both ends, so that every driver has shifts, and at every instant the drivers' ranks are spread evenly.
 * @param phase 0 to 1
 * @param period in hours
 */
export function shiftRank(phase: number, period: number, at: number): number {
  const turn = (phase + at / (period * HOUR_MS)) % 1;
  return Math.abs(2 * turn - 1);
}
