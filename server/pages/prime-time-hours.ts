import { Info } from 'luxon';
import type { PrimeTimeHours } from '../domain/service-area.ts';

/** A Prime Time's days in words, such as `Monday to Friday` or `Friday and Saturday`. */
export function daysInWords({ days }: PrimeTimeHours): string {
  // created here, not at module level, because a locale loads slowly
  const dayNames = Info.weekdays('long', { locale: 'en' });
  const names = days.map((day) => dayNames[day - 1]!);
  const isRow = days.every((day, i) => i === 0 || day === days[i - 1]! + 1);
  return isRow && names.length > 2 ? `${names[0]} to ${names.at(-1)}` : new Intl.ListFormat('en').format(names);
}

/** A Prime Time's hours, such as `17:00 to 19:00`. */
export function hoursInWords({ fromHour, toHour }: PrimeTimeHours): string {
  return `${clock(fromHour)} to ${clock(toHour)}`;
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
