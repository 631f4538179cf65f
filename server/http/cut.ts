import type { Schema } from '../../generated/requests.ts';
import { own } from '../domain/own.ts';
import { MOST_FAULTS } from './faults.ts';

/** UTF-16 code units per character. */
const UNITS_PER_CHARACTER = 2;

/**
 * Shrinks a value that its schema refuses to one that it refuses for the same reason. A text keeps one character more
 * than the maximum, and a list one item more. An object or list of the wrong type becomes empty. Unknown fields become
 * null, and one more is kept than is reported. So the schema, not the body, bounds the cost of later checks: patterns,
 * formats, uniqueItems, and the validator's errors, one per unknown field.
 */
export function cut(value: unknown, { maxLength, items, maxItems = 0, properties }: Schema): unknown {
  if (typeof value === 'string') {
    return maxLength === undefined ? value : value.slice(0, UNITS_PER_CHARACTER * (maxLength + 1));
  }
  if (Array.isArray(value)) return items ? value.slice(0, maxItems + 1).map((item) => cut(item, items)) : [];
  if (typeof value !== 'object' || value === null) return value;
  if (properties === undefined) return {};
  let unknownFields = 0;
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const schema = own(properties, name);
    if (schema !== undefined) return [[name, cut(field, schema)]];
    unknownFields += 1;
    return unknownFields > MOST_FAULTS + 1 ? [] : [[name, null]];
  });
  return Object.fromEntries(fields);
}
