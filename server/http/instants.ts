import { DateTime } from 'luxon';
import type { Schema } from '../../generated/requests.ts';
import type { Fault } from './faults.ts';
import { own } from './own.ts';

const HOUR = '([01]\\d|2[0-3])';
const MINUTE = '[0-5]\\d';
/** More digits than luxon reads are no instant. */
const FRACTION = '([.,]\\d{1,30})?';
const EXTENDED = `\\d{4}-\\d\\d-\\d\\dT${HOUR}:${MINUTE}(:${MINUTE}${FRACTION})?`;
const BASIC = `\\d{8}T${HOUR}${MINUTE}(${MINUTE}${FRACTION})?`;
/** ISO 8601, extended or basic, with an offset. No 24:00, and no leap second: our clocks have none. */
export const INSTANT = new RegExp(`^(${EXTENDED}|${BASIC})(Z|[+-]${HOUR}(:?${MINUTE})?)$`);
/** The form that most clients send, and that is passed on. */
const IN_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;
const SECONDS_LENGTH = 'YYYY-MM-DDThh:mm:ss'.length;
const EXAMPLE = 'such as 2026-05-12T18:00:00Z';

/** An instant as RFC 3339 writes it, which is all that the validator reads; or what is wrong, worded as Fault.problem. */
export type ReadInstant = { readonly instant: string } | { readonly problem: string };

/** @param earliest RFC 3339, inclusive */
export function readInstant(sent: string, earliest: string | undefined): ReadInstant {
  const read = readInUtc(sent) ?? readAny(sent);
  if ('problem' in read) return read;
  const isEarly = earliest !== undefined && Date.parse(read.instant) < Date.parse(earliest);
  return isEarly ? { problem: `must not be before ${earliest}` } : read;
}

/** Null for any other form, and for what is not in the calendar. */
function readInUtc(sent: string): { readonly instant: string } | null {
  if (!IN_UTC.test(sent)) return null;
  const ms = Date.parse(sent);
  if (Number.isNaN(ms)) return null;
  const instant = new Date(ms).toISOString();
  // Date takes February 30 for March 2
  return instant.startsWith(sent.slice(0, SECONDS_LENGTH)) ? { instant } : null;
}

function readAny(sent: string): ReadInstant {
  const value = sent.toUpperCase();
  if (!INSTANT.test(value)) return { problem: `must be an ISO 8601 instant with an offset, ${EXAMPLE}` };
  // in its own offset, because in UTC a year can have five digits
  const instant = DateTime.fromISO(value, { setZone: true });
  if (!instant.isValid) return { problem: `must be an instant of the calendar, ${EXAMPLE}` };
  return { instant: instant.toISO() };
}

/** Whether a schema has instants in the fields of its objects, where readInstantsIn looks for them. */
export function hasInstants({ format, properties = {} }: Schema): boolean {
  return format === 'date-time' || Object.values(properties).some(hasInstants);
}

/** A copy of a body with its instants as RFC 3339 writes them, and the faults of those that cannot be read. */
export function readInstantsIn(body: unknown, schema: Schema | null): { value: unknown; faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const read = (value: unknown, field: Schema, names: readonly string[]): unknown => {
    if (typeof value === 'string' && field.format === 'date-time') {
      const found = readInstant(value, field['x-earliest']);
      if ('instant' in found) return found.instant;
      faults.push({ name: names.join('.'), problem: found.problem });
    }
    if (field.properties === undefined || typeof value !== 'object' || value === null || Array.isArray(value))
      return value;
    const { properties } = field;
    const fields = Object.entries(value).map(([name, inner]) => {
      return [name, read(inner, own(properties, name) ?? {}, [...names, name])];
    });
    return Object.fromEntries(fields);
  };
  return { value: schema === null ? body : read(body, schema, []), faults };
}
