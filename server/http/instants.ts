import { DateTime } from 'luxon';

/** RFC 3339, with the shorter offsets of ISO 8601 (+01, +0100). No 24:00, and no leap second: our clocks have none. */
const INSTANT = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3])(:?[0-5]\d)?)$/;

/** What is wrong with an instant, worded as Fault.problem; null if nothing is. @param earliest ISO 8601, inclusive */
export function problemWithInstant(sent: string, earliest: string | undefined): string | null {
  const value = sent.toUpperCase();
  if (!INSTANT.test(value)) return 'must be an ISO 8601 instant with an offset';
  const instant = DateTime.fromISO(value);
  if (!instant.isValid) return 'must be an instant of the calendar';
  return earliest !== undefined && instant.toMillis() < Date.parse(earliest) ? `must not be before ${earliest}` : null;
}

/** Milliseconds UTC of a valid instant. */
export function instantOf(sent: string): number {
  return DateTime.fromISO(sent.toUpperCase()).toMillis();
}
