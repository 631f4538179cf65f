import { describe, expect, test } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { ridingAt } from '../support/stages.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, feeOf, type Riding, startRiding, storedRide } from '../support/take-ride.ts';

/** The grace time of San Francisco. */
const GRACE_MS = 2 * MINUTE_MS;
const PENALTY = 500;
const FEE_RECEIPT = {
  price: { amount: 526, currency: 'USD', description: 'Cancellation fee' },
  line_items: [
    { type: 'Cancellation fee', amount: PENALTY, currency: 'USD' },
    { type: 'San Francisco Traffic Congestion Mitigation Tax', amount: 16, currency: 'USD' },
    { type: 'California Access for All Fee', amount: 10, currency: 'USD' },
  ],
  charges: [{ amount: 526, currency: 'USD', payment_method: 'Visa ending in 4242' }],
};
const INVALID = failure(400, 'invalid_cancel_confirmation');
const FINISHED = failure(409, 'ride_is_finished');
const CANCELED = { status: 204, body: undefined };

const cancel = async ({ api, params }: Pick<Riding, 'api' | 'params'>, token?: string) => {
  const body = token === undefined ? {} : { body: { cancel_confirmation_token: token } };
  return answerOf(await api.cancelRide({ params, ...body }));
};

/** The cancellation price that the ride itself shows. */
async function shownPrice({ api, params }: Riding) {
  const { data } = await api.getRide({ params });
  return data !== undefined && 'cancellation_price' in data ? data.cancellation_price : undefined;
}

describe.each(engines)('on %s', (engine) => {
  // slow cars: no ride reaches its pickup within the grace time, or while a token is valid
  const server = testServer(engine, { simulationSpeed: 0.1, rateLimitMultiplier: 10 });

  /** A ride whose grace time is over. */
  async function ridingLate(world?: World): Promise<Riding> {
    const riding = await ridingAt(server, 'accepted', world && { world });
    await server.advance(riding.world, GRACE_MS);
    return riding;
  }

  describe('free', () => {
    test('a pending ride is canceled at once, and the response has no body', async () => {
      const riding = await startRiding(server);
      const { response } = await riding.api.cancelRide({ params: riding.params });
      expect(response.status).toBe(204);
      expect(await response.text()).toBe('');
      const ride = await riding.api.getRide({ params: riding.params });
      expect(ride.data).toMatchObject({ status: 'canceled', canceled_by: 'passenger', can_cancel: [] });
      expect(ride.data).not.toHaveProperty('price');
    });

    test.each([{}, { cancel_confirmation_token: 'not needed' }])('with the body %j too', async (body) => {
      const { api, params } = await startRiding(server);
      expect(answerOf(await api.cancelRide({ params, body }))).toEqual(CANCELED);
    });

    test('until the end of the grace time, and not a millisecond longer', async () => {
      const riding = await ridingAt(server, 'accepted');
      await server.advance(riding.world, GRACE_MS - 1);
      expect(await shownPrice(riding)).toBeUndefined();
      expect(await cancel(riding)).toEqual(CANCELED);
      const late = await ridingLate();
      expect(await shownPrice(late)).toMatchObject({ amount: PENALTY });
      expect((await cancel(late)).status).toBe(400);
    });
  });

  describe('for a fee', () => {
    test('the token cancels the ride, and the receipt is ready at once', async () => {
      const riding = await ridingLate();
      const { token } = await feeOf(riding);
      expect(await cancel(riding, token)).toEqual(CANCELED);
      const { data } = await riding.api.getReceipt({ params: riding.params });
      const request = { requested_at: '2026-05-12T18:00:00.000+00:00', ride_profile: 'personal' };
      expect(data).toEqual({ ride_id: riding.rideId, ...FEE_RECEIPT, ...request });
      const ride = await riding.api.getRide({ params: riding.params });
      expect(ride.data).toMatchObject({ status: 'canceled', canceled_by: 'passenger', ...FEE_RECEIPT });
    });

    test('a token is valid for sixty seconds', async () => {
      const riding = await ridingLate();
      const { token } = await feeOf(riding);
      await server.advance(riding.world, 60 * SECOND_MS);
      expect(await cancel(riding, token)).toEqual(INVALID);
      const fresh = await feeOf(riding);
      await server.advance(riding.world, 60 * SECOND_MS - 1);
      expect(await cancel(riding, fresh.token)).toEqual(CANCELED);
    });

    test('with the passenger on board, it is the fare so far if that is higher', async () => {
      const riding = await ridingLate();
      const { plan } = await advanceUntil(server, riding, 'pickedUp');
      await server.advance(riding.world, (plan!.trip.endsAt - plan!.trip.startsAt) / 2);
      const { amount, token } = await feeOf(riding);
      expect(amount).toBeGreaterThan(PENALTY);
      await server.advance(riding.world, 59 * SECOND_MS);
      expect((await shownPrice(riding))!.amount).toBeGreaterThan(amount);
      // a token fixes the amount until it expires
      expect(await cancel(riding, token)).toEqual(CANCELED);
      const { data } = await riding.api.getReceipt({ params: riding.params });
      expect(data!.line_items[0]).toEqual({ type: 'Cancellation fee', amount, currency: 'USD' });
      expect(data!.line_items.reduce((sum, item) => sum + item.amount, 0)).toBe(data!.price.amount);
      expect(data!.charges.reduce((sum, charge) => sum + charge.amount, 0)).toBe(data!.price.amount);
    });

    test.each<[string, (riding: Riding) => Promise<Riding>]>([
      ['another ride', ({ world }) => ridingLate(world)],
      ['the same ride in a twin world', (riding) => twinOf(riding)],
      ['another application', (riding) => withAnotherApplication(riding)],
    ])('a token for %s is refused', async (_, otherOf) => {
      const riding = await ridingLate();
      const { token } = await feeOf(await otherOf(riding));
      expect(await cancel(riding, token)).toEqual(INVALID);
      expect(await cancel(riding, (await feeOf(riding)).token)).toEqual(CANCELED);
    });

    async function twinOf({ world, rideId }: Riding): Promise<Riding> {
      const twin = await ridingLate(await server.newWorld({ seed: world.seed }));
      expect(twin.rideId).toBe(rideId);
      return twin;
    }

    async function withAnotherApplication(riding: Riding): Promise<Riding> {
      const token = await server.newToken({ ...riding, applicationId: 'another' });
      return { ...riding, api: server.client({ token }) };
    }

    test('in a city abroad, the fee is in the local currency', async () => {
      const at = Date.UTC(2026, 4, 12, 13);
      const riding = await startRiding(server, {
        world: await server.newWorld({ at }),
        origin: { lat: 51.5033, lng: -0.1196 },
        destination: { lat: 51.5194, lng: -0.127 },
      });
      await advanceUntil(server, riding, 'accepted');
      await server.advance(riding.world, 10 * MINUTE_MS);
      expect((await feeOf(riding)).currency).toBe('GBP');
    });
  });

  describe.each([2, 20])('of %i concurrent cancellations', (times) => {
    test('that confirm a fee, one is charged', async () => {
      const riding = await ridingLate();
      const { amount, token } = await feeOf(riding);
      const stored = () => storedRide(server, riding.world, riding.rideId);
      const { version } = await stored();
      const answers = await Promise.all(Array.from({ length: times }, () => cancel(riding, token)));
      const [first, ...others] = answers.sort((a, b) => a.status - b.status);
      expect([first, ...others]).toEqual([CANCELED, ...others.map(() => FINISHED)]);
      const after = await stored();
      expect(after).toMatchObject({ status: 'canceled', version: version + 1, cancelFee: amount });
      expect(after.payment!.charges).toHaveLength(1);
    });
  });

  const ends = ['droppedOff', 'canceled free', 'unknown'] as const;
  test.each(ends)('a ride that is %s cannot be canceled, with or without a token', async (end) => {
    const riding = await ridingAt(server, end);
    expect(await cancel(riding)).toEqual(FINISHED);
    expect(await cancel(riding, 'garbage')).toEqual(FINISHED);
  });
});
