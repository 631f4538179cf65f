import fc from 'fast-check';
import type { OperationId } from '../../../../generated/server.ts';
import type { Field } from '../../values/sound.ts';
import { type Wrong, wrongValues } from '../../values/wrong.ts';
import type { Attack, Draft, Expected } from '../attack.ts';
import { malformedCode } from '../contract.ts';
import { soundDrafts } from '../sound.ts';

/** A way in which a call can be broken, and how often to try it. */
export interface Way {
  readonly weight: number;
  readonly attacks: fc.Arbitrary<Attack>;
}

/** A name that no parameter has. */
export const STRANGER = 'surprise';
export const NOTHING = fc.constant(null);

/** Makes ways for an operation: each changes a valid call by using a value. */
export function waysOf(operation: OperationId) {
  return <T>(
    what: string,
    values: fc.Arbitrary<T>,
    change: (draft: Draft, value: T) => Draft,
    expected: Expected | ((value: T) => Expected),
    weight = 2,
  ): Way => {
    const attacks = fc.tuple(soundDrafts(operation, true), values).map(([draft, value]) => ({
      draft: change(draft, value),
      what,
      expected: typeof expected === 'function' ? expected(value) : expected,
    }));
    return { weight, attacks };
  };
}

export function refused(status: number, code: string, names: readonly string[] = []): Expected {
  return { kind: 'refused', status, code, names };
}

export function malformed(operation: OperationId, ...names: string[]): Expected {
  return refused(400, malformedCode(operation), names);
}

/** The kinds of wrong values with too many values to list. tests/http/parameters.test.ts tries every listed value. */
export function unlistedWrongs(field: Field): (Wrong & Required<Pick<Wrong, 'more'>>)[] {
  return wrongValues(field).flatMap((wrong) => (wrong.more ? { ...wrong, more: wrong.more } : []));
}
