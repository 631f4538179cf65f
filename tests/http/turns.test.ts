import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newTurns, type Turn } from '../../server/http/turns.ts';

/** What happens to calls: one of a key begins, or the n-th of those so far ends, perhaps not for the first time. */
const happenings = fc.array(
  fc.oneof(
    fc.record({ begins: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ ends: fc.nat(30) }) as fc.Arbitrary<{ readonly begins?: never; readonly ends: number }>,
  ),
  { maxLength: 120 },
);

interface Made {
  readonly key: string;
  readonly turn: Turn;
  hasBegun: boolean;
  isOver: boolean;
}

test('whatever begins and ends, so many run, so many wait, and they begin in the order in which they came', async () => {
  const bounds = fc.record({ running: fc.integer({ min: 1, max: 4 }), waiting: fc.nat(4) });
  await fc.assert(
    fc.asyncProperty(bounds, happenings, async (most, events) => {
      const turns = newTurns(most);
      const made: Made[] = [];
      const of = (key: string) => made.filter((call) => call.key === key && !call.isOver);
      const begun: Made[] = [];
      for (const { begins, ends } of events as { begins?: string; ends: number }[]) {
        if (begins === undefined) {
          const call = made[ends];
          // a call that waits never ends before it begins
          if (call === undefined || !call.hasBegun) continue;
          call.turn.end();
          call.isOver = true;
        } else {
          const turn = turns.take(begins);
          expect(turn === null).toBe(of(begins).length === most.running + most.waiting);
          if (turn === null) continue;
          const call = { key: begins, turn, hasBegun: turn.wait === null, isOver: false };
          made.push(call);
          if (call.hasBegun) begun.push(call);
          void turn.wait?.then(() => {
            call.hasBegun = true;
            begun.push(call);
          });
        }
        await Promise.resolve();
        for (const key of ['a', 'b', 'c']) {
          const running = of(key).filter(({ hasBegun }) => hasBegun).length;
          expect(running).toBe(Math.min(most.running, of(key).length));
          expect(begun.filter((call) => call.key === key)).toEqual(
            made.filter((call) => call.key === key && call.hasBegun),
          );
        }
        expect(turns.keys()).toBe(new Set(made.filter(({ isOver }) => !isOver).map(({ key }) => key)).size);
      }
      for (const { turn } of made) {
        await turn.wait;
        turn.end();
      }
      expect(turns.keys()).toBe(0);
    }),
  );
});
