import { type Fault, NOT_KNOWN } from './faults.ts';
import { decoded } from './percent.ts';

interface FormRules {
  readonly known: ReadonlySet<string>;
  /** Whether unknown parameters are ignored. */
  readonly isOpen: boolean;
}

export interface Form {
  /** The known parameters, decoded. */
  readonly values: Readonly<Record<string, string>>;
  readonly faults: readonly Fault[];
}

/** Reads `a=b&c=d`, as in queries and form bodies. Unlike libraries, it reports repeated names and invalid UTF-8. */
export function readForm(text: string, { known, isOpen }: FormRules): Form {
  const values: Record<string, string> = {};
  const faults: Fault[] = [];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const before = at === -1 ? pair : pair.slice(0, at);
    const name = formDecoded(before) ?? before;
    if (!known.has(name)) {
      if (!isOpen) faults.push({ name, problem: NOT_KNOWN });
      continue;
    }
    const value = at === -1 ? '' : formDecoded(pair.slice(at + 1));
    if (value === null) faults.push({ name, problem: 'must be percent-encoded UTF-8' });
    else if (Object.hasOwn(values, name)) faults.push({ name, problem: 'must be sent only once' });
    else values[name] = value;
  }
  return { values, faults };
}

function formDecoded(text: string): string | null {
  return decoded(text.includes('+') ? text.replaceAll('+', ' ') : text);
}
