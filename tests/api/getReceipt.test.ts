import { describe, expect, test } from 'vitest';
import type { Passenger } from '../../server/domain/passenger.ts';
import { HOUR_MS, SECOND_MS } from '../../server/domain/time.ts';
import { flag } from '../../server/store/flag.ts';
import { answerOf, failure } from '../support/answers.ts';
import { CITIES } from '../support/cities.ts';
import { engines } from '../support/database.ts';
import { ridingAt } from '../support/stages.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, type Riding, requestRideOf, ridingOf, startRiding, storedRide } from '../support/take-ride.ts';

const NOT_AVAILABLE = failure(404, 'receipt_not_available');
/** The prices of svc in San Francisco, in cents. */
const SVC = { base: 220, perMile: 115, perMinute: 38, trustAndService: 270 };
const TAX = 0.0325;
const ACCESS_FEE = 10;

const receiptOf = async ({ api, params }: Riding) => answerOf(await api.getReceipt({ params }));

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

  test.each(['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff'] as const)(
    'there is no receipt while a ride is %s',
    async (status) => {
      const riding = await ridingAt(server, status);
      expect(await receiptOf(riding)).toEqual(NOT_AVAILABLE);
      const { data } = await riding.api.getRide({ params: riding.params });
      for (const field of ['price', 'line_items', 'charges']) expect(data).not.toHaveProperty(field);
    },
  );

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
      const { droppedOffAt, payment } = await storedRide(server, riding.world, riding.rideId);
      expect(payment!.processedAt).toBe(droppedOffAt! + 24 * HOUR_MS);
    });

    test("is ready at the passenger's next request", async () => {
      const riding = await rodeAlong();
      await server.advance(riding.world, HOUR_MS);
      expect(await receiptOf(riding)).toEqual(NOT_AVAILABLE);
      await requestRideOf(riding);
      const { data } = await riding.api.getReceipt({ params: riding.params });
      expect(data!.charges).toEqual([
        { amount: data!.price.amount, currency: 'USD', payment_method: 'Visa ending in 4242' },
      ]);
    });

    test('is ready even if another application makes that request', async () => {
      const riding = await rodeAlong();
      const { world, passenger } = riding;
      const token = await server.newToken({ world, passenger, applicationId: 'another' });
      await requestRideOf({ ...riding, api: server.client({ token }) });
      expect((await receiptOf(riding)).status).toBe(200);
    });
  });

  test('a rated ride is charged once, even if the next ride is requested before the payment', async () => {
    const riding = await rodeAlong();
    await riding.api.rateRide({ params: riding.params, body: { rating: 5, tip: { amount: 300, currency: 'USD' } } });
    await requestRideOf(riding);
    const first = await receiptOf(riding);
    expect(first.status).toBe(200);
    await server.advance(riding.world, HOUR_MS);
    expect(await receiptOf(riding)).toEqual(first);
  });

  test.each(['unknown', 'canceled free'] as const)(
    'a ride that is %s has no receipt, even after the next request',
    async (stage) => {
      const riding = await ridingAt(server, stage);
      expect(await receiptOf(riding)).toEqual(NOT_AVAILABLE);
      await requestRideOf(riding);
      await server.advance(riding.world, 24 * HOUR_MS);
      expect(await receiptOf(riding)).toEqual(NOT_AVAILABLE);
    },
  );

  describe('the receipt and the ride', () => {
    async function paidBy(traits: Partial<Passenger>, changeLater: Partial<Passenger> = {}) {
      const world = await server.newWorld();
      const rider = await server.newRider(world, traits);
      const riding = await arrivedHome(ridingOf(rider, world, await requestRideOf(rider)));
      await riding.api.rateRide({ params: riding.params, body: { rating: 5 } });
      await changePassenger(riding, changeLater);
      await server.advance(world, 5 * SECOND_MS);
      return riding;
    }

    function changePassenger({ passenger }: Riding, change: Partial<Passenger>) {
      const { paymentMethod, businessProfile } = { ...passenger, ...change };
      return server.store.db
        .updateTable('passengers')
        .set({ paymentMethod, businessProfile: flag(businessProfile) })
        .where('id', '=', passenger.id)
        .execute();
    }

    const receiptAndRide = async ({ api, params }: Riding) => [
      (await api.getReceipt({ params })).data,
      (await api.getRide({ params })).data,
    ];

    test('show the business profile of the request', async () => {
      const riding = await paidBy({ businessProfile: true, paymentMethod: 'Amex ending in 0005' });
      const business = { ride_profile: 'business', charges: [{ payment_method: 'Amex ending in 0005' }] };
      expect(await receiptAndRide(riding)).toMatchObject([business, business]);
    });

    test('show the payment method at the time of payment, even if it changes later', async () => {
      const riding = await paidBy({}, { paymentMethod: 'Mastercard ending in 5454', businessProfile: true });
      await changePassenger(riding, { paymentMethod: 'Discover ending in 1117', businessProfile: true });
      const personal = { ride_profile: 'personal', charges: [{ payment_method: 'Mastercard ending in 5454' }] };
      expect(await receiptAndRide(riding)).toMatchObject([personal, personal]);
    });

    test('show an open balance if the payment method was removed', async () => {
      const riding = await paidBy({}, { paymentMethod: null });
      const owed = { charges: [{ payment_method: 'Open balance' }] };
      expect(await receiptAndRide(riding)).toMatchObject([owed, owed]);
    });
  });

  // domain/pricing.test.ts has other ride types
  test.each(CITIES)('items and charges of a ride in $name add up to its price', async ({ center, currency }) => {
    const aKilometerSouth = { lat: center.lat - 0.01, lng: center.lng };
    const riding = await rodeAlong({ origin: center, destination: aKilometerSouth });
    await riding.api.rateRide({ params: riding.params, body: { rating: 5, tip: { amount: 77, currency } } });
    await server.advance(riding.world, 5 * SECOND_MS);
    const { data } = await riding.api.getReceipt({ params: riding.params });
    const { price, line_items, charges } = data!;
    expect([sum(line_items), sum(charges)]).toEqual([price.amount, price.amount]);
    expect(new Set([price, ...line_items, ...charges].map((money) => money.currency))).toEqual(new Set([currency]));
  });
});

/** The haversine formula, written again because the test must not use the server's code. */
function milesAlong(path: ReadonlyArray<{ readonly lat: number; readonly lng: number }>): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  let miles = 0;
  for (const [i, b] of path.entries()) {
    const a = path[i - 1] ?? b;
    const h =
      Math.sin(radians(b.lat - a.lat) / 2) ** 2 +
      Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(radians(b.lng - a.lng) / 2) ** 2;
    miles += (2 * 6_371_008.8 * Math.asin(Math.sqrt(h))) / 1609.344;
  }
  return miles;
}
