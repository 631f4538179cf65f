import fc from 'fast-check';
import type { OperationId } from '../../../generated/server.ts';
import type { Attack, Draft, Expected } from './attack.ts';
import { fullDrafts } from './sound.ts';

/** A way in which a call can be broken, and how often to try it. */
export interface Way {
  readonly weight: number;
  readonly arbitrary: fc.Arbitrary<Attack>;
}

/** Makes ways for an operation: each changes a valid call by using a value. */
export function waysOf(operation: OperationId) {
  return <T>(
    what: string,
    values: fc.Arbitrary<T>,
    change: (draft: Draft, value: T) => Draft,
    expected: Expected | ((value: T) => Expected),
    weight = 2,
  ): Way => {
    const arbitrary = fc.tuple(fullDrafts(operation), values).map(([draft, value]) => ({
      draft: change(draft, value),
      what,
      expected: typeof expected === 'function' ? expected(value) : expected,
    }));
    return { weight, arbitrary };
  };
}

/** The draft with a parameter in place of its own. */
export function withParameter(draft: Draft, place: string, name: string, value: string): Draft {
  if (place === 'path') return { ...draft, path: { ...draft.path, [name]: value } };
  return { ...draft, query: [...draft.query.filter(([other]) => other !== name), [name, value]] };
}

export function valueIn({ body }: Draft): unknown {
  if (body === undefined || !('value' in body)) throw new Error('The draft has no JSON body.');
  return body.value;
}

/** A copy with a value at a path. */
export function changed(whole: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const fields = new Map(Object.entries(whole as object));
  // fromEntries also creates an own field named __proto__
  return Object.fromEntries(fields.set(name, changed(fields.get(name), rest, value)));
}
