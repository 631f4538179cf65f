import fc from 'fast-check';
import { expect, vi } from 'vitest';
import type { Slowing } from '../../server/limits/slow-down.ts';
import type { Limit, Verdict } from '../../server/limits/throttle.ts';
import { type CountAttempt, THROTTLES_IN_MEMORY } from '../../server/limits/throttles.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { countsAt, newPlace, testWithRedis } from '../support/redis.ts';
import { NOON } from './shared.ts';

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
const SLOWING: Slowing<Attempt> = {
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

/** @param make `inRedis` gets a name for each round, so that rounds do not share counts */
async function expectSameVerdicts(make: {
  readonly inMemory: () => CountAttempt<Attempt>;
  readonly inRedis: (name: string) => CountAttempt<Attempt>;
}): Promise<void> {
  let round = 0;
  const waitOf = (verdict: Verdict) => ('waitSeconds' in verdict ? verdict.waitSeconds : 0);
  await fc.assert(
    fc.asyncProperty(steps, async (some) => {
      round += 1;
      vi.setSystemTime(NOON);
      const [inMemory, inRedis] = [make.inMemory(), make.inRedis(`round-${round}`)];
      const takeBacks: { readonly at: number; readonly takeBack: () => void }[] = [];
      for (const [index, { attempt, takenBackAfter, after }] of some.entries()) {
        vi.setSystemTime(Date.now() + after);
        const verdicts = [await inMemory(attempt), await inRedis(attempt)];
        const [expected, said] = verdicts.map(waitOf);
        expect(said).toBe(expected);
        for (const verdict of verdicts) {
          if (takenBackAfter !== null && 'takeBack' in verdict)
            takeBacks.push({ ...verdict, at: index + takenBackAfter });
        }
        for (const { takeBack } of takeBacks.filter(({ at }) => at === index)) takeBack();
      }
    }),
    { numRuns: 60 },
  );
}

testWithRedis('limits in Redis come to the same verdicts as limits in memory', async () => {
  const { redis, throttles } = await countsAt(await newPlace(), { clock: () => Date.now() });
  fakeTimers(['Date'], NOON);
  await expectSameVerdicts({
    inMemory: () => THROTTLES_IN_MEMORY.throttle('', LIMITS, 1),
    inRedis: (name) => throttles.throttle(name, LIMITS, 1),
  });
  expect(redis.isAway()).toBe(false);
});

testWithRedis('slowing down attempts gives the same verdicts in Redis as in memory', async () => {
  const { redis, throttles } = await countsAt(await newPlace(), { clock: () => Date.now() });
  fakeTimers(['Date'], NOON);
  await expectSameVerdicts({
    inMemory: () => THROTTLES_IN_MEMORY.slowDown('', SLOWING, 1),
    inRedis: (name) => throttles.slowDown(name, SLOWING, 1),
  });
  expect(redis.isAway()).toBe(false);
});
