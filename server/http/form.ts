import { type Fault, NOT_KNOWN } from './faults.ts';

export interface FormRules {
  /** The parameters that there are. */
  readonly known: ReadonlySet<string>;
  /** Whether others are ignored. */
  readonly isOpen: boolean;
}

export interface Form {
  /** What the known parameters say, decoded. */
  readonly values: Readonly<Record<string, string>>;
  readonly faults: readonly Fault[];
}

/**
 * Reads `a=b&c=d`, as queries and form bodies have it. A library would take two values for a list, and bytes that are not UTF-8
 * for U+FFFD; here each is a fault.
 */
export function readForm(text: string, { known, isOpen }: FormRules): Form {
  const values = new Map<string, string>();
  const faults: Fault[] = [];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const [before, after] = splitAt(pair, pair.indexOf('='));
    const name = decode(before) ?? before;
    const value = decode(after);
    if (!known.has(name)) {
      if (!isOpen) faults.push({ name, problem: NOT_KNOWN });
    } else if (value === null) faults.push({ name, problem: 'must be percent-encoded UTF-8' });
    else if (values.has(name)) faults.push({ name, problem: 'must be given once' });
    else values.set(name, value);
  }
  return { values: Object.fromEntries(values), faults };
}

function splitAt(pair: string, at: number): [name: string, value: string] {
  return at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
