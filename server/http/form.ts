import { type Fault, NOT_KNOWN } from './faults.ts';
import { decoded } from './percent.ts';

export interface FormRules {
  readonly known: ReadonlySet<string>;
  /** Whether unknown parameters are ignored. */
  readonly isOpen: boolean;
}

export interface Form {
  /** The known parameters, decoded. */
  readonly values: Readonly<Record<string, string>>;
  readonly faults: readonly Fault[];
}

/** Reads `a=b&c=d`, as in queries and form bodies. Unlike libraries, reports repeated names and invalid UTF-8. */
export function readForm(text: string, { known, isOpen }: FormRules): Form {
  const values = new Map<string, string>();
  const faults: Fault[] = [];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const [before, after] = splitAt(pair, pair.indexOf('='));
    const name = formDecoded(before) ?? before;
    if (!known.has(name)) {
      if (!isOpen) faults.push({ name, problem: NOT_KNOWN });
      continue;
    }
    const value = formDecoded(after);
    if (value === null) faults.push({ name, problem: 'must be percent-encoded UTF-8' });
    else if (values.has(name)) faults.push({ name, problem: 'must be given once' });
    else values.set(name, value);
  }
  return { values: Object.fromEntries(values), faults };
}

function splitAt(pair: string, at: number): [name: string, value: string] {
  return at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
}

function formDecoded(text: string): string | null {
  return decoded(text.replaceAll('+', ' '));
}
