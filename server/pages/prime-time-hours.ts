import { Info } from 'luxon';
import type { PrimeTimeHours } from '../domain/service-area.ts';

/** The days of a Prime Time in words: `Monday to Friday`, `Friday and Saturday`. */
export function daysInWords({ days }: PrimeTimeHours): string {
  // not above: a locale takes long to load
  const dayNames = Info.weekdays('long', { locale: 'en' });
  const names = days.map((day) => dayNames[day - 1]!);
  const isRow = days.every((day, i) => i === 0 || day === days[i - 1]! + 1);
  return isRow && names.length > 2 ? `${names[0]} to ${names.at(-1)}` : new Intl.ListFormat('en').format(names);
}

/** The hours of a Prime Time: `17:00 to 19:00`. */
export function hoursInWords({ fromHour, toHour }: PrimeTimeHours): string {
  return `${clock(fromHour)} to ${clock(toHour)}`;
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
