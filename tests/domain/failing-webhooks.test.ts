import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../server/domain/time.ts';
import { type EndedAttempt, failingSince, isFailing } from '../../server/domain/webhooks/failing.ts';

const failed = (endedAt: number): EndedAttempt => ({ endedAt, delivered: false });
const arrived = (endedAt: number): EndedAttempt => ({ endedAt, delivered: true });

describe('a webhook has been failing since', () => {
  test.each<[string, number | null, EndedAttempt[], number | null]>([
    ['never, before the first attempt', null, [], null],
    ['never, when all attempts arrive', null, [arrived(1), arrived(2)], null],
    ['the first failure, not the latest', null, [failed(1), failed(2)], 1],
    ['a failure of an earlier batch', 1, [failed(2)], 1],
    ['never, when the latest attempt arrived', 1, [failed(2), arrived(3)], null],
    ['the first failure after the latest success', 1, [failed(2), arrived(3), failed(4), failed(5)], 4],
    ['the same failure, in any order of results', 1, [failed(5), failed(4), arrived(3), failed(2)], 4],
    ['a failure, even if an older success is recorded later', 5, [arrived(4)], 5],
    ['never, when an attempt arrived at the instant of the failure', 5, [arrived(5)], null],
  ])('%s', (_, before, attempts, since) => {
    expect(failingSince(before, attempts)).toBe(since);
  });
});

test('a webhook counts as failing after five days, to the millisecond', () => {
  const since = Date.UTC(2026, 5, 1, 12);
  expect(isFailing(since, since + 5 * DAY_MS - 1)).toBe(false);
  expect(isFailing(since, since + 5 * DAY_MS)).toBe(true);
  expect(isFailing(null, since)).toBe(false);
});
