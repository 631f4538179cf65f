import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Receipt } from '../../generated/types.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { resumeWorld } from '../../server/workers/world-clock.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { DOLORES_PARK } from '../support/places.ts';
import { startTestServer, type TestServer, TUESDAY_MORNING } from '../support/server.ts';
import { advanceUntil, type Riding, requestRideOf, startRiding, storedRide } from '../support/take-ride.ts';

const ZOO = { lat: 37.7325, lng: -122.5, address: 'San Francisco Zoo' };
const RATING = { rating: 5, tip: { amount: 345, currency: 'USD' } };
const CANNOT_RATE = failure(400, 'user_cannot_rate_this_ride');
/** How far a call has come when its rival sets out: turns of the event loop. */
const HEAD_STARTS = [0, 0, 2, 4, 6, 8, 10, 12, 16, 20];

/** Lets the event loop turn, so that a call that is under way gets on. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
}

// whoever wins, the answer, the ride and its receipt tell one story
describe.each(engines)('on %s', (engine) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(engine, { rateLimitMultiplier: 20 });
  });
  afterAll(() => server.close());

  const stored = ({ world, rideId }: Riding) => storedRide(server, world, rideId);

  /** A ride with its passenger on board, its drop-off so many milliseconds away, in a sandbox whose time runs. */
  async function nearlyThere(ms: number): Promise<Riding> {
    // a Tuesday each time, and one seed: cars that need to be thought of once
    const world = await server.newWorld({ at: TUESDAY_MORNING, seed: 'races' });
    const riding = await startRiding(server, { world });
    const { plan, pickedUpAt } = await advanceUntil(server, riding, 'pickedUp');
    await server.advance(riding.world, plan!.trip.endsAt - pickedUpAt! - ms);
    await resumeWorld(server.parts, riding.world.id);
    return riding;
  }

  /** Rates the ride unless it was rated, lets its payment be made, and gives its receipt. */
  async function settled(riding: Riding): Promise<Receipt> {
    await riding.api.rateRide({ params: riding.params, body: { rating: 5 } });
    server.passTime(MINUTE_MS);
    await server.runTimers();
    const { data } = await riding.api.getReceipt({ params: riding.params });
    return data!;
  }

  const tipOf = ({ line_items }: Receipt) => line_items.find(({ type }) => type === 'Tip')?.amount;

  test.each(HEAD_STARTS)('a cancel and the drop-off, which follows %i turns later', async (headStart) => {
    const riding = await nearlyThere(30 * SECOND_MS);
    const { error } = await riding.api.cancelRide({ params: riding.params });
    if (error?.error !== 'cancel_confirmation_required') throw new Error(JSON.stringify(error));
    server.passTime(30 * SECOND_MS);
    const canceling = riding.api.cancelRide({
      params: riding.params,
      body: { cancel_confirmation_token: error.token },
    });
    await turns(headStart);
    const [answer] = await Promise.all([canceling, server.runTimers()]);

    const ride = await stored(riding);
    const { data: profile } = await riding.api.getProfile();
    if (answer.response.status === 204) {
      expect(ride).toMatchObject({ status: 'canceled', cancelFee: error.amount, droppedOffAt: null });
      const { data } = await riding.api.getReceipt({ params: riding.params });
      expect(data!.line_items[0]).toEqual({ type: 'Cancellation fee', amount: error.amount, currency: 'USD' });
      expect(profile!.has_taken_a_ride).toBe(false);
    } else {
      expect(answerOf(answer)).toEqual(failure(409, 'ride_is_finished'));
      expect(ride).toMatchObject({ status: 'droppedOff', cancelFee: null, canceledAt: null, payment: null });
      expect((await settled(riding)).line_items[0]!.type).toBe('Base fare');
      expect(profile!.has_taken_a_ride).toBe(true);
    }
  });

  test.each(HEAD_STARTS)('another destination and the drop-off, which follows %i turns later', async (headStart) => {
    const riding = await nearlyThere(0);
    const changing = riding.api.updateDestination({ params: riding.params, body: ZOO });
    await turns(headStart);
    const [answer] = await Promise.all([changing, server.runTimers()]);

    const wasChanged = answer.response.status === 200;
    if (!wasChanged) expect(answerOf(answer)).toEqual(failure(400, 'ride_is_finished'));
    expect((await stored(riding)).status).toBe(wasChanged ? 'pickedUp' : 'droppedOff');
    server.passTime(DAY_MS / 2);
    await server.runTimers();
    const receipt = await settled(riding);
    const { status, distanceMiles, plan } = await stored(riding);
    expect(status).toBe('droppedOff');
    expect(plan!.trip.path.at(-1)).toMatchObject(wasChanged ? { lat: ZOO.lat, lng: ZOO.lng } : DOLORES_PARK);
    const { data } = await riding.api.getRide({ params: riding.params });
    expect(data).toMatchObject({ dropoff: wasChanged ? ZOO : DOLORES_PARK, distance_miles: distanceMiles });
    expect(receipt.line_items[1]).toMatchObject({ type: 'Distance', amount: Math.round(115 * distanceMiles!) });
  });

  test.each(HEAD_STARTS)('a rating and the end of its 24 hours, which follows %i turns later', async (headStart) => {
    const riding = await nearlyThere(0);
    await server.runTimers();
    server.passTime(DAY_MS - 1);
    const rating = riding.api.rateRide({ params: riding.params, body: RATING });
    await turns(headStart);
    server.passTime(1);
    const [answer] = await Promise.all([rating, server.runTimers()]);

    const wasRated = answer.response.status === 204;
    if (!wasRated) expect(answerOf(answer)).toEqual(CANNOT_RATE);
    const receipt = await settled(riding);
    expect(tipOf(receipt)).toBe(wasRated ? 345 : undefined);
    expect((await stored(riding)).rating?.tip ?? null).toEqual(wasRated ? RATING.tip : null);
  });

  test.each(HEAD_STARTS)('a rating and the next request, which follows %i turns later', async (headStart) => {
    const riding = await nearlyThere(0);
    await server.runTimers();
    server.passTime(MINUTE_MS);
    const rating = riding.api.rateRide({ params: riding.params, body: RATING });
    await turns(headStart);
    const [answer] = await Promise.all([rating, requestRideOf(riding)]);

    const wasRated = answer.response.status === 204;
    if (!wasRated) expect(answerOf(answer)).toEqual(CANNOT_RATE);
    const { data } = await riding.api.getReceipt({ params: riding.params });
    expect(tipOf(data!)).toBe(wasRated ? 345 : undefined);
  });

  test.each(HEAD_STARTS)('a second rating and the payment, which follows %i turns later', async (headStart) => {
    const riding = await nearlyThere(0);
    await server.runTimers();
    await riding.api.rateRide({ params: riding.params, body: RATING });
    server.passTime(5 * SECOND_MS);
    const again = riding.api.rateRide({ params: riding.params, body: { rating: 1 } });
    await turns(headStart);
    const [answer] = await Promise.all([again, server.runTimers()]);
    expect(answerOf(answer)).toEqual(CANNOT_RATE);
    expect(tipOf(await settled(riding))).toBe(345);
    expect((await stored(riding)).rating!.stars).toBe(5);
  });
});
