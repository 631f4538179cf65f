import { describe, expect, test } from 'vitest';
import { DAY_MS, SECOND_MS } from '../../server/domain/time.ts';
import { type EndedAttempt, failingSince, isFailing } from '../../server/domain/webhooks/failing.ts';
import { type FailedAttempt, nextAttempt } from '../../server/domain/webhooks/retry-schedule.ts';

const NOON = Date.UTC(2026, 5, 1, 12);

/** A failed attempt, in seconds: its start, if it starts late, and its duration. */
interface Failing {
  readonly startsAt?: number;
  readonly lasts?: number;
}

/** Fails every attempt. @returns the start of each, in seconds after the event */
function startsOf(failing: readonly Failing[]): number[] {
  const starts: number[] = [];
  let dueAt: number | null = NOON;
  type Place = Pick<FailedAttempt, 'scheduleAnchor' | 'previousEndedAt'>;
  let place: Place = { scheduleAnchor: null, previousEndedAt: null };
  for (let before = 0; dueAt !== null; before++) {
    const { startsAt, lasts = 0 } = failing[before] ?? {};
    const usual = Math.max(dueAt, place.previousEndedAt ?? dueAt);
    const startedAt: number = startsAt === undefined ? usual : NOON + startsAt * SECOND_MS;
    starts.push((startedAt - NOON) / SECOND_MS);
    const next = nextAttempt({ before, dueAt, startedAt, ...place });
    place = { scheduleAnchor: next.scheduleAnchor, previousEndedAt: startedAt + lasts * SECOND_MS };
    dueAt = next.dueAt;
  }
  return starts;
}

const lasts = (seconds: number): Failing => ({ lasts: seconds });
const at = (seconds: number): Failing => ({ startsAt: seconds });
const LONG = 'an attempt that takes long';
const LATE = 'an attempt that starts late';

test.each<[string, Failing[], number[]]>([
  ['there are nine attempts within two minutes', [], [0, 2, 5, 10, 20, 35, 55, 85, 120]],
  ['the first attempt starts the schedule', [at(600)], [600, 602, 605, 610, 620, 635, 655, 685, 720]],
  [`${LONG} delays only the next one`, [lasts(3)], [0, 3, 5, 10, 20, 35, 55, 85, 120]],
  [`${LONG} removes none: overdue ones follow`, Array(9).fill(lasts(10)), [0, 10, 20, 30, 40, 50, 60, 85, 120]],
  [`${LATE} by up to a second does not move the rest`, [{}, at(3)], [0, 3, 5, 10, 20, 35, 55, 85, 120]],
  [`${LATE} by more moves the rest`, [{}, at(3.5)], [0, 3.5, 6.5, 11.5, 21.5, 36.5, 56.5, 86.5, 121.5]],
  [`${LATE} by a minute moves the rest`, [{}, {}, at(65)], [0, 2, 65, 70, 80, 95, 115, 145, 180]],
  [`${LATE} counts from the end of the previous one`, [lasts(8), at(20)], [0, 20, 20, 22, 32, 47, 67, 97, 132]],
  [`${LATE} by a second after that end moves none`, [lasts(8), at(9)], [0, 9, 9, 10, 20, 35, 55, 85, 120]],
  [`${LATE} twice moves the rest twice`, [{}, at(12), {}, at(120)], [0, 12, 15, 120, 130, 145, 165, 195, 230]],
])('%s', (_, failing, starts) => {
  expect(startsOf(failing)).toEqual(starts);
});

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
  expect(isFailing(NOON, NOON + 5 * DAY_MS - 1)).toBe(false);
  expect(isFailing(NOON, NOON + 5 * DAY_MS)).toBe(true);
  expect(isFailing(null, NOON)).toBe(false);
});
