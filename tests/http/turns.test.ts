import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newTurns, type Turn } from '../../server/http/turns.ts';

/** Lines, each with its group before the space. */
const KEYS = ['x a', 'x b', 'x c', 'x d', 'x e', 'x f', 'y g'];
const GROUPS = ['x', 'y'];

/** What happens: a call of a key comes, the n-th of those so far ends, or the event loop turns. */
type Happening = { readonly comes: string } | { readonly ends: number } | 'the loop turns';

const happenings: fc.Arbitrary<Happening[]> = fc.array(
  fc.oneof(
    fc.record({ comes: fc.constantFrom(...KEYS) }),
    fc.record({ ends: fc.nat(30) }),
    fc.constant('the loop turns' as const),
  ),
  { maxLength: 200 },
);

interface Made {
  readonly key: string;
  readonly turn: Turn;
  hasBegun: boolean;
  isOver: boolean;
}

/** An event loop that turns when it is told. */
function newLoop() {
  let scheduled: (() => void)[] = [];
  return {
    later: (work: () => void) => void scheduled.push(work),
    isIdle: () => scheduled.length === 0,
    turn: async () => {
      const now = scheduled;
      scheduled = [];
      for (const work of now) {
        work();
        await Promise.resolve();
      }
    },
  };
}

test('whatever comes and ends, so many run, so many wait, one of a group begins in a turn, and in the order of arrival', async () => {
  const bounds = fc.record({ running: fc.integer({ min: 1, max: 4 }), waiting: fc.nat(4) });
  await fc.assert(
    fc.asyncProperty(bounds, happenings, async (most, events) => {
      const loop = newLoop();
      const made: Made[] = [];
      // each call takes longer than its group has in a turn
      const now = () => 3 * made.filter(({ hasBegun }) => hasBegun).length;
      const turns = newTurns(most, loop.later, now);
      const of = (key: string) => made.filter((call) => call.key === key && !call.isOver);
      let begun: Made[] = [];
      const begin = (call: Made) => {
        call.hasBegun = true;
        begun.push(call);
      };
      const come = (key: string) => {
        const turn = turns.take(key, key[0]);
        expect(turn === null).toBe(of(key).length === most.running + most.waiting);
        if (turn === null) return;
        const call = { key, turn, hasBegun: false, isOver: false };
        made.push(call);
        if (turn.wait === null) begin(call);
        else void turn.wait.then(() => begin(call));
      };
      const end = (call: Made | undefined) => {
        // a call that waits never ends before it begins
        if (!call?.hasBegun) return;
        call.turn.end();
        call.isOver = true;
      };
      for (const event of [...events, ...Array<Happening>(60).fill('the loop turns')]) {
        if (event === 'the loop turns') {
          begun = [];
          await loop.turn();
        } else if ('comes' in event) come(event.comes);
        else end(made[event.ends]);
        for (const group of GROUPS) {
          expect(begun.filter(({ key }) => key.startsWith(group)).length).toBeLessThanOrEqual(1);
          const running = made.filter(({ key, hasBegun, isOver }) => key.startsWith(group) && hasBegun && !isOver);
          expect(running.length).toBeLessThanOrEqual(4 * most.running);
        }
        for (const key of KEYS) {
          expect(of(key).filter(({ hasBegun }) => hasBegun).length).toBeLessThanOrEqual(most.running);
          const all = made.filter((call) => call.key === key);
          expect(all.findIndex(({ hasBegun }) => !hasBegun)).toBe(
            all.every(({ hasBegun }) => hasBegun) ? -1 : all.filter(({ hasBegun }) => hasBegun).length,
          );
        }
      }
      // after enough turns, as many run as may
      for (const group of GROUPS) {
        const keys = KEYS.filter((key) => key.startsWith(group));
        const running = keys.flatMap(of).filter(({ hasBegun }) => hasBegun).length;
        const could = keys.map((key) => Math.min(most.running, of(key).length)).reduce((a, b) => a + b, 0);
        expect(running).toBe(Math.min(4 * most.running, could));
      }
      while (made.some(({ isOver }) => !isOver) || !loop.isIdle()) {
        for (const call of made) end(call);
        await loop.turn();
      }
      expect(turns.lines()).toBe(0);
    }),
  );
});

test('calls that take no time begin in eights', async () => {
  const loop = newLoop();
  const turns = newTurns({ running: 1, waiting: 100 }, loop.later, () => 0);
  const begun: number[] = [];
  let count = 0;
  for (let i = 0; i < 50; i++) {
    const turn = turns.take('line')!;
    void Promise.resolve(turn.wait).then(() => {
      count += 1;
      turn.end();
    });
  }
  while (count < 50) {
    await loop.turn();
    begun.push(count);
  }
  // the loop turns once before it is known that others wait
  expect(begun.slice(1).map((sum, i) => sum - begun[i]!)).toEqual([8, 8, 8, 8, 8, 8, 1]);
});
