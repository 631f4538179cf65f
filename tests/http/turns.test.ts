import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newTurns, type Turn } from '../../server/http/turns.ts';

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

const turnsOn = (loop: Loop, bounds: Parameters<typeof newTurns>[0], now = () => 0, own = () => 0) =>
  newTurns(bounds, own, loop.later, now);

/** Each begins with its group. */
const FLOWS = ['xa', 'xb', 'xc', 'xd', 'xe', 'xf', 'yg'];

/**
 * A call comes to a flow, a call ends or stops waiting, or the event loop turns. A call with `takesMs` ends in the turn in which it
 * begins. Any other call runs until a happening ends it.
 */
const happenings = fc.array(
  fc.record({
    what: fc.constantFrom('comes', 'ends', 'turns'),
    n: fc.nat(30),
    takesMs: fc.constantFrom(null, null, null, 0, 1, 3),
  }),
  { maxLength: 200 },
);
const bounds = fc.record({
  running: fc.integer({ min: 1, max: 4 }),
  waiting: fc.nat(4),
  ofAKind: fc.integer({ min: 1, max: 8 }),
  flows: fc.integer({ min: 1, max: FLOWS.length }),
});

interface Made {
  readonly key: string;
  readonly takesMs: number | null;
  readonly turn: Turn;
  state: 'waits' | 'runs' | 'is over';
}

test('in any run the bounds hold, a group starts no call after its time in a turn, and calls begin in order of arrival', async () => {
  await fc.assert(
    fc.asyncProperty(bounds, happenings, async (most, run) => {
      const loop = newLoop();
      const made: Made[] = [];
      let now = 0;
      const turns = turnsOn(loop, most, () => now);
      /** The calls of a flow, of a group, or all. */
      const callsIn = (part: string, state: Made['state']) =>
        made.filter((call) => call.state === state && call.key.startsWith(part));
      const runningIn = (part: string) => callsIn(part, 'runs').length;
      /** A lower bound of the time that the calls of each group took, minus 2 ms for each turn since. */
      const debts: Record<string, number> = { x: 0, y: 0 };
      /** What went wrong. Calls begin where an assertion would not end the test. */
      const broken: string[] = [];
      const begin = (call: Made) => {
        const { key, takesMs } = call;
        const group = key[0]!;
        if (callsIn(key, 'waits')[0] !== call) broken.push(`${key} began out of order`);
        if (runningIn(key) >= most.running) broken.push(`${key} began beyond its bound`);
        if (runningIn(group) >= 4 * most.running) broken.push(`${key} began beyond the bound of its group`);
        if (runningIn(key) > 0 && runningIn('') >= most.ofAKind) broken.push(`${key} began beyond ofAKind`);
        if (debts[group]! >= 2) broken.push(`${key} began after the time of its group`);
        call.state = 'runs';
        // a call that pauses also does its first work before the next call begins
        now += takesMs ?? 5;
        if (takesMs !== null) end(call);
      };
      const end = (call: Made) => {
        // a call whose client leaves ends before it begins
        if (call.state === 'runs') debts[call.key[0]!]! += call.takesMs ?? 1;
        call.turn.end();
        call.state = 'is over';
      };
      const turnLoop = () => {
        for (const group in debts) debts[group] = Math.max(0, debts[group]! - 2);
        return loop.turn();
      };
      const happen: Record<string, (n: number, takesMs: number | null) => unknown> = {
        comes: (n, takesMs) => {
          const key = FLOWS.at(-1 - (n % most.flows))!;
          const turn = turns.take(key, key[0]);
          const isFull = runningIn(key) + callsIn(key, 'waits').length === most.running + most.waiting;
          expect(turn === null).toBe(isFull);
          if (turn === null) return;
          const call: Made = { key, takesMs, turn, state: 'waits' };
          made.push(call);
          if (turn.wait === null) begin(call);
          else void turn.wait.then(() => call.state === 'waits' && begin(call));
        },
        ends: (n) => made[n] && end(made[n]),
        turns: turnLoop,
      };
      for (const { what, n, takesMs } of run) await happen[what]!(n, takesMs);
      for (let turn = 0; turn < 200; turn++) await turnLoop();
      // after enough turns, a call waits only for one of the bounds
      for (const key of FLOWS.filter((one) => callsIn(one, 'waits').length > 0 && runningIn(one) < most.running)) {
        if (runningIn(key[0]!) === 4 * most.running) continue;
        expect(runningIn(key)).toBeGreaterThan(0);
        expect(runningIn('')).toBeGreaterThanOrEqual(most.ofAKind);
      }
      while (made.some(({ state }) => state !== 'is over') || !loop.isIdle()) {
        made.forEach(end);
        await turnLoop();
      }
      expect([broken, turns.groups()]).toEqual([[], 0]);
    }),
  );
});

test('a call that waits for room is not overtaken by calls that keep arriving in another group', async () => {
  const loop = newLoop();
  const turns = turnsOn(loop, { running: 4, waiting: 4, ofAKind: 3 });
  const begun: string[] = [];
  /** Takes a call of the group and the flow of its first letter. */
  const take = (name: string) => {
    const turn = turns.take(name[0]!, name[0]!)!;
    void Promise.resolve(turn.wait).then(() => begun.push(name));
    return turn;
  };
  const settled = async () => {
    while (!loop.isIdle()) await loop.turn();
    return begun.splice(0);
  };
  const [first, second] = ['a1', 'a2', 'a3', 'b1', 'b2', 'a4'].map(take);
  expect(await settled()).toEqual(['a1', 'a2', 'a3', 'b1']);
  first!.end();
  expect(await settled()).toEqual([]);
  take('a5');
  second!.end();
  expect(await settled()).toEqual(['b2']);
});

test('a group runs four times as many calls as a flow may', async () => {
  const loop = newLoop();
  const turns = turnsOn(loop, { running: 2, waiting: 2 });
  let begun = 0;
  const take = async (flow: string) => {
    await turns.take(flow, 'group')!.wait;
    begun += 1;
  };
  for (const flow of '1122334455') void take(flow);
  while (!loop.isIdle()) await loop.turn();
  expect(begun).toBe(8);
});

test('calls that take no time begin eight at a time', async () => {
  const loop = newLoop();
  const turns = turnsOn(loop, { running: 1, waiting: 100 });
  let begun = 0;
  const take = async () => {
    const turn = turns.take('flow')!;
    await turn.wait;
    begun += 1;
    turn.end();
  };
  for (let i = 0; i < 50; i++) void take();
  const counts = [];
  for (let before = begun; begun < 50; before = begun) {
    await loop.turn();
    counts.push(begun - before);
  }
  // one turn passes before it is known that others wait
  expect(counts.slice(1)).toEqual([8, 8, 8, 8, 8, 8, 1]);
});

test.each([
  { pauses: 'until a later turn of the event loop', inBetween: (loop: Loop) => loop.turn() },
  { pauses: 'while one of another flow begins', inBetween: async (_loop: Loop, other: () => Turn) => void other() },
])('a call that pauses $pauses is charged only for its last work, or for one millisecond', async ({ inBetween }) => {
  for (const [lastMs, mayBegin] of [
    [undefined, true],
    [1.5, true],
    [2.5, false],
  ] as const) {
    const loop = newLoop();
    let now = 0;
    const turns = turnsOn(loop, { running: 4, waiting: 1 }, () => now);
    const take = () => turns.take('flow')!;
    take();
    const paused = take();
    await inBetween(loop, () => turns.take('other')!);
    now += 10;
    paused.end(lastMs);
    expect(take().wait === null).toBe(mayBegin);
  }
});

test('the work of a call is charged before the next one begins, even if it has not ended', () => {
  const loop = newLoop();
  let now = 0;
  const turns = turnsOn(loop, { running: 4, waiting: 1 }, () => now);
  turns.take('flow');
  now += 10;
  expect(turns.take('other')!.wait).toBeNull();
  expect(turns.take('flow')!.wait).not.toBeNull();
});

test.each([
  [0, 3],
  [3, 2],
  [6, 1],
])(
  "if the server's own work takes %i ms of each turn, a call of 7 ms delays the next one by %i turns",
  async (ownMs, turns) => {
    const loop = newLoop();
    let [now, own, hasBegun] = [0, 0, false];
    const flow = turnsOn(
      loop,
      { running: 1, waiting: 1 },
      () => now,
      () => own,
    );
    const long = flow.take('flow')!;
    now += 7;
    long.end();
    const next = flow.take('flow')!;
    void next.wait!.then(() => {
      hasBegun = true;
    });
    for (let turn = 0; turn < turns; turn++) {
      expect(hasBegun).toBe(false);
      own += ownMs;
      await loop.turn();
    }
    expect(hasBegun).toBe(true);
  },
);

test.each([0, 1])(
  'time that a call is charged counts once, and at once, if it is charged %i turns after it began',
  async (after) => {
    const loop = newLoop();
    let now = 0;
    const turns = turnsOn(loop, { running: 2, waiting: 1 }, () => now);
    const call = turns.take('flow')!;
    for (let turn = 0; turn < after; turn++) await loop.turn();
    now += 7;
    call.charge(7);
    const next = turns.take('flow')!;
    let hasBegun = false;
    void next.wait!.then(() => {
      hasBegun = true;
    });
    call.end();
    // seven milliseconds at two a turn; a call that pauses costs one more
    for (let turn = 0; turn < 3; turn++) {
      expect(hasBegun).toBe(false);
      await loop.turn();
    }
    await loop.turn();
    expect(hasBegun).toBe(true);
  },
);
