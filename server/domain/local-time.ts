import { DateTime } from 'luxon';
import { MINUTE_MS, SECOND_MS } from './time.ts';

interface KnownMinute {
  readonly minuteUtc: number;
  /** 1 (Monday) to 7. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
}

/** The latest minute of each time zone. Few cities are served, so there are few zones. */
const latest = new Map<string, KnownMinute>();

/** The local time at `at`, in milliseconds UTC. Offsets are whole minutes, so each minute is computed once. */
export function localTimeAt(timeZone: string, at: number) {
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
