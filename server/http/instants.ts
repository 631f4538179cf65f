import { DateTime } from 'luxon';
import type { Schema } from '../../generated/requests.ts';
import type { OperationId } from '../../generated/server.ts';
import { own } from '../domain/own.ts';
import type { Fault } from './faults.ts';
import { gotValue } from './got.ts';

const HOUR = '([01]\\d|2[0-3])';
const MINUTE = '[0-5]\\d';
const SECOND = '([0-5]\\d|60)';
/** A leap second, which our clocks do not have. */
const LEAP = /(?<minute>T..:?..:?)60([.,]\d{1,30})?/;
/** Luxon does not read more digits. */
const FRACTION = '([.,]\\d{1,30})?';
const EXTENDED = `\\d{4}-\\d\\d-\\d\\dT${HOUR}:${MINUTE}(:${SECOND}${FRACTION})?`;
const BASIC = `\\d{8}T${HOUR}${MINUTE}(${SECOND}${FRACTION})?`;
/** ISO 8601, extended or basic, with an offset. Excludes 24:00. */
export const INSTANT = new RegExp(`^(${EXTENDED}|${BASIC})(Z|[+-]${HOUR}(:?${MINUTE})?)$`);
/** The form that most clients send. It needs no conversion. */
const IN_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;
const SECONDS_LENGTH = 'YYYY-MM-DDThh:mm:ss'.length;
const EXAMPLE = 'such as 2026-05-12T18:00:00Z';

/** The instant in RFC 3339 format, the only one the validator reads; or the problem, worded like Fault.problem. */
type ReadInstant = { readonly instant: string } | { readonly problem: string };

/** @param earliest RFC 3339, inclusive */
export function readInstant(sent: string, earliest: string | undefined): ReadInstant {
  const read = readInUtc(sent) ?? readAny(sent);
  if ('problem' in read) return read;
  const isEarly = earliest !== undefined && Date.parse(read.instant) < Date.parse(earliest);
  return isEarly ? { problem: `must not be before ${earliest}` } : read;
}

/** Null for any other format, and for dates that do not exist. */
function readInUtc(sent: string): { readonly instant: string } | null {
  if (!IN_UTC.test(sent)) return null;
  const ms = Date.parse(sent);
  if (Number.isNaN(ms)) return null;
  const instant = new Date(ms).toISOString();
  // Date reads February 30 as March 2
  return instant.startsWith(sent.slice(0, SECONDS_LENGTH)) ? { instant } : null;
}

function readAny(sent: string): ReadInstant {
  const value = sent.toUpperCase();
  if (!INSTANT.test(value)) return { problem: `must be an ISO 8601 date and time with an offset, ${EXAMPLE}` };
  // checked in its own offset: in UTC, the year can have five digits
  const instant = DateTime.fromISO(value.replace(LEAP, '$<minute>59.999'), { setZone: true });
  if (!instant.isValid) return { problem: `must be a date and time that exists, ${EXAMPLE}` };
  return { instant: instant.toISO() };
}

export function isInstant({ format, 'x-earliest': earliest }: Pick<Schema, 'format' | 'x-earliest'>): boolean {
  return format === 'date-time' || earliest !== undefined;
}

/** Whether a schema has instants where readInstantsIn looks for them. */
export function hasInstants(schema: Schema): boolean {
  return isInstant(schema) || Object.values(schema.properties ?? {}).some(hasInstants);
}

/** A copy of a body with its instants in RFC 3339 format, and the faults of unreadable ones. */
export function readInstantsIn(body: unknown, schema: Schema, operation: OperationId) {
  const faults: Fault[] = [];
  const read = (value: unknown, field: Schema, names: readonly string[]): unknown => {
    if (typeof value === 'string' && isInstant(field)) {
      const found = readInstant(value, field['x-earliest']);
      if ('instant' in found) return found.instant;
      const name = names.join('.');
      faults.push({ name, problem: found.problem + gotValue(operation, name, value) });
    }
    if (field.properties === undefined || typeof value !== 'object' || value === null || Array.isArray(value))
      return value;
    const { properties } = field;
    const fields = Object.entries(value).map(([name, inner]) => {
      return [name, read(inner, own(properties, name) ?? {}, [...names, name])];
    });
    return Object.fromEntries(fields);
  };
  return { value: read(body, schema, []), faults };
}
