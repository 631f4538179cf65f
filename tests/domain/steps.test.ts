import { describe, expect, test } from 'vitest';
import type { Ride } from '../../server/domain/rides/ride.ts';
import { nextStep, type StepRules } from '../../server/domain/rides/steps.ts';
import { takeStep } from '../../server/domain/rides/take-step.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { driveUntil, fakeContext, LIVE, SANDBOX } from '../support/drive-ride.ts';
import { fakeRide, TUESDAY_MORNING as NOW } from '../support/fake-area.ts';
import { IN } from '../support/ride-in-status.ts';

const { pending, accepted, arrived, pickedUp, droppedOff } = IN;
const rating = { stars: 5, feedback: null, tip: null, at: NOW };
const rated: Ride = { ...droppedOff, rating, paymentDueAt: NOW + 5000 };
const paid = takeStep(droppedOff, 'pay', droppedOff.droppedOffAt! + DAY_MS, fakeContext());
const { toPickup } = accepted.plan!;
const givingUp: Ride = { ...accepted, plan: { ...accepted.plan!, driverCancelsAt: toPickup.endsAt - 5 } };
const BY_HAND: StepRules = { ...SANDBOX, autoAdvance: false };
const FIRST = NOW + Math.round((2 * SECOND_MS) / 60);

describe('what happens next', () => {
  test.each<[string, Ride, number, step: string | null, at?: number, StepRules?]>([
    ['a new ride is matched after two planned seconds', pending, NOW, 'match', FIRST],
    ['matching is tried again ten seconds later', pending, FIRST, 'match', FIRST + 10 * SECOND_MS],
    ['and ten seconds after that', pending, FIRST + 10 * SECOND_MS, 'match', FIRST + 20 * SECOND_MS],
    ['matching is given up after five minutes', pending, FIRST + 290 * SECOND_MS, 'giveUp', NOW + 5 * MINUTE_MS],
    ['the car arrives', accepted, accepted.lastEventAt, 'arrive', toPickup.endsAt],
    ['the car arrives unless its driver gives up', givingUp, NOW, 'driverCancels', toPickup.endsAt - 5],
    ['the car waits, and picks up', arrived, arrived.lastEventAt, 'pickUp', arrived.plan!.trip.startsAt],
    ['the car drops off', pickedUp, pickedUp.lastEventAt, 'dropOff', pickedUp.plan!.trip.endsAt],
    ['an unrated ride is paid a day later', droppedOff, NOW, 'pay', droppedOff.droppedOffAt! + DAY_MS],
    ['a rated ride is paid soon', rated, NOW, 'pay', NOW + 5000],
    ['a paid ride is over', paid, NOW, null],
    ['a canceled ride is over', { ...pending, status: 'canceled' }, NOW, null],
    ['an unknown ride is over', { ...pending, status: 'unknown' }, NOW, null],
    ['an overdue step keeps its time', accepted, NOW + DAY_MS, 'arrive', toPickup.endsAt],
    ['a ride without a change for a day is closed', pending, NOW + DAY_MS, 'closeUnknown', NOW + DAY_MS, SANDBOX],
    ['payments are processed even with auto-advance off', rated, NOW, 'pay', NOW + 5000, BY_HAND],
  ])('%s', (_, ride, now, step, at, rules = LIVE) => {
    expect(nextStep(ride, rules, now)).toEqual(step === null ? null : { step, at });
  });

  test.each([
    ['at real speed', 1, 2000],
    ['three times as fast', 3, 667],
    ['faster than a millisecond', 10_000, 1],
    ['ten times slower', 0.1, 20_000],
  ])('a new ride is matched after two planned seconds, and after at least a millisecond: %s', (_, speed, wait) => {
    expect(nextStep(pending, { ...LIVE, speed }, NOW)).toEqual({ step: 'match', at: NOW + wait });
  });

  test('no attempt is made exactly at the end of the five minutes', () => {
    // cars at a fifth of real speed: the first attempt is after ten seconds, the thirtieth would be after five minutes
    const slow = { ...LIVE, speed: 0.2 };
    const before = NOW + 5 * MINUTE_MS - 1;
    expect(nextStep(pending, slow, before)).toEqual({ step: 'giveUp', at: NOW + 5 * MINUTE_MS });
    expect(nextStep(pending, { ...slow, live: false }, before)).toEqual({ step: 'match', at: NOW + 5 * MINUTE_MS });
  });

  test('a sandbox never gives up', () => {
    const due = nextStep(pending, SANDBOX, NOW + 10 * MINUTE_MS)!;
    expect(due.step).toBe('match');
    expect(due.at).toBeGreaterThan(NOW + 10 * MINUTE_MS);
  });

  test('a move exactly at the end of the day is too late', () => {
    const moveAt = (at: number): Ride => ({
      ...pickedUp,
      plan: { ...pickedUp.plan!, trip: { ...pickedUp.plan!.trip, endsAt: at } },
    });
    const end = pickedUp.lastEventAt + DAY_MS;
    expect(nextStep(moveAt(end - 1), LIVE, end - 2)).toEqual({ step: 'dropOff', at: end - 1 });
    expect(nextStep(moveAt(end), LIVE, end - 2)).toEqual({ step: 'closeUnknown', at: end });
  });

  test.each([pending, accepted, arrived, pickedUp])(
    'with auto-advance off a ride stays $status until it is closed',
    (ride) => {
      const due = nextStep(ride, BY_HAND, ride.lastEventAt);
      expect(due).toEqual({ step: 'closeUnknown', at: ride.lastEventAt + DAY_MS });
    },
  );
});

describe('a step', () => {
  test('takes an untouched ride from pending to droppedOff in under a minute, the same way each time', () => {
    expect(droppedOff.droppedOffAt! - pending.requestedAt).toBeLessThan(MINUTE_MS);
    expect(driveUntil(pending, 'droppedOff')).toEqual(droppedOff);
  });

  test('takes the same ride another way in a world with another seed', () => {
    const waitIn = (seed: string) => {
      const { toPickup, trip } = takeStep(pending, 'match', FIRST, fakeContext({ seed, speed: 1 })).plan!;
      return trip.startsAt - toPickup.endsAt;
    };
    expect(waitIn('one')).toBe(waitIn('one'));
    expect(waitIn('one')).not.toBe(waitIn('another'));
  });

  test('at the instant of the last event comes after it, and so does its plan', () => {
    const changed: Ride = { ...pending, lastEventAt: FIRST };
    const { acceptedAt, plan } = takeStep(changed, 'match', FIRST, fakeContext());
    expect([acceptedAt, plan!.toPickup.startsAt]).toEqual([FIRST + 1, FIRST + 1]);
  });

  test('that finds no car does not change the ride', () => {
    expect(takeStep(pending, 'match', FIRST, fakeContext({ nearestCar: () => null }))).toBe(pending);
  });

  test('pays for an unrated ride without a tip', () => {
    expect(paid.payment!.lineItems.map(({ type }) => type)).not.toContain('Tip');
    expect(paid.payment!.processedAt).toBe(droppedOff.droppedOffAt! + DAY_MS);
    expect(paid.lastEventAt).toBe(paid.payment!.processedAt);
  });

  test('lets drivers give up only in the live world', () => {
    const rides = Array.from({ length: 300 }, (_, i) => fakeRide({ id: `ride-${i}` }));
    const givenUp = (live: boolean) =>
      rides.filter((ride) => takeStep(ride, 'match', FIRST, fakeContext({ live })).plan!.driverCancelsAt !== null)
        .length;
    expect(givenUp(true)).toBeGreaterThan(0);
    expect(givenUp(false)).toBe(0);
  });
});
