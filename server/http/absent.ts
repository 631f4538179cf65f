import type { Schema } from '../../generated/requests.ts';
import { own } from '../domain/own.ts';

/**
 * A copy of a body without the fields whose values the contract treats as omitted. Returns any other value unchanged.
 * Descends only as deep as the schema, because a client can nest without limit.
 */
export function withoutAbsent(value: unknown, { properties, absent = {} }: Schema): unknown {
  if (properties === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const present = Object.entries(value).filter(([name, field]) => !own(absent, name)?.includes(field));
  return Object.fromEntries(present.map(([name, field]) => [name, withoutAbsent(field, own(properties, name) ?? {})]));
}
