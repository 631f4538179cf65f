import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { LONGEST_WAIT_SECONDS, slowDown } from '../../server/limits/slow-down.ts';
import type { Verdict } from '../../server/limits/throttle.ts';
import { fakeTimers } from '../support/fake-timers.ts';

const NOON = Date.UTC(2026, 4, 12, 12);
beforeEach(() => fakeTimers(['Date'], NOON));

interface Attempt {
  readonly account: string;
  readonly from: string;
}
const PACE = { attempts: 3, windowSeconds: 900, keyOf: ({ account, from }: Attempt) => `${account} ${from}` };
const SHARED = {
  attempts: 6,
  windowSeconds: 900,
  keyOf: ({ account }: Attempt) => account,
  callerOf: PACE.keyOf,
};
const waitOf = (verdict: Verdict): number => ('waitSeconds' in verdict ? verdict.waitSeconds : 0);
const passSeconds = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

test('after the free attempts the wait doubles up to a minute, and an attempt during a wait does not count', () => {
  // the window does not end during the test
  const take = slowDown({ paces: [{ ...PACE, windowSeconds: 1e9 }] }, 1);
  const attempt = { account: 'maya', from: 'a' };
  for (let free = 0; free < PACE.attempts; free++) expect(waitOf(take(attempt))).toBe(0);
  const waits = [];
  for (let tries = 0; tries < 9; tries++) {
    const wait = waitOf(take(attempt));
    waits.push(wait);
    passSeconds(wait - 0.5);
    expect(waitOf(take(attempt))).toBe(1);
    passSeconds(0.5);
    expect(waitOf(take(attempt))).toBe(0);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

test.each([5, 10, 20])('with %d free attempts, no more pass if time goes by between them', (attempts) => {
  for (const between of [0, 0.001, 0.03, 0.4]) {
    const account = `maya ${between}`;
    const own = slowDown({ paces: [{ ...PACE, attempts }] }, 1);
    const together = slowDown({ paces: [], shared: { ...SHARED, attempts } }, 1);
    const waits = Array.from({ length: attempts + 2 }, (_, from) => {
      const wait = [waitOf(own({ account, from: 'a' })), waitOf(together({ account, from: `${from}` }))];
      passSeconds(between);
      return wait;
    });
    expect(waits, `${between} s between attempts`).toEqual([...Array(attempts).fill([0, 0]), [1, 1], [1, 1]]);
  }
});

test('after a window without attempts all are free again, and an attempt that is taken back does not count', () => {
  const take = slowDown({ paces: [PACE] }, 1);
  const attempt = { account: 'maya', from: 'a' };
  for (let tries = 0; tries < 20; tries++) {
    take(attempt);
    passSeconds(LONGEST_WAIT_SECONDS);
  }
  passSeconds(3 * 900);
  expect([1, 2, 3, 4].map(() => waitOf(take(attempt)))).toEqual([0, 0, 0, 1]);
  passSeconds(3 * 900);
  for (let tries = 0; tries < 50; tries++) {
    const verdict = take(attempt);
    if ('takeBack' in verdict) verdict.takeBack();
    expect(waitOf(verdict)).toBe(0);
  }
});

test('taking attempts back does not remove other attempts', () => {
  const take = slowDown({ paces: [{ ...PACE, windowSeconds: 1e9 }] }, 1);
  const attempt = { account: 'maya', from: 'a' };
  for (let tries = 0; tries < 30; tries++) {
    take(attempt);
    passSeconds(LONGEST_WAIT_SECONDS);
  }
  for (let tries = 0; tries < 30; tries++) {
    const verdict = take(attempt);
    if ('takeBack' in verdict) verdict.takeBack();
  }
  take(attempt);
  expect(waitOf(take(attempt))).toBe(LONGEST_WAIT_SECONDS);
});

test('the owner of an account can sign in after a minute, regardless of attempts from elsewhere', () => {
  const times = fc.array(fc.record({ from: fc.nat(40), after: fc.double({ min: 0, max: 20, noNaN: true }) }), {
    minLength: 200,
    maxLength: 400,
  });
  fc.assert(
    fc.property(times, (tries) => {
      vi.setSystemTime(NOON);
      const take = slowDown({ paces: [PACE], shared: SHARED }, 1);
      const attack = ({ from, after }: (typeof tries)[number]) => {
        passSeconds(after);
        take({ account: 'maya', from: `attacker ${from}` });
      };
      for (const each of tries.slice(0, 100)) attack(each);
      const owner = { account: 'maya', from: 'home' };
      const begin = Date.now();
      const wait = waitOf(take(owner));
      expect(wait).toBeLessThanOrEqual(LONGEST_WAIT_SECONDS);
      for (const each of tries.slice(100)) {
        if (Date.now() < begin + wait * 1000) attack(each);
      }
      vi.setSystemTime(Math.max(Date.now(), begin + wait * 1000));
      expect(waitOf(take(owner))).toBe(0);
    }),
    { numRuns: 50 },
  );
});

test('a thousand networks can each try an account only once a minute, without an effect on other accounts', () => {
  const take = slowDown({ paces: [PACE], shared: SHARED }, 1);
  let checked = 0;
  const round = () => {
    for (let from = 0; from < 1000; from++) if (waitOf(take({ account: 'maya', from: `${from}` })) === 0) checked += 1;
  };
  for (let second = 0; second < 600; second += 5) {
    round();
    passSeconds(5);
  }
  // ten minutes, and a few attempts before the account was slowed down
  expect(checked).toBeLessThanOrEqual(10 * 1000 + 20);
  expect(waitOf(take({ account: 'leo', from: '1' }))).toBe(0);
});

test('a pace that does not apply to an attempt does not count it or slow it down', () => {
  const take = slowDown({ paces: [{ ...PACE, keyOf: () => null }], shared: { ...SHARED, keyOf: () => null } }, 1);
  for (let tries = 0; tries < 50; tries++) expect(waitOf(take({ account: 'maya', from: 'a' }))).toBe(0);
});
