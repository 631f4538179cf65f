import fc from 'fast-check';
import { expect, vi } from 'vitest';
import type { Slowing } from '../../server/limits/slow-down.ts';
import type { Limit, Verdict } from '../../server/limits/throttle.ts';
import { type CountAttempt, THROTTLES_IN_MEMORY, type Throttles } from '../../server/limits/throttles.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { BUCKET, countsAt, FREE, LIMITED, NOON, newPlace, SLOWING, THROTTLE, testWithRedis } from '../support/redis.ts';

interface Attempt {
  readonly account: string;
  readonly from: string;
  readonly isKnown: boolean;
}

const QUARTER_HOUR_SECONDS = 900;

const LIMITS: readonly Limit<Attempt>[] = [
  { attempts: 7, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: ({ from }) => from },
  { attempts: 4, windowSeconds: 60, keyOf: ({ account, isKnown }) => (isKnown ? null : account) },
];
const SLOWED: Slowing<Attempt> = {
  paces: [
    { attempts: 7, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: ({ from, isKnown }) => (isKnown ? null : from) },
    { attempts: 3, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: ({ account, from }) => `${account} ${from}` },
  ],
  shared: {
    attempts: 5,
    windowSeconds: QUARTER_HOUR_SECONDS,
    keyOf: ({ account, isKnown }) => (isKnown ? null : account),
    callerOf: ({ account, from }) => `${account} ${from}`,
  },
};

const steps = fc.array(
  fc.record({
    attempt: fc.record({
      account: fc.constantFrom('maya', 'leo'),
      from: fc.constantFrom('a', 'b', 'c'),
      isKnown: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
    }),
    // after how many more attempts to take this one back; null: never
    takenBackAfter: fc.option(fc.integer({ min: 0, max: 5 })),
    // in milliseconds; sometimes the clock is set back
    after: fc.oneof(
      { arbitrary: fc.constantFrom(0, 1), weight: 4 },
      { arbitrary: fc.integer({ min: 0, max: 90_000 }), weight: 4 },
      { arbitrary: fc.integer({ min: -600_000, max: 0 }), weight: 1 },
    ),
  }),
  { minLength: 30, maxLength: 60 },
);

const waitOf = (verdict: Verdict) => ('waitSeconds' in verdict ? verdict.waitSeconds : 0);

testWithRedis.each<[string, (of: Throttles, name: string) => CountAttempt<Attempt>]>([
  ['limits', ({ throttle }, name) => throttle(name, LIMITS, 1)],
  ['slowing down attempts', ({ slowDown }, name) => slowDown(name, SLOWED, 1)],
])('%s in Redis comes to the same verdicts as in memory', async (_, countIn) => {
  const { redis, throttles } = await countsAt(await newPlace(), { clock: () => Date.now() });
  fakeTimers(['Date'], NOON);
  let round = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (some) => {
      // so that rounds do not share counts
      round += 1;
      vi.setSystemTime(NOON);
      const counts = [countIn(THROTTLES_IN_MEMORY, ''), countIn(throttles, `round-${round}`)];
      const takeBacks: { readonly at: number; readonly takeBack: () => void }[] = [];
      for (const [index, { attempt, takenBackAfter, after }] of some.entries()) {
        vi.setSystemTime(Date.now() + after);
        const verdicts = [await counts[0]!(attempt), await counts[1]!(attempt)] as const;
        expect(waitOf(verdicts[1])).toBe(waitOf(verdicts[0]));
        for (const verdict of verdicts) {
          if (takenBackAfter !== null && 'takeBack' in verdict)
            takeBacks.push({ ...verdict, at: index + takenBackAfter });
        }
        for (const { takeBack } of takeBacks.filter(({ at }) => at === index)) takeBack();
      }
    }),
    { numRuns: 60 },
  );
  expect(redis.isAway()).toBe(false);
});

testWithRedis('two servers count thousands of calls exactly, and let no more attempts pass than one', async () => {
  const place = await newPlace();
  const servers = [await countsAt(place, { clock: () => NOON }), await countsAt(place, { clock: () => NOON })];
  const byBoth = <T>(count: number, call: (server: (typeof servers)[number]) => T) =>
    Promise.all(Array.from({ length: 2 * count }, (_, i) => call(servers[i % 2]!)));
  const calls = await byBoth(2500, ({ countCall }) => countCall(BUCKET, 'one'));
  const counts = calls.map((each) => each.calls).sort((one, other) => one - other);
  expect(counts).toEqual(Array.from({ length: 5000 }, (_, index) => index + 1));
  for (const [most, countIn] of [
    [LIMITED, ({ throttle }: Throttles) => throttle('limited', THROTTLE, 1)],
    [FREE, ({ slowDown }: Throttles) => slowDown('slowed', SLOWING, 1)],
  ] as const) {
    const verdicts = await byBoth(60, ({ throttles }) => countIn(throttles)('one'));
    expect(verdicts.filter((verdict) => 'takeBack' in verdict)).toHaveLength(most);
  }
  expect(servers.map(({ redis }) => redis.isAway())).toEqual([false, false]);
});
