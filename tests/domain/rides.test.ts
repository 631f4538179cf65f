import { describe, expect, test } from 'vitest';
import { METERS_PER_MILE, metersBetween } from '../../server/domain/geo.ts';
import { type CancelClaims, cancelClaimsFor } from '../../server/domain/pricing/cancel-token.ts';
import { fareOfRide } from '../../server/domain/pricing/receipt.ts';
import { agreedCancelFee, canCancel, cancel } from '../../server/domain/rides/cancel.ts';
import { changeDestination, MOST_ROUTE_POINTS } from '../../server/domain/rides/change-destination.ts';
import { accept, arrive, closeAsUnknown, dropOff, pickUp } from '../../server/domain/rides/drive.ts';
import { eventsBetween } from '../../server/domain/rides/events.ts';
import { processPayment } from '../../server/domain/rides/pay.ts';
import { rate } from '../../server/domain/rides/rate.ts';
import { type Canceler, isActive, type Place, type Ride, type RideStatus } from '../../server/domain/rides/ride.ts';
import { dropOffEtaSeconds, pickupEtaSeconds, vehiclePosition } from '../../server/domain/rides/whereabouts.ts';
import { lengthMiles } from '../../server/domain/routes/route.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { driveUntil } from '../support/drive-ride.ts';
import { DOWNTOWN, FAKE_AREA, FAKE_GEOGRAPHY, TUESDAY_MORNING as NOW, rectangle } from '../support/fake-area.ts';
import { milesNorthOf } from '../support/places.ts';
import { refusalOf } from '../support/refusal-of.ts';
import { IN, PAYMENT, STATUSES } from '../support/ride-in-status.ts';

const FREE = { ...PAYMENT, fee: 0 };

describe('a move', () => {
  const { driver, plan } = IN.accepted;
  const MOVES: Readonly<Partial<Record<RideStatus, (ride: Ride, at: number) => Ride>>> = {
    accepted: (ride, at) => accept(ride, driver!, plan!, at),
    arrived: arrive,
    pickedUp: pickUp,
    droppedOff: dropOff,
    canceled: (ride, at) => cancel(ride, 'passenger', at, FREE),
    unknown: closeAsUnknown,
  };
  const table = STATUSES.flatMap((from) => (Object.keys(MOVES) as RideStatus[]).map((to) => [from, to] as const));

  const LEGAL: Readonly<Record<RideStatus, readonly RideStatus[]>> = {
    pending: ['accepted', 'canceled', 'unknown'],
    accepted: ['arrived', 'canceled', 'unknown'],
    arrived: ['pickedUp', 'canceled', 'unknown'],
    pickedUp: ['droppedOff', 'canceled', 'unknown'],
    ...{ droppedOff: [], canceled: [], unknown: [] },
  };

  test.each(table.filter(([from, to]) => !LEGAL[from].includes(to)))('from %s to %s is refused', (from, to) => {
    const code = to === 'canceled' ? 'ride_is_finished' : 'bad_parameter';
    expect(refusalOf(() => MOVES[to]!(IN[from], NOW + MINUTE_MS)).code).toBe(code);
  });

  test('made by hand shifts the rest of the plan', () => {
    const early = arrive(IN.accepted, IN.accepted.acceptedAt! + 10);
    // also an instant before the move, because several moves can follow one another on a frozen clock
    for (const at of [early.arrivedAt!, early.arrivedAt! - 5]) {
      expect(vehiclePosition(early, at)).toMatchObject({ lat: DOWNTOWN.lat, lng: DOWNTOWN.lng });
    }
    const { toPickup, trip } = IN.accepted.plan!;
    expect(early.plan!.trip.startsAt - early.arrivedAt!).toBe(trip.startsAt - toPickup.endsAt);
    expect(early.plan!.trip.endsAt - early.plan!.trip.startsAt).toBe(trip.endsAt - trip.startsAt);
    const late = pickUp(IN.arrived, IN.arrived.arrivedAt! + 5 * MINUTE_MS);
    expect(late.plan!.trip.startsAt).toBe(late.pickedUpAt);
    expect(vehiclePosition(late, late.pickedUpAt!)).toMatchObject({ lat: DOWNTOWN.lat, lng: DOWNTOWN.lng });
  });
});

describe('canceling', () => {
  const CANCELERS: readonly Canceler[] = ['passenger', 'driver', 'no_drivers_available'];
  const pairs = STATUSES.flatMap((status) => CANCELERS.map((by) => [status, by] as const));
  test.each(pairs)('while %s by %s', (status, by) => {
    const attempt = () => cancel(IN[status], by, NOW + 30 * MINUTE_MS, FREE);
    if (!isActive(status)) return expect(refusalOf(attempt).code).toBe('ride_is_finished');
    if (by === 'no_drivers_available' && status !== 'pending')
      return expect(refusalOf(attempt).code).toBe('bad_parameter');
    expect(attempt()).toMatchObject({ status: 'canceled', canceledBy: by, cancelFee: 0, payment: null });
  });

  test('is open to everyone while the ride is active', () => {
    for (const status of STATUSES) {
      const isOver = ['droppedOff', 'canceled', 'unknown'].includes(status);
      expect(canCancel(status)).toEqual(isOver ? [] : ['passenger', 'driver', 'dispatcher']);
    }
  });

  test('for a fee is paid at once, and creates two events in order', () => {
    const canceled = cancel(IN.arrived, 'passenger', NOW + 5 * MINUTE_MS, { ...PAYMENT, fee: 500 });
    expect(canceled.payment!.price.amount).toBe(500 + 20 + 35);
    expect(canceled.payment!.processedAt).toBe(canceled.canceledAt! + 1);
    expect(eventsBetween(IN.arrived, canceled)).toEqual([
      { type: 'ride.status.updated', at: canceled.canceledAt },
      { type: 'ride.receipt.ready', at: canceled.lastEventAt },
    ]);
  });
});

describe('a confirmed cancel fee', () => {
  const at = NOW + 10 * MINUTE_MS;
  const late = IN.arrived;
  const onBoard = IN.pickedUp;
  const claims = cancelClaimsFor(late, 'app-1', 500, at);
  const offer = { applicationId: 'app-1', currency: 'USD', sealOffer: () => 'sealed' };
  const agree = (ride: Ride, confirmation: CancelClaims | 'unreadable' | null, fee = 500, now = at) =>
    agreedCancelFee(ride, { ...offer, fee, confirmation, at: now });

  test('is not needed if canceling is free', () => {
    expect(agree(late, null, 0)).toBe(0);
  });

  test('is requested with a token that is valid for a minute', () => {
    const refusal = refusalOf(() => agree(late, null));
    expect(refusal.code).toBe('cancel_confirmation_required');
    expect(refusal.extra).toEqual({ amount: 500, currency: 'USD', token: 'sealed', token_duration: 60 });
    expect(claims.expiresAt).toBe(at + 60_000);
  });

  test('stays the same for a minute while the fare on board grows', () => {
    const agreed = cancelClaimsFor(onBoard, 'app-1', 700, at);
    expect(agree(onBoard, agreed, 760, at + 20_000)).toBe(700);
  });

  test('is valid if a frozen clock shows a time before the pickup', () => {
    const frozen = onBoard.pickedUpAt! - 3;
    const agreed = cancelClaimsFor(onBoard, 'app-1', 700, frozen);
    expect(agree(onBoard, agreed, 760, frozen)).toBe(700);
  });

  test.each([400, 600])('of 500 that has changed to %i must be confirmed again', (fee) => {
    expect(refusalOf(() => agree(late, claims, fee)).code).toBe('invalid_cancel_confirmation');
    expect(agree(late, cancelClaimsFor(late, 'app-1', fee, at), fee)).toBe(fee);
  });
});

describe('rating', () => {
  const ride = IN.droppedOff;
  const soon = ride.droppedOffAt! + MINUTE_MS;
  const context = { area: FAKE_AREA, hasRiddenSince: false };
  const stars = { stars: 5, feedback: null, tip: null };
  const tip = (amount: number, currency = 'USD') => ({ ...stars, tip: { amount, currency } });

  test('starts the payment, which takes five seconds and includes the tip', () => {
    const rated = rate(ride, tip(300), soon, context);
    expect(rated).toMatchObject({ status: 'droppedOff', rating: { stars: 5, at: soon }, paymentDueAt: soon + 5000 });
    const paid = processPayment(rated, soon + 5000, PAYMENT);
    expect(paid.paymentDueAt).toBeNull();
    expect(paid.payment!.lineItems.at(-1)).toEqual({ type: 'Tip', amount: 300, currency: 'USD' });
    expect(eventsBetween(rated, paid)).toEqual([{ type: 'ride.receipt.ready', at: soon + 5000 }]);
    expect(processPayment(paid, soon + 6000, PAYMENT)).toBe(paid);
    expect(paid.lastEventAt).toBe(soon + 5000);
  });

  test.each(STATUSES.filter((status) => status !== 'droppedOff'))('a ride that is %s is not paid for', (status) => {
    expect(processPayment(IN[status], NOW + 2 * DAY_MS, PAYMENT)).toBe(IN[status]);
  });

  const rated = rate(ride, stars, soon, context);
  test.each<[string, string, Ride, number, boolean]>([
    ['an active ride', 'ride_not_finished', IN.pickedUp, soon, true],
    ['a ride that is already rated', 'user_cannot_rate_this_ride', rated, soon + 1, false],
    ['a ride from yesterday', 'user_cannot_rate_this_ride', ride, ride.droppedOffAt! + DAY_MS, false],
    ['a ride before a newer one', 'user_cannot_rate_this_ride', ride, soon, true],
    ['a ride that is paid for', 'user_cannot_rate_this_ride', processPayment(ride, soon, PAYMENT), soon + 2, false],
    ['a tip in another currency', 'tip_currency_not_accepted', ride, soon, false],
  ])('%s is refused with %s, and not because the tip is too large', (_, code, tipped, at, hasRiddenSince) => {
    expect(refusalOf(() => rate(tipped, tip(99_999, 'EUR'), at, { ...context, hasRiddenSince })).code).toBe(code);
  });

  test('at the instant of the drop-off comes after it, and payment still takes five seconds', () => {
    const at = ride.droppedOffAt!;
    const { rating, lastEventAt, paymentDueAt } = rate(ride, stars, at, context);
    expect([rating!.at, lastEventAt, paymentDueAt]).toEqual([at + 1, at + 1, at + 5000]);
  });
});

test.each([
  ['USD', 5_000],
  ['JPY', 50],
  ['KWD', 50_000],
])('a tip of fifty whole %s is always allowed, minor units: %i', (currency, most) => {
  const ride: Ride = { ...IN.droppedOff, fixedFare: 20 };
  const context = { area: { ...FAKE_AREA, currency }, hasRiddenSince: false };
  const tipped = (amount: number) => () =>
    rate(ride, { stars: 5, feedback: null, tip: { amount, currency } }, NOW + MINUTE_MS, context);
  expect(tipped(most)().rating!.tip).toEqual({ amount: most, currency });
  const { code, detail } = refusalOf(tipped(most + 1));
  expect({ code, detail }).toEqual({ code: 'tip_too_large', detail: { 'tip.amount': `must be at most ${most}` } });
});

describe('a new destination', () => {
  const [south, north] = [DOWNTOWN.lat - 2, DOWNTOWN.lat + 2];
  const wide = { ...FAKE_AREA, boundary: rectangle(-91, south, -89, north), prohibitedDropOffs: [] };
  const context = { geography: { ...FAKE_GEOGRAPHY, areas: [wide] }, area: wide };
  const northBy = (miles: number): Place => ({ ...DOWNTOWN, ...milesNorthOf(DOWNTOWN, miles) });
  const change = (ride: Ride, destination: Place) => () =>
    changeDestination(ride, destination, NOW + MINUTE_MS, context);

  test('can be a hundred miles from the pickup, regardless of the previous destination', () => {
    for (const before of [northBy(50), northBy(-50)]) {
      const ride = { ...IN.accepted, destination: before };
      expect(change(ride, northBy(99.99))().destination).toEqual(northBy(99.99));
      expect(refusalOf(change(ride, northBy(100.01))).code).toBe('invalid_destination');
    }
  });

  test('must be more than 50 meters from a pickup that has not happened yet', () => {
    for (const status of ['pending', 'accepted', 'arrived'] as const) {
      expect(refusalOf(change(IN[status], northBy(49.9 / METERS_PER_MILE))).code).toBe('invalid_destination');
      const beyond = northBy(50.1 / METERS_PER_MILE);
      expect(change(IN[status], beyond)().destination).toEqual(beyond);
    }
  });

  test('can be anywhere once the passenger is on board, even back at the pickup', () => {
    const at = IN.pickedUp.pickedUpAt! + 4 * SECOND_MS;
    const back = changeDestination(IN.pickedUp, DOWNTOWN, at, context);
    const { path } = back.plan!.trip;
    expect(path.at(-1)).toMatchObject({ lat: DOWNTOWN.lat, lng: DOWNTOWN.lng });
    const away = vehiclePosition(IN.pickedUp, at)!;
    expect(metersBetween(away, DOWNTOWN)).toBeGreaterThan(1000);
    expect(lengthMiles(path)).toBeGreaterThanOrEqual((2 * metersBetween(away, DOWNTOWN)) / METERS_PER_MILE);
  });

  test('can change until the route has its most points', () => {
    let ride = IN.pickedUp;
    const detour = () => {
      for (let miles = 50; ; miles = -miles)
        ride = changeDestination(ride, northBy(miles), ride.plan!.trip.endsAt, context);
    };
    expect(refusalOf(detour).code).toBe('invalid_destination');
    const { length } = ride.plan!.trip.path;
    expect([length > MOST_ROUTE_POINTS / 2, length <= MOST_ROUTE_POINTS]).toEqual([true, true]);
  });

  test('can be the pickup before the car has moved, and the car keeps a bearing', () => {
    const at = IN.pickedUp.pickedUpAt!;
    const back = changeDestination(IN.pickedUp, DOWNTOWN, at, context);
    const position = vehiclePosition(back, at + 1)!;
    expect(metersBetween(position, DOWNTOWN)).toBeLessThan(1);
    expect(position.bearing).toBeGreaterThanOrEqual(0);
    expect(dropOffEtaSeconds(back, at + 1)).toBeLessThanOrEqual(1);
    const end = driveUntil(back, 'droppedOff');
    expect(end.distanceMiles).toBe(0);
    expect(fareOfRide(end, FAKE_AREA)).toBe(FAKE_AREA.rideTypes[0]!.prices.costMinimum);
  });
});

test.each(STATUSES)('whereabouts while %s', (status) => {
  const ride = IN[status];
  const isShown = [vehiclePosition, pickupEtaSeconds, dropOffEtaSeconds].map(
    (of) => of(ride, ride.lastEventAt) !== null,
  );
  const hasCar = ['accepted', 'arrived', 'pickedUp'].includes(status);
  expect(isShown).toEqual([hasCar, status === 'accepted', status === 'pickedUp']);
});

test('a status change and a payment create one event each, but the statuses pending and unknown create no event', () => {
  for (const status of ['accepted', 'arrived', 'pickedUp', 'droppedOff'] as const) {
    expect(eventsBetween(IN.pending, IN[status])).toEqual([
      { type: 'ride.status.updated', at: IN[status].lastEventAt },
    ]);
  }
  expect(eventsBetween(IN.pending, IN.unknown)).toEqual([]);
  expect(eventsBetween(IN.accepted, IN.accepted)).toEqual([]);
  const paid = processPayment(IN.droppedOff, NOW + DAY_MS, PAYMENT);
  expect(eventsBetween(paid, paid)).toEqual([]);
});
