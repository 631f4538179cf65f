import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../server/domain/time.ts';

const TIMES = { days: DAY_MS, h: HOUR_MS, min: MINUTE_MS, s: SECOND_MS, ms: 1 };

/** A limit with its unit, which its name ends with; undefined if its value is not known. */
export function figureOf(name: string, value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null) return figuresOf(name, value);
  if (typeof value !== 'number') return undefined;
  const unit = /([A-Z]?[a-z]+|[A-Z]+)$/.exec(name)![0].toLowerCase();
  if (['ms', 'timeout', 'interval'].includes(unit)) return time(value);
  if (unit === 'seconds') return time(value * SECOND_MS);
  if (unit === 'bytes' && value % 1024 === 0) return `${count(value / 1024)} KiB`;
  return ['bytes', 'characters', 'miles', 'hours', 'days'].includes(unit) ? `${count(value)} ${unit}` : count(value);
}

/** Several limits, a count in a window, or a table. */
function figuresOf(name: string, table: object): string {
  if (Array.isArray(table)) {
    const figures = table.map((one) => figureOf(name, one)).join(', ');
    // a window in common is stated once
    return figures.replaceAll(/( in [^,]+)(?=,.*\1$)/g, '');
  }
  const counts = Object.entries(table).filter(([, value]) => typeof value === 'number');
  if (!('windowSeconds' in table)) return counts.map(([key, value]) => `${key} ${figureOf(key, value)}`).join(', ');
  return counts.map(([key, value]) => figureOf(key, value)).join(' in ');
}

function time(ms: number): string {
  const [unit, length] = Object.entries(TIMES).find(([, length]) => ms % length === 0) ?? ['ms', 1];
  return `${count(ms / length)} ${unit}`;
}

function count(value: number): string {
  return value.toLocaleString('en');
}
