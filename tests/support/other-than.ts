import { DAY_MS } from '../../server/domain/time.ts';

/** Another value of the same type, for a test that shows whether a field makes a difference. */
export function otherThan(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value === 0 ? 1 : value + DAY_MS;
  return `${value}x`;
}
