import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Receipt } from '../../generated/types.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { resumeWorld } from '../../server/workers/world-clock.ts';
import { meetingOf } from '../store/meeting.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines, openTestStore } from '../support/database.ts';
import { DOLORES_PARK } from '../support/places.ts';
import { startTestServer, type TestServer, TUESDAY_MORNING } from '../support/server.ts';
import { advanceUntil, type Riding, requestRideOf, startRiding, storedRide } from '../support/take-ride.ts';

const ZOO = { lat: 37.7325, lng: -122.5, address: 'San Francisco Zoo' };
const RATING = { rating: 5, tip: { amount: 345, currency: 'USD' } };
const CANNOT_RATE = failure(400, 'user_cannot_rate_this_ride');
/** By how many turns of the event loop the rival's transaction begins after the call's; below zero, before it. */
const DELAYS = [-9, -3, -1, 0, 1, 3, 9];

// whoever wins, the answer, the ride and its receipt tell one story
describe.each(engines)('on %s', (engine) => {
  let server: TestServer;
  /** Where each transaction waits for its turn. */
  let startingLine = async () => {};
  beforeAll(async () => {
    const store = await openTestStore(engine);
    const transaction: typeof store.transaction = async (work) => {
      await startingLine();
      return store.transaction(work);
    };
    server = await startTestServer(engine, { store: { ...store, transaction }, rateLimitMultiplier: 20 });
  });
  afterAll(() => server.close());

  /** Lets a call come as far as its transaction, and its rival too, before either begins. */
  async function race<T>(call: () => Promise<T>, rival: () => Promise<unknown>, delay: number): Promise<T> {
    const bothAreThere = meetingOf(2);
    let callIsThere = () => {};
    const called = new Promise<void>((resolve) => {
      callIsThere = resolve;
    });
    let comers = 0;
    startingLine = async () => {
      comers++;
      if (comers > 2) return;
      const turns = comers === 1 ? -delay : delay;
      callIsThere();
      await bothAreThere();
      for (let i = 0; i < turns; i++) await new Promise(setImmediate);
    };
    const calling = call();
    await called;
    const [answer] = await Promise.all([calling, rival()]);
    return answer;
  }

  const stored = ({ world, rideId }: Riding) => storedRide(server, world, rideId);

  /** A ride with its passenger on board, its drop-off so many milliseconds away, in a sandbox whose time runs. */
  async function nearlyThere(ms: number): Promise<Riding> {
    // a Tuesday each time, and one seed: cars that need to be thought of once
    const world = await server.newWorld({ at: TUESDAY_MORNING, seed: 'races' });
    const riding = await startRiding(server, { world });
    const { plan, pickedUpAt } = await advanceUntil(server, riding, 'pickedUp');
    await server.advance(world, plan!.trip.endsAt - pickedUpAt! - ms);
    await resumeWorld(server.parts, world.id);
    return riding;
  }

  /** A ride that has just ended, in a sandbox whose time runs. */
  async function justThere(): Promise<Riding> {
    const riding = await nearlyThere(SECOND_MS);
    server.passTime(SECOND_MS);
    await server.runTimers();
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

  describe.each(DELAYS)('with %i turns between them', (delay) => {
    test('a cancel and the drop-off', async () => {
      const riding = await nearlyThere(30 * SECOND_MS);
      const { error } = await riding.api.cancelRide({ params: riding.params });
      if (error?.error !== 'cancel_confirmation_required') throw new Error(JSON.stringify(error));
      const { amount } = error;
      const body = { cancel_confirmation_token: error.token };
      server.passTime(30 * SECOND_MS);
      const answer = await race(() => riding.api.cancelRide({ params: riding.params, body }), server.runTimers, delay);

      const ride = await stored(riding);
      const { data: profile } = await riding.api.getProfile();
      if (answer.response.status === 204) {
        expect(ride).toMatchObject({ status: 'canceled', cancelFee: amount, droppedOffAt: null });
        const { data } = await riding.api.getReceipt({ params: riding.params });
        expect(data!.line_items[0]).toEqual({ type: 'Cancellation fee', amount, currency: 'USD' });
        expect(profile!.has_taken_a_ride).toBe(false);
      } else {
        expect(answerOf(answer)).toEqual(failure(409, 'ride_is_finished'));
        expect(ride).toMatchObject({ status: 'droppedOff', cancelFee: null, canceledAt: null, payment: null });
        expect((await settled(riding)).line_items[0]!.type).toBe('Base fare');
        expect(profile!.has_taken_a_ride).toBe(true);
      }
    });

    test('another destination and the drop-off', async () => {
      const riding = await nearlyThere(SECOND_MS);
      server.passTime(SECOND_MS);
      const change = () => riding.api.updateDestination({ params: riding.params, body: ZOO });
      const answer = await race(change, server.runTimers, delay);

      const wasChanged = answer.response.status === 200;
      if (!wasChanged) expect(answerOf(answer)).toEqual(failure(400, 'ride_is_finished'));
      expect((await stored(riding)).status).toBe(wasChanged ? 'pickedUp' : 'droppedOff');
      server.passTime(DAY_MS / 2);
      await server.runTimers();
      const receipt = await settled(riding);
      const { distanceMiles, plan } = await stored(riding);
      expect(plan!.trip.path.at(-1)).toMatchObject(wasChanged ? { lat: ZOO.lat, lng: ZOO.lng } : DOLORES_PARK);
      const { data } = await riding.api.getRide({ params: riding.params });
      const dropoff = wasChanged ? ZOO : DOLORES_PARK;
      expect(data).toMatchObject({ status: 'droppedOff', dropoff, distance_miles: distanceMiles });
      expect(receipt.line_items[1]).toMatchObject({ type: 'Distance', amount: Math.round(115 * distanceMiles!) });
    });

    test('a rating and the end of its 24 hours', async () => {
      const riding = await justThere();
      server.passTime(DAY_MS - 1);
      const dayEnds = () => {
        server.passTime(1);
        return server.runTimers();
      };
      const answer = await race(() => riding.api.rateRide({ params: riding.params, body: RATING }), dayEnds, delay);

      const wasRated = answer.response.status === 204;
      if (!wasRated) expect(answerOf(answer)).toEqual(CANNOT_RATE);
      expect(tipOf(await settled(riding))).toBe(wasRated ? 345 : undefined);
      expect((await stored(riding)).rating?.tip ?? null).toEqual(wasRated ? RATING.tip : null);
    });

    test('a rating and the next request', async () => {
      const riding = await justThere();
      server.passTime(MINUTE_MS);
      const answer = await race(
        () => riding.api.rateRide({ params: riding.params, body: RATING }),
        () => requestRideOf(riding),
        delay,
      );

      const wasRated = answer.response.status === 204;
      if (!wasRated) expect(answerOf(answer)).toEqual(CANNOT_RATE);
      const { data } = await riding.api.getReceipt({ params: riding.params });
      expect(tipOf(data!)).toBe(wasRated ? 345 : undefined);
    });

    test('a second rating and the payment', async () => {
      const riding = await justThere();
      await riding.api.rateRide({ params: riding.params, body: RATING });
      server.passTime(5 * SECOND_MS);
      const again = () => riding.api.rateRide({ params: riding.params, body: { rating: 1 } });
      expect(answerOf(await race(again, server.runTimers, delay))).toEqual(CANNOT_RATE);
      expect(tipOf(await settled(riding))).toBe(345);
      expect((await stored(riding)).rating!.stars).toBe(5);
    });
  });
});
