import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newTurns, type Turn } from '../../server/http/turns.ts';

/** The keys of queues, each with its group before the space. */
const KEYS = ['x a', 'x b', 'x c', 'x d', 'x e', 'x f', 'y g'];
const GROUPS = ['x', 'y'];

/**
 * A step of a run: a call arrives in one of the queues, the n-th call so far ends, or the event loop turns. A call with `takesMs`
 * ends in the turn in which it begins. Any other call waits until a step ends it.
 */
type Happening =
  | { readonly comes: number; readonly takesMs: number | null }
  | { readonly ends: number }
  | 'the loop turns';

const happenings: fc.Arbitrary<Happening[]> = fc.array(
  fc.oneof(
    fc.record({ comes: fc.nat(KEYS.length - 1), takesMs: fc.constantFrom(null, null, null, 0, 1, 3) }),
    fc.record({ ends: fc.nat(30) }),
    fc.constant('the loop turns' as const),
  ),
  { maxLength: 200 },
);

interface Made {
  readonly key: string;
  readonly takesMs: number | null;
  readonly turn: Turn;
  hasBegun: boolean;
  isOver: boolean;
}

type Loop = ReturnType<typeof newLoop>;

/** An event loop that turns on demand. */
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

test('in any run the bounds hold, a group starts no call after its time in a turn, and calls begin in order of arrival', async () => {
  const bounds = fc.record({
    running: fc.integer({ min: 1, max: 4 }),
    waiting: fc.nat(4),
    ofAKind: fc.integer({ min: 1, max: 8 }),
    queues: fc.integer({ min: 1, max: KEYS.length }),
  });
  await fc.assert(
    fc.asyncProperty(bounds, happenings, async (most, events) => {
      const loop = newLoop();
      const made: Made[] = [];
      let now = 0;
      const turns = newTurns(
        most,
        () => 0,
        loop.later,
        () => now,
      );
      const of = (key: string) => made.filter((call) => call.key === key && !call.isOver);
      const runningOf = (key: string) => of(key).filter(({ hasBegun }) => hasBegun).length;
      const runningOfAll = () => KEYS.reduce((sum, key) => sum + runningOf(key), 0);
      /** A lower bound of the time that the calls of each group took, minus 2 ms for each turn since. */
      const debts = new Map(GROUPS.map((group) => [group, 0]));
      /** What went wrong. An assertion about each bound after each step would take most of the time. */
      const broken: string[] = [];
      const charge = ({ key }: Made, ms: number) => debts.set(key[0]!, debts.get(key[0]!)! + ms);
      const begin = (call: Made) => {
        if (runningOf(call.key) > 0 && runningOfAll() >= most.ofAKind) broken.push(`${call.key} began beyond ofAKind`);
        call.hasBegun = true;
        if (debts.get(call.key[0]!)! >= 2) broken.push(`${call.key} began after the time of its group`);
        // a call that pauses also does its first work before the next call begins
        now += call.takesMs ?? 5;
        if (call.takesMs !== null) end(call);
      };
      const come = (key: string, takesMs: number | null) => {
        const turn = turns.take(key, key[0]);
        expect(turn === null).toBe(of(key).length === most.running + most.waiting);
        if (turn === null) return;
        const call = { key, takesMs, turn, hasBegun: false, isOver: false };
        made.push(call);
        if (turn.wait === null) begin(call);
        else void turn.wait.then(() => begin(call));
      };
      const end = (call: Made | undefined) => {
        // a call that waits never ends before it begins
        if (!call?.hasBegun || call.isOver) return;
        charge(call, call.takesMs ?? 1);
        call.turn.end();
        call.isOver = true;
      };
      for (const event of [...events, ...Array<Happening>(200).fill('the loop turns')]) {
        if (event === 'the loop turns') {
          for (const [group, debt] of debts) debts.set(group, Math.max(0, debt - 2));
          await loop.turn();
        } else if ('comes' in event) come(KEYS.at(-1 - (event.comes % most.queues))!, event.takesMs);
        else end(made[event.ends]);
        const running = new Map(GROUPS.map((group) => [group, 0]));
        for (const key of KEYS) {
          const all = made.filter((call) => call.key === key);
          const begun = all.filter(({ hasBegun }) => hasBegun);
          if (begun.some((call, i) => call !== all[i])) broken.push(`${key} began out of order`);
          const atOnce = begun.filter(({ isOver }) => !isOver).length;
          if (atOnce > most.running) broken.push(`${key} runs beyond its bound`);
          running.set(key[0]!, running.get(key[0]!)! + atOnce);
        }
        if (Math.max(...running.values()) > 4 * most.running) broken.push('a group runs beyond its bound');
        if (broken.length > 0) expect(broken).toEqual([]);
      }
      // after enough turns, a call waits only for one of these bounds
      for (const group of GROUPS) {
        const keys = KEYS.filter((key) => key.startsWith(group));
        if (keys.reduce((sum, key) => sum + runningOf(key), 0) === 4 * most.running) continue;
        for (const key of keys.filter((line) => of(line).length > runningOf(line) && runningOf(line) < most.running)) {
          expect(runningOf(key)).toBeGreaterThan(0);
          expect(runningOfAll()).toBeGreaterThanOrEqual(most.ofAKind);
        }
      }
      while (made.some(({ isOver }) => !isOver) || !loop.isIdle()) {
        for (const call of made) end(call);
        await loop.turn();
      }
      expect(turns.lines()).toBe(0);
    }),
  );
});

test('a call that waits only because others run starts when enough of them have ended', async () => {
  const loop = newLoop();
  const turns = newTurns(
    { running: 4, waiting: 4, ofAKind: 2 },
    () => 0,
    loop.later,
    () => 0,
  );
  const begun: string[] = [];
  const take = (name: string) => {
    const turn = turns.take(name[0]!)!;
    void Promise.resolve(turn.wait).then(() => begun.push(name));
    return turn;
  };
  const settled = async () => {
    while (!loop.isIdle()) await loop.turn();
    return begun.splice(0);
  };
  const first = take('a1');
  take('b1');
  const second = take('a2');
  take('b2');
  expect(await settled()).toEqual(['a1', 'b1']);
  // the next call of the same queue
  first.end();
  expect(await settled()).toEqual(['a2']);
  second.end();
  expect(await settled()).toEqual(['b2']);
});

test('calls of one kind do not use up the room of another', () => {
  const turns = newTurns({ running: 4, waiting: 4, ofAKind: 2 }, () => 0);
  const hasBegun = (line: string, kind: string) => turns.take(line, line, kind)!.wait === null;
  expect(['a', 'a', 'b', 'b'].map((line) => hasBegun(line, 'first'))).toEqual([true, true, true, false]);
  expect(['c', 'c', 'd', 'd'].map((line) => hasBegun(line, 'second'))).toEqual([true, true, true, false]);
});

test('calls that take no time begin eight at a time', async () => {
  const loop = newLoop();
  const turns = newTurns(
    { running: 1, waiting: 100 },
    () => 0,
    loop.later,
    () => 0,
  );
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
  // one turn passes before it is known that others wait
  expect(begun.slice(1).map((sum, i) => sum - begun[i]!)).toEqual([8, 8, 8, 8, 8, 8, 1]);
});

test.each([
  { pauses: 'until a later turn of the event loop', inBetween: (loop: Loop) => loop.turn() },
  { pauses: 'while another one begins', inBetween: async (_loop: Loop, take: () => Turn) => void take() },
])('a call that pauses $pauses is charged only for its last work, or for one millisecond', async ({ inBetween }) => {
  for (const [lastMs, mayBegin] of [
    [undefined, true],
    [1.5, true],
    [2.5, false],
  ] as const) {
    const loop = newLoop();
    let now = 0;
    const turns = newTurns(
      { running: 4, waiting: 1 },
      () => 0,
      loop.later,
      () => now,
    );
    const take = () => turns.take('line')!;
    take();
    const paused = take();
    await inBetween(loop, take);
    now += 10;
    paused.end(lastMs);
    expect(take().wait === null).toBe(mayBegin);
  }
});

test("each turn gives a group as much time as the server's own work takes, or two milliseconds", async () => {
  for (const [ownMs, turns] of [
    [0, 3],
    [3, 2],
    [6, 1],
  ] as const) {
    const loop = newLoop();
    let [now, own] = [0, 0];
    const { take } = newTurns(
      { running: 1, waiting: 1 },
      () => own,
      loop.later,
      () => now,
    );
    const long = take('line')!;
    now += 7;
    long.end();
    const next = take('line')!;
    let hasBegun = false;
    void next.wait!.then(() => {
      hasBegun = true;
    });
    for (let turn = 1; turn <= turns; turn++) {
      expect([ownMs, turn, hasBegun]).toEqual([ownMs, turn, false]);
      own += ownMs;
      await loop.turn();
    }
    expect([ownMs, hasBegun]).toEqual([ownMs, true]);
  }
});
