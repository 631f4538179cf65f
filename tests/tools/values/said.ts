import type { Schema } from '../../../scripts/contract/bundle.ts';

/** A body without the fields that mean the same as leaving them out. */
export function saidIn(value: unknown, { properties = {}, required = [] }: Schema): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const said = Object.entries(value).flatMap(([name, inner]) => {
    const field = properties[name] ?? {};
    const absent: readonly unknown[] = field['x-absent'] ?? (required.includes(name) ? [] : [null]);
    return absent.includes(inner) ? [] : [[name, saidIn(inner, field)]];
  });
  return Object.fromEntries(said);
}
