import type { OperationId } from '../../generated/server.ts';
import { malformedCode } from './faults.ts';

/** A word in the name of a field that holds a secret or personal data. A refusal never repeats the value. */
const PRIVATE_WORD = /^(?:address|authorization|code|cookie|email|feedback|name|password|phone|secret|token|uri|url)$/i;
/**
 * Texts that are safe to repeat anywhere: a word, a date and time, or a number or percentage with at most eight digits
 * before the point. Secrets and personal data can be sent in any field, and do not look like this.
 */
const SHOWABLE =
  /^(?:[a-z][a-z_.-]{0,23}|[+-]?\d{1,8}(?:\.\d{1,20})?%?|\d{4}-\d\d-\d\d(?:[T ][\d:.]{1,18}(?:Z|[ +-]\d\d(?::?\d\d)?)?)?)$/i;
/**
 * Characters of a value that an error description shows.
 * @beyond a longer value, which cut.ts may have shortened, is described
 */
export const LONGEST_SHOWN = 60;
const NUMBER = /^[+-]?\d{1,8}(?:\.\d{1,20})?$/;

/**
 * Continues the sentence about a wrong value: `; got 91`. Empty if the value is private or omitted. OAuth errors never
 * show a value, because their descriptions allow no quotation marks (RFC 6749, section 5.2), and most OAuth parameters
 * are secrets.
 * @param name full path of the field, such as origin.lat
 * @param isUntyped whether numbers arrive as texts, as in a query
 */
export function gotValue(operation: OperationId, name: string, value: unknown, isUntyped = false): string {
  if (value === undefined || isPrivate(operation, name)) return '';
  return `; got ${isUntyped && NUMBER.test(String(value)) ? value : shown(value)}`;
}

/** The same with the length of a text or a list: `; got 51`. Empty for an empty one. */
export function gotCount(operation: OperationId, name: string, value: unknown): string {
  if (isPrivate(operation, name)) return '';
  const count = typeof value === 'string' ? [...value].length : Array.isArray(value) ? value.length : 0;
  return count === 0 ? '' : `; got ${count}`;
}

function isPrivate(operation: OperationId, name: string): boolean {
  if (malformedCode(operation) === 'invalid_request') return true;
  return name.split(/[._-]/).some((word) => PRIVATE_WORD.test(word));
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'number') return /\d{9}/.test(String(value).split('.')[0]!) ? 'a large number' : String(value);
  if (typeof value !== 'string') return String(value);
  if (value === '') return 'an empty string';
  if (value.length > LONGEST_SHOWN) return `a string of more than ${LONGEST_SHOWN} characters`;
  return SHOWABLE.test(value) ? JSON.stringify(value) : `a string of ${[...value].length} characters`;
}
