import { REQUESTS, type Schema } from '../../generated/requests.ts';
import type { OperationId } from '../../generated/server.ts';
import { own } from '../domain/own.ts';
import { type Form, readForm } from './form.ts';
import { gotValue } from './got.ts';
import { isInstant, readInstant } from './instants.ts';

/** A decimal number. The validator would also accept hexadecimal. */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const WHOLE = /^[+-]?\d+$/;

/**
 * Makes an operation's query reader. It finds faults that the validator cannot see. An OAuth parameter without a value
 * counts as omitted (RFC 6749, section 3.1).
 */
export function queryReader(operation: OperationId): (url: string) => Form {
  const { query, hasOpenQuery } = REQUESTS[operation];
  const rules = { known: new Set(Object.keys(query)), isOpen: hasOpenQuery };
  return (url) => {
    const at = url.indexOf('?');
    if (at === -1) return { values: {}, faults: [] };
    const form = readForm(url.slice(at + 1), rules);
    const values: Record<string, string> = {};
    const faults = [...form.faults];
    for (const [name, sent] of Object.entries(form.values)) {
      if (rules.isOpen && sent === '') continue;
      const { value = sent, problem } = readValue(own(query, name)!, sent);
      values[name] = value;
      if (problem !== undefined) faults.push({ name, problem: problem + gotValue(operation, name, sent, true) });
    }
    return { values, faults };
  };
}

interface ReadValue {
  /** Replaces the sent value. */
  readonly value?: string;
  readonly problem?: string;
}

const AS_SENT: ReadValue = {};

function readValue(schema: Schema, value: string): ReadValue {
  if (isInstant(schema)) {
    // an unencoded + in an offset arrives as a space, and instants contain no spaces
    const found = readInstant(value.replace(/ (?=\d\d(:?\d\d)?$)/, '+'), schema['x-earliest']);
    return 'instant' in found ? { value: found.instant } : found;
  }
  const problem = problemWith(schema, value);
  return problem === null ? AS_SENT : { problem };
}

function problemWith({ type }: Schema, value: string): string | null {
  if (type === 'integer' && !WHOLE.test(value)) return 'must be an integer';
  if (type === 'number' && !DECIMAL.test(value)) return 'must be a number';
  // the validator's limits accept Infinity
  if ((type === 'integer' || type === 'number') && !Number.isFinite(Number(value))) return 'must be a finite number';
  return null;
}
