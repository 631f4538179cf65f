import { REQUESTS, type Schema } from '../../generated/requests.ts';
import type { OperationId } from '../../generated/server.ts';
import type { Fault } from './faults.ts';
import { type Form, readForm } from './form.ts';
import { problemWithInstant } from './instants.ts';

/** A decimal number. The validator would also accept hexadecimal. */
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const WHOLE = /^[+-]?\d+$/;

/**
 * Makes the query reader of an operation. It finds the faults that the validator cannot see. An OAuth parameter without
 * a value counts as omitted (RFC 6749, section 3.1).
 */
export function queryReader(operation: OperationId): (url: string) => Form {
  const { query, hasOpenQuery } = REQUESTS[operation];
  const rules = { known: new Set(Object.keys(query)), isOpen: hasOpenQuery };
  return (url) => {
    const at = url.indexOf('?');
    if (at === -1) return { values: {}, faults: [] };
    const { values, faults } = readForm(url.slice(at + 1), rules);
    const given = Object.entries(values).filter(([, value]) => !rules.isOpen || value !== '');
    const read = given.map(([name, value]) => [name, readPlus(query[name]!, value)] as const);
    const misspelled = read.flatMap(([name, value]): Fault[] => {
      const problem = problemWith(query[name]!, value);
      return problem === null ? [] : [{ name, problem }];
    });
    return { values: Object.fromEntries(read), faults: [...faults, ...misspelled] };
  };
}

/** An unencoded + of an offset arrives as a space, which no instant contains. */
function readPlus({ format }: Schema, value: string): string {
  return format === 'date-time' ? value.replace(/ (?=\d\d(:?\d\d)?$)/, '+') : value;
}

function problemWith({ type, format, 'x-earliest': earliest }: Schema, value: string): string | null {
  if (type === 'integer' && !WHOLE.test(value)) return 'must be an integer, written in digits';
  if (type === 'number' && !DECIMAL.test(value)) return 'must be a number';
  // the validator lets Infinity pass its limits
  if ((type === 'integer' || type === 'number') && !Number.isFinite(Number(value))) return 'must be a finite number';
  return format === 'date-time' ? problemWithInstant(value, earliest) : null;
}
