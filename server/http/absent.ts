import type { Schema } from '../../generated/requests.ts';
import { own } from './own.ts';

/**
 * A copy of a body without the fields whose value the contract takes as left out. Returns any other value unchanged. Goes
 * no deeper than the schema, because a client can nest without end.
 */
export function withoutAbsent(value: unknown, { properties, absent = {} }: Schema): unknown {
  if (properties === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const present = Object.entries(value).filter(([name, field]) => !own(absent, name)?.includes(field));
  return Object.fromEntries(present.map(([name, field]) => [name, withoutAbsent(field, own(properties, name) ?? {})]));
}
