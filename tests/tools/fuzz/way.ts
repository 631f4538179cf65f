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
    change: (draft: Draft, value: T) => Partial<Draft>,
    expected: Expected | ((value: T) => Expected),
    weight = 2,
  ): Way => {
    const arbitrary = fc.tuple(fullDrafts(operation), values).map(([draft, value]) => ({
      draft: { ...draft, ...change(draft, value) },
      what,
      expected: typeof expected === 'function' ? expected(value) : expected,
    }));
    return { weight, arbitrary };
  };
}

/** A parameter in place of the draft's own. */
export function withParameter({ path, query }: Draft, place: string, name: string, value: string): Partial<Draft> {
  if (place === 'path') return { path: { ...path, [name]: value } };
  return { query: [...query.filter(([other]) => other !== name), [name, value]] };
}

/** The draft's body as JSON, with a value at a path. */
export function withField({ body }: Draft, path: readonly string[], value: unknown) {
  if (body === undefined || !('value' in body)) throw new Error('The draft has no JSON body.');
  return { type: 'application/json', value: changed(body.value, path, value) };
}

function changed(whole: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const fields = new Map(Object.entries(whole as object));
  // fromEntries also creates an own field named __proto__
  return Object.fromEntries(fields.set(name, changed(fields.get(name), rest, value)));
}
