import { DateTime } from 'luxon';
import { MINUTE_MS, SECOND_MS } from './time.ts';

/** What a clock on the wall shows. */
export interface LocalTime {
  /** 1 (Monday) to 7. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

interface KnownMinute extends Omit<LocalTime, 'second'> {
  readonly minuteUtc: number;
}

/** The latest minute of each zone. The zones are those of the cities, so there are few. */
const latest = new Map<string, KnownMinute>();

/** The local time at an instant, milliseconds UTC. Offsets are whole minutes, so a minute is computed once. */
export function localTimeAt(timeZone: string, at: number): LocalTime {
  const minuteUtc = Math.floor(at / MINUTE_MS);
  const { weekday, hour, minute } = minuteAt(timeZone, minuteUtc);
  return { weekday, hour, minute, second: Math.floor((at - minuteUtc * MINUTE_MS) / SECOND_MS) };
}

function minuteAt(timeZone: string, minuteUtc: number): KnownMinute {
  const known = latest.get(timeZone);
  if (known?.minuteUtc === minuteUtc) return known;
  const { weekday, hour, minute } = DateTime.fromMillis(minuteUtc * MINUTE_MS, { zone: timeZone });
  const found = { minuteUtc, weekday, hour, minute };
  latest.set(timeZone, found);
  return found;
}
