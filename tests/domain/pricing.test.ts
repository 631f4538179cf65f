import { describe, expect, test } from 'vitest';
import type { Point } from '../../server/domain/geo.ts';
import { cancelFee } from '../../server/domain/pricing/cancel-penalty.ts';
import { type CostBinding, type CostClaims, checkCostClaims } from '../../server/domain/pricing/cost-token.ts';
import { priceTrip, tripBetween } from '../../server/domain/pricing/estimate.ts';
import { fareOf, pricesOf, sumOf, totalOf } from '../../server/domain/pricing/fare.ts';
import { offerCost } from '../../server/domain/pricing/offer.ts';
import { primeTimeMultiplier, primeTimePercentage } from '../../server/domain/pricing/prime-time.ts';
import { fareOfRide, receiptOf } from '../../server/domain/pricing/receipt.ts';
import type { Money, Ride } from '../../server/domain/rides/ride.ts';
import { MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { driveUntil } from '../support/drive-ride.ts';
import {
  DOWNTOWN,
  FAKE_AREA,
  FAR_SIDE,
  FARTOWN,
  fakeRide,
  TUESDAY_MORNING as NOW,
  PRICES,
  SUBURB,
} from '../support/fake-area.ts';
import { northOf } from '../support/places.ts';
import { refusalOf } from '../support/refusal-of.ts';

/** The estimate for a ride from downtown. */
const estimateTo = (to: Point, change: Partial<Parameters<typeof priceTrip>[1]> = {}) =>
  priceTrip(tripBetween(DOWNTOWN, to, FAKE_AREA), { area: FAKE_AREA, rideType: 'svc', primeTimePercent: 0, ...change });

describe('a fare', () => {
  test.each([
    // miles, seconds, Prime Time percent → base, distance, time, top-up to the minimum, Prime Time
    [10, 1200, 0, [200, 1500, 600, 0, 0]],
    [10, 1200, 50, [200, 1500, 600, 0, 1150]],
    [10, 1200, 100, [200, 1500, 600, 0, 2300]],
    [1.23, 61, 0, [200, 185, 31, 84, 0]],
    [1.23, 61, 25, [200, 185, 31, 84, 125]],
    [0, 0, 0, [200, 0, 0, 300, 0]],
    [0, 0, 75, [200, 0, 0, 300, 375]],
    [1, 300, 0, [200, 150, 150, 0, 0]],
    [10.002, 1200, 25, [200, 1500, 600, 0, 575]],
    [10.006, 1200, 25, [200, 1501, 600, 0, 575]],
    [10.02, 1200, 25, [200, 1503, 600, 0, 576]],
  ])('of %f miles in %i seconds at %i%% Prime Time', (miles, seconds, percent, parts) => {
    const fare = fareOf(PRICES, miles, seconds, percent);
    expect([fare.base, fare.distance, fare.time, fare.toMinimum, fare.primeTime]).toEqual(parts);
    expect(sumOf(fare)).toBe(parts.reduce((sum, part) => sum + part, 0));
  });

  test('rounds the price of the time to the nearest cent', () => {
    const priceOf = (seconds: number) => fareOf({ ...PRICES, costPerMinute: 31 }, 0, seconds, 0).time;
    expect([61, 62, 63].map(priceOf)).toEqual([32, 32, 33]);
  });

  test('is followed by the trust and service fee and the regional charges, which Prime Time does not multiply', () => {
    expect(totalOf(1000, PRICES, FAKE_AREA.regionalCharges)).toBe(1000 + 250 + 40 + 35);
    expect(totalOf(1000, PRICES, [])).toBe(1250);
    expect(totalOf(1012, PRICES, [{ name: 'Tax', percent: 2.5 }])).toBe(1012 + 250 + 25);
    expect(totalOf(1022, PRICES, [{ name: 'Tax', percent: 2.5 }])).toBe(1022 + 250 + 26);
  });

  test('has prices only for ride types that the area offers', () => {
    expect(pricesOf(FAKE_AREA, 'svc_plus').baseCharge).toBe(300);
    expect(() => pricesOf(FAKE_AREA, 'svc_premier')).toThrow('no prices');
  });

  test.each([
    [0, '0%', 1],
    [25, '25%', 1.25],
    [50, '50%', 1.5],
    [100, '100%', 2],
  ])('Prime Time of %i percent is shown as %s and multiplies by %f', (percent, shown, multiplier) => {
    expect(primeTimePercentage(percent)).toBe(shown);
    expect(primeTimeMultiplier(percent)).toBe(multiplier);
  });
});

describe('an estimate', () => {
  test.each([
    ['svc', 0],
    ['svc', 50],
    ['svc_plus', 100],
    ['svc_lux', 25],
  ])('for %s at %i%% Prime Time contains the final price', (rideType, primeTimePercent) => {
    for (const destination of [SUBURB, FAR_SIDE, { lat: 40.0506, lng: -90, address: null }]) {
      const estimate = estimateTo(destination, { rideType, primeTimePercent });
      const ride = driveUntil(fakeRide({ rideType, destination, primeTimePercent }), 'droppedOff');
      const { price } = receiptOf(ride, { area: FAKE_AREA, method: 'Visa' }, null, NOW);
      expect(estimate.isValid).toBe(true);
      expect(price.amount).toBeGreaterThanOrEqual(estimate.minCents);
      expect(price.amount).toBeLessThanOrEqual(estimate.maxCents);
      expect(estimate.minCents).toBeLessThan(estimate.maxCents);
      expect(estimate.miles).toBe(ride.distanceMiles);
      expect(estimate.seconds).toBe(ride.durationSeconds);
      expect(estimate.fare).toBe(fareOfRide(ride, FAKE_AREA));
    }
  });

  test('ranges from ten percent below the price of the path to fifteen percent above it', () => {
    for (const to of [SUBURB, FAR_SIDE, { lat: 40.09, lng: -90.03 }, { lat: 40.02, lng: -89.95 }]) {
      const { fare, minCents, maxCents } = estimateTo(to);
      const total = totalOf(fare, PRICES, FAKE_AREA.regionalCharges);
      expect([minCents, maxCents]).toEqual([Math.floor((total * 90) / 100), Math.ceil((total * 115) / 100)]);
    }
  });

  test('is never less than the price of a ride of zero length', () => {
    const nextDoor = { lat: DOWNTOWN.lat + 0.0005, lng: DOWNTOWN.lng };
    const short = (rideType: string) => estimateTo(nextDoor, { rideType }).minCents;
    expect(short('svc')).toBe(500 + 250 + 20 + 35);
    // a base charge above the minimum
    expect(short('svc_lux')).toBe(900 + 250 + 36 + 35);
  });

  test('for more than 100 miles is not valid, and is all zeros', () => {
    expect(estimateTo(FARTOWN)).toEqual({ isValid: false, minCents: 0, maxCents: 0, miles: 0, seconds: 0, fare: 0 });
  });
});

describe('a receipt', () => {
  const ridden = fakeRide({ status: 'droppedOff', distanceMiles: 10, durationSeconds: 1200, primeTimePercent: 50 });
  const lines = (ride: Ride, tip: Money | null = null) => {
    const paid = receiptOf(ride, { area: FAKE_AREA, method: 'Visa ***1111' }, tip, NOW);
    const sum = paid.lineItems.reduce((total, { amount }) => total + amount, 0);
    expect(paid.price).toMatchObject({ amount: sum, currency: 'USD' });
    expect(paid.charges).toEqual([{ amount: sum, currency: 'USD', paymentMethod: 'Visa ***1111' }]);
    expect(paid.lineItems.every(({ currency }) => currency === 'USD')).toBe(true);
    return paid.lineItems.map(({ type, amount }) => `${type} ${amount}`).join(', ');
  };
  const free = fakeRide({ status: 'droppedOff', distanceMiles: 0, durationSeconds: 0 });
  const fees = (tax: number) => `Trust & Service 250, City tax ${tax}, Street fund 35`;

  test('lists distance, time, Prime Time, fees and the tip, and adds up', () => {
    expect(lines(ridden, { amount: 300, currency: 'USD' })).toBe(
      `Base fare 200, Distance 1500, Time 600, Prime Time 1150, ${fees(138)}, Tip 300`,
    );
  });

  test('lists the top-up to the minimum fare', () => {
    expect(lines({ ...ridden, distanceMiles: 0.5, durationSeconds: 100, primeTimePercent: 0 })).toBe(
      `Base fare 200, Distance 75, Time 50, Minimum fare 175, ${fees(20)}`,
    );
  });

  test.each([
    [2012, 1341, 671, 80],
    [2013, 1342, 671, 81],
    [2014, 1343, 671, 81],
  ])(
    'keeps a fixed fare of %i for any distance, and lists its surcharge separately',
    (fixedFare, fare, surcharge, tax) => {
      expect(lines({ ...ridden, fixedFare })).toBe(`Ride fare ${fare}, Prime Time ${surcharge}, ${fees(tax)}`);
    },
  );

  test('of a free ride is empty, and charges nothing', () => {
    const prices = { ...PRICES, baseCharge: 0, costMinimum: 0, trustAndService: 0 };
    const area = { ...FAKE_AREA, rideTypes: [{ rideType: 'svc', prices, shareOfCars: 1 }], regionalCharges: [] };
    expect(receiptOf(free, { area, method: 'Visa' }, null, NOW)).toEqual({
      price: { amount: 0, currency: 'USD', description: 'Ride total' },
      lineItems: [],
      charges: [],
      processedAt: NOW,
    });
  });

  test('of a canceled ride shows the fee and the regional charges', () => {
    const canceled = fakeRide({ status: 'canceled', cancelFee: 500 });
    expect(lines(canceled)).toBe('Cancellation fee 500, City tax 20, Street fund 35');
  });
});

describe('the fee for canceling', () => {
  const accepted = driveUntil(fakeRide(), 'accepted');
  const arrived = driveUntil(fakeRide(), 'arrived');
  const pickedUp = driveUntil(fakeRide({ destination: FAR_SIDE }), 'pickedUp');
  const trip = pickedUp.plan!.trip;

  test.each([
    ['pending', fakeRide(), NOW + 4 * MINUTE_MS, 0],
    ['accepted, at once', accepted, accepted.acceptedAt!, 0],
    ['accepted, at the end of the grace time', accepted, accepted.acceptedAt! + 120 * SECOND_MS - 1, 0],
    ['accepted, after the grace time', accepted, accepted.acceptedAt! + 120 * SECOND_MS, 500],
    ['arrived, within the grace time', arrived, arrived.acceptedAt! + 60 * SECOND_MS, 0],
    ['arrived, after the grace time', arrived, arrived.acceptedAt! + 121 * SECOND_MS, 500],
    ['picked up just now, within the grace time', pickedUp, pickedUp.pickedUpAt!, 500],
    ['droppedOff', driveUntil(fakeRide(), 'droppedOff'), NOW + 20 * MINUTE_MS, 0],
    ['canceled', fakeRide({ status: 'canceled' }), NOW + MINUTE_MS, 0],
    ['unknown', fakeRide({ status: 'unknown' }), NOW + MINUTE_MS, 0],
  ])('while %s', (_, ride, at, fee) => {
    expect(cancelFee(ride, FAKE_AREA, at)).toBe(fee);
  });

  test('grows with the distance once that costs more than the penalty, up to the fare', () => {
    const middle = cancelFee(pickedUp, FAKE_AREA, (trip.startsAt + trip.endsAt) / 2);
    const whole = cancelFee(pickedUp, FAKE_AREA, trip.endsAt);
    expect(middle).toBeGreaterThan(500);
    expect(middle).toBeLessThan(whole);
    expect(whole).toBe(estimateTo(FAR_SIDE).fare);
  });

  test('counts whole seconds, like the final fare', () => {
    const prices = { ...PRICES, costPerMinute: 6000 };
    const dear = { ...FAKE_AREA, rideTypes: [{ rideType: 'svc', prices, shareOfCars: 1 }] };
    for (const destination of [SUBURB, FAR_SIDE]) {
      const ride = driveUntil(fakeRide({ destination }), 'pickedUp');
      expect(cancelFee(ride, dear, ride.plan!.trip.endsAt)).toBe(fareOfRide(driveUntil(ride, 'droppedOff'), dear));
    }
  });

  test('includes Prime Time, and is limited by a fixed fare', () => {
    const plain = cancelFee(pickedUp, FAKE_AREA, trip.endsAt);
    expect(cancelFee({ ...pickedUp, primeTimePercent: 50 }, FAKE_AREA, trip.endsAt)).toBe(Math.round(plain * 1.5));
    expect(cancelFee({ ...pickedUp, fixedFare: 900 }, FAKE_AREA, trip.endsAt)).toBe(900);
    expect(cancelFee({ ...pickedUp, fixedFare: 400 }, FAKE_AREA, trip.endsAt)).toBe(500);
  });
});

describe('a cost token', () => {
  const caller = { worldId: 'live', applicationId: 'app-1', passengerId: 'passenger-1' };
  const destination = { ...SUBURB, address: '2 Oak Street' };
  const request = { ...caller, rideType: 'svc', origin: DOWNTOWN, destination };
  const offer = { id: 'token-1', area: FAKE_AREA, primeTimePercent: 50, at: NOW };
  const claims: CostClaims = offerCost(request, offer);

  test('fixes the estimated fare, including Prime Time, for a minute, and contains no addresses', () => {
    const { fare } = estimateTo(SUBURB, { primeTimePercent: 50 });
    expect(claims).toMatchObject({ id: 'token-1', fare, primeTimePercent: 50, expiresAt: NOW + 60_000 });
    expect(claims.origin).toEqual({ lat: DOWNTOWN.lat, lng: DOWNTOWN.lng });
    expect(claims.destination).toEqual({ lat: SUBURB.lat, lng: SUBURB.lng });
  });

  test('fixes no fare without a destination, or with one too far away', () => {
    expect(offerCost({ ...request, destination: null }, offer).fare).toBeNull();
    expect(offerCost({ ...request, destination: FARTOWN }, offer).fare).toBeNull();
  });

  const WITHOUT_DROP_OFF = { destination: null, fare: null };
  test.each<['is valid' | 'is not valid', string, Partial<CostBinding>, number?, Partial<CostClaims>?]>([
    ['is valid', 'at once', {}],
    ['is valid', 'until its minute is over', {}, NOW + 59_999],
    ['is valid', 'for a pickup 249.9 m off', { origin: northOf(DOWNTOWN, 249.9) }],
    ['is valid', 'for a drop-off 249.9 m off', { destination: northOf(SUBURB, -249.9) }],
    ['is valid', 'for any drop-off, when it was offered without one', {}, NOW, WITHOUT_DROP_OFF],
    ['is valid', 'for no drop-off, when it was offered without one', { destination: null }, NOW, WITHOUT_DROP_OFF],
    ['is not valid', 'when its minute is over', {}, NOW + 60_000],
    ['is not valid', 'for another application', { applicationId: 'app-2' }],
    ['is not valid', 'for another passenger', { passengerId: 'passenger-2' }],
    ['is not valid', 'in another world', { worldId: 'sandbox-1' }],
    ['is not valid', 'for another ride type', { rideType: 'svc_plus' }],
    ['is not valid', 'for a pickup 250.1 m off', { origin: northOf(DOWNTOWN, 250.1) }],
    ['is not valid', 'for a drop-off 250.1 m off', { destination: northOf(SUBURB, -250.1) }],
    ['is not valid', 'for a ride without a drop-off', { destination: null }],
  ])('%s %s', (verdict, _, change, now = NOW, offered = {}) => {
    const check = () => checkCostClaims({ ...claims, ...offered }, { ...request, ...change }, now);
    if (verdict === 'is valid') expect(check).not.toThrow();
    else expect(refusalOf(check).code).toBe('invalid_primetime_confirmation');
  });
});
