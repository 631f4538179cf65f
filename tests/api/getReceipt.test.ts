import { distance } from '@turf/distance';
import { describe, expect, test } from 'vitest';
import type { Passenger } from '../../server/domain/passenger.ts';
import { HOUR_MS, SECOND_MS } from '../../server/domain/time.ts';
import { flag } from '../../server/store/flag.ts';
import { answerOf, failure } from '../support/answers.ts';
import { CITIES } from '../support/cities.ts';
import { engines } from '../support/database.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, type Riding, requestRideOf, ridingOf, startRiding, storedRide } from '../support/take-ride.ts';

const NOT_AVAILABLE = failure(404, 'receipt_not_available');
/** The prices of svc in San Francisco, in cents. */
const SVC = { base: 220, perMile: 115, perMinute: 38, trustAndService: 270 };
const TAX = 0.0325;
const ACCESS_FEE = 10;

const receiptOf = async ({ api, params }: Riding) => answerOf(await api.getReceipt({ params }));

/** The length of a path, without the server's code. */
const milesAlong = (path: ReadonlyArray<{ readonly lat: number; readonly lng: number }>) =>
  path.reduce((miles, { lat, lng }, i) => {
    const before = path[i - 1] ?? { lat, lng };
    return miles + distance([before.lng, before.lat], [lng, lat], { units: 'miles' });
  }, 0);

const sum = (amounts: ReadonlyArray<{ readonly amount: number }>) =>
  amounts.reduce((total, { amount }) => total + amount, 0);

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  /** A passenger who was dropped off a second ago. */
  async function rodeAlong(change: Parameters<typeof startRiding>[1] = {}): Promise<Riding> {
    return arrivedHome(await startRiding(server, change));
  }

  async function arrivedHome(riding: Riding): Promise<Riding> {
    await advanceUntil(server, riding, 'droppedOff');
    await server.advance(riding.world, SECOND_MS);
    return riding;
  }

  test('the receipt is ready five seconds after the rating, and the ride shows it too', async () => {
    const riding = await rodeAlong();
    await riding.api.rateRide({ params: riding.params, body: { rating: 5, tip: { amount: 300, currency: 'USD' } } });
    expect(await receiptOf(riding)).toEqual(NOT_AVAILABLE);
    await server.advance(riding.world, 5 * SECOND_MS - 1);
    expect(await receiptOf(riding)).toEqual(NOT_AVAILABLE);
    await server.advance(riding.world, 1);

    const { data } = await riding.api.getReceipt({ params: riding.params });
    const { price, line_items, charges, ...rest } = data!;
    expect(rest).toEqual({
      ride_id: riding.rideId,
      requested_at: '2026-05-12T18:00:00.000+00:00',
      ride_profile: 'personal',
    });
    expect(line_items.at(-1)).toEqual({ type: 'Tip', amount: 300, currency: 'USD' });
    expect(charges).toEqual([{ amount: price.amount, currency: 'USD', payment_method: 'Visa ending in 4242' }]);
    const ride = await riding.api.getRide({ params: riding.params });
    expect(ride.data).toMatchObject({ price, line_items, charges });
  });

  test('the distance and every line item follow from the stored path', async () => {
    const riding = await rodeAlong();
    await riding.api.rateRide({ params: riding.params, body: { rating: 5 } });
    await server.advance(riding.world, 5 * SECOND_MS);
    const { path } = (await storedRide(server, riding.world, riding.rideId)).plan!.trip;
    const miles = Math.round(milesAlong(path) * 100) / 100;
    const seconds = Math.round(path.at(-1)!.seconds);
    const distance = Math.round(SVC.perMile * miles);
    const time = Math.round((SVC.perMinute * seconds) / 60);
    const fare = SVC.base + distance + time;

    const ride = await riding.api.getRide({ params: riding.params });
    expect(ride.data).toMatchObject({ distance_miles: miles });
    const { data } = await riding.api.getReceipt({ params: riding.params });
    expect(data!.line_items.map(({ type, amount }) => [type, amount])).toEqual([
      ['Base fare', SVC.base],
      ['Distance', distance],
      ['Time', time],
      ['Trust & Service', SVC.trustAndService],
      ['San Francisco Traffic Congestion Mitigation Tax', Math.round(fare * TAX)],
      ['California Access for All Fee', ACCESS_FEE],
    ]);
    expect(data!.price.amount).toBe(fare + SVC.trustAndService + Math.round(fare * TAX) + ACCESS_FEE);
  });

  describe('the receipt of an unrated ride', () => {
    test('is ready 24 hours after the drop-off, without a tip', async () => {
      const riding = await rodeAlong();
      await server.advance(riding.world, 24 * HOUR_MS - SECOND_MS - 1);
      expect(await receiptOf(riding)).toEqual(NOT_AVAILABLE);
      await server.advance(riding.world, 1);
      const { data } = await riding.api.getReceipt({ params: riding.params });
      expect(data!.line_items.map(({ type }) => type)).not.toContain('Tip');
    });

    test.each([undefined, 'another'])('is ready at the next request, of the application %s', async (applicationId) => {
      const riding = await rodeAlong();
      const { world, passenger } = riding;
      expect(await receiptOf(riding)).toEqual(NOT_AVAILABLE);
      const token = await server.newToken({ world, passenger, ...(applicationId && { applicationId }) });
      await requestRideOf({ api: server.client({ token }) });
      const { data } = await riding.api.getReceipt({ params: riding.params });
      const charge = { amount: data!.price.amount, currency: 'USD', payment_method: 'Visa ending in 4242' };
      expect(data!.charges).toEqual([charge]);
    });
  });

  describe('the receipt and the ride', () => {
    const AMEX = { paymentMethod: 'Amex ending in 0005', businessProfile: true };
    const DISCOVER = { paymentMethod: 'Discover ending in 1117', businessProfile: true };
    test.each<[string, Partial<Passenger>, Partial<Passenger>, string, string]>([
      ['the business profile of the request', AMEX, {}, 'business', AMEX.paymentMethod],
      ['the payment method of the payment', {}, AMEX, 'personal', AMEX.paymentMethod],
      ['an open balance if it was removed', {}, { paymentMethod: null }, 'personal', 'Open balance'],
    ])('show %s, even if it changes later', async (_, traits, change, ride_profile, payment_method) => {
      const world = await server.newWorld();
      const rider = await server.newRider(world, traits);
      const riding = await arrivedHome(ridingOf(rider, world, await requestRideOf(rider)));
      const { api, params } = riding;
      await api.rateRide({ params, body: { rating: 5 } });
      await changePassenger(riding, change);
      await server.advance(world, 5 * SECOND_MS);
      await changePassenger(riding, DISCOVER);
      const shown = [(await api.getReceipt({ params })).data, (await api.getRide({ params })).data];
      expect(shown).toMatchObject(Array(2).fill({ ride_profile, charges: [{ payment_method }] }));
    });

    function changePassenger({ passenger }: Riding, change: Partial<Passenger>) {
      const { paymentMethod, businessProfile } = { ...passenger, ...change };
      return server.store.db
        .updateTable('passengers')
        .set({ paymentMethod, businessProfile: flag(businessProfile) })
        .where('id', '=', passenger.id)
        .execute();
    }
  });

  // domain/pricing.test.ts has other ride types
  test.each(CITIES)('a ride in $name costs $currency, and so does canceling it', async ({ center, currency }) => {
    const aKilometerSouth = { lat: center.lat - 0.01, lng: center.lng };
    const riding = await startRiding(server, { origin: center, destination: aKilometerSouth });
    await advanceUntil(server, riding, 'pickedUp');
    const { error } = await riding.api.cancelRide({ params: riding.params });
    expect(error).toMatchObject({ error: 'cancel_confirmation_required', currency });
    await arrivedHome(riding);
    await riding.api.rateRide({ params: riding.params, body: { rating: 5, tip: { amount: 77, currency } } });
    await server.advance(riding.world, 5 * SECOND_MS);
    const { data } = await riding.api.getReceipt({ params: riding.params });
    const { price, line_items, charges } = data!;
    expect([sum(line_items), sum(charges)]).toEqual([price.amount, price.amount]);
    expect(new Set([price, ...line_items, ...charges].map((money) => money.currency))).toEqual(new Set([currency]));
  });
});
