import { describe, expect, onTestFinished, test } from 'vitest';
import type { Receipt } from '../../generated/types.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { holdOwnRide } from '../../server/rides/load.ts';
import { holdWorld } from '../../server/store/worlds.ts';
import { freezeWorld, resumeWorld } from '../../server/workers/world-clock.ts';
import { waitForBlockedQueries, waitInLine } from '../store/meeting.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { DOLORES_PARK } from '../support/places.ts';
import { TUESDAY_MORNING } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, feeOf, type Riding, requestRideOf, startRiding, storedRide } from '../support/take-ride.ts';
import { until } from '../support/until.ts';

const ZOO = { lat: 37.7325, lng: -122.5, address: 'San Francisco Zoo' };
const RATING = { rating: 5, tip: { amount: 345, currency: 'USD' } };
const CANNOT_RATE = failure(400, 'user_cannot_rate_this_ride');
type Order = 'first' | 'second';

// in either order, the response, the ride and its receipt must agree
describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 20 });

  /**
   * Runs two changes of a ride at once, the first one first in line. On PostgreSQL both wait for the lock of its world
   * before either gets it. SQLite runs one transaction at a time.
   */
  async function race<A, B>(riding: Riding, first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
    if (engine === 'sqlite') return Promise.all([first(), second()]);
    waitInLine(server.store);
    const answers = await server.store.transaction(async (tx) => {
      await holdWorld(tx, riding.world);
      const one = first();
      await waitForBlockedQueries(server.store, 'worlds');
      const other = second();
      await waitForBlockedQueries(server.store, 'worlds', 2);
      return [one, other] as const;
    });
    return Promise.all(answers);
  }

  /** The call's response, as the first or the second of a race. */
  async function answerOfRace<T>(riding: Riding, order: Order, call: () => Promise<T>, rival: () => Promise<unknown>) {
    if (order === 'first') return (await race(riding, call, rival))[0];
    return (await race(riding, rival, call))[1];
  }

  const stored = ({ world, rideId }: Riding) => storedRide(server, world, rideId);

  /** A ride in progress that ends in this many milliseconds, in a sandbox whose clock runs. */
  async function nearlyThere(ms: number): Promise<Riding> {
    // the same Tuesday and seed each time, so the server computes the cars once
    const world = await server.newWorld({ at: TUESDAY_MORNING, seed: 'races' });
    const riding = await startRiding(server, { world });
    const { plan, pickedUpAt } = await advanceUntil(server, riding, 'pickedUp');
    await server.advance(world, plan!.trip.endsAt - pickedUpAt! - ms);
    await resumeWorld(server.parts, world);
    // otherwise its timers would fire in the next race
    onTestFinished(async () => {
      await freezeWorld(server.parts, world);
    });
    return riding;
  }

  /** A ride that has just ended, in a sandbox whose clock runs. */
  async function justThere(): Promise<Riding> {
    const riding = await nearlyThere(SECOND_MS);
    await server.pass(SECOND_MS);
    return riding;
  }

  /** Rates the ride if it has no rating, lets its payment run, and returns its receipt. */
  async function settled(riding: Riding): Promise<Receipt> {
    await riding.api.rateRide({ params: riding.params, body: { rating: 5 } });
    await server.pass(MINUTE_MS);
    const { data } = await riding.api.getReceipt({ params: riding.params });
    return data!;
  }

  /** Makes the first call of the day, which the server records: during a race, its record would wait for the lock. */
  async function recordedToday({ api, world }: Riding): Promise<void> {
    await api.getProfile();
    const calls = server.store.db.selectFrom('worlds').select('lastCalledAt').where('id', '=', world.id);
    await until(async () => {
      const { lastCalledAt } = await calls.executeTakeFirstOrThrow();
      expect(server.parts.now() - lastCalledAt).toBeLessThan(DAY_MS);
    });
  }

  const tipOf = ({ line_items }: Receipt) => line_items.find(({ type }) => type === 'Tip')?.amount;

  describe.each<Order>(['first', 'second'])('the call is the %s', (order) => {
    test('a cancellation and the drop-off', async () => {
      const riding = await nearlyThere(30 * SECOND_MS);
      const fee = await feeOf(riding);
      const { amount } = fee;
      const body = { cancel_confirmation_token: fee.token };
      server.passTime(30 * SECOND_MS);
      const cancel = () => riding.api.cancelRide({ params: riding.params, body });
      const answer = await answerOfRace(riding, order, cancel, server.runTimers);

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

    test('a new destination and the drop-off', async () => {
      const riding = await nearlyThere(SECOND_MS);
      server.passTime(SECOND_MS);
      const change = () => riding.api.updateDestination({ params: riding.params, body: ZOO });
      const answer = await answerOfRace(riding, order, change, server.runTimers);

      const wasChanged = answer.response.status === 200;
      if (!wasChanged) expect(answerOf(answer)).toEqual(failure(400, 'ride_is_finished'));
      expect((await stored(riding)).status).toBe(wasChanged ? 'pickedUp' : 'droppedOff');
      await server.pass(DAY_MS / 2);
      const receipt = await settled(riding);
      const { distanceMiles, plan } = await stored(riding);
      expect(plan!.trip.path.at(-1)).toMatchObject(wasChanged ? { lat: ZOO.lat, lng: ZOO.lng } : DOLORES_PARK);
      const { data } = await riding.api.getRide({ params: riding.params });
      const dropoff = wasChanged ? ZOO : DOLORES_PARK;
      expect(data).toMatchObject({ status: 'droppedOff', dropoff, distance_miles: distanceMiles });
      expect(receipt.line_items[1]).toMatchObject({ type: 'Distance', amount: Math.round(115 * distanceMiles!) });
    });

    test('a rating and the next request', async () => {
      const riding = await justThere();
      server.passTime(MINUTE_MS);
      const rate = () => riding.api.rateRide({ params: riding.params, body: RATING });
      const answer = await answerOfRace(riding, order, rate, () => requestRideOf(riding));

      const wasRated = answer.response.status === 204;
      if (!wasRated) expect(answerOf(answer)).toEqual(CANNOT_RATE);
      const { data } = await riding.api.getReceipt({ params: riding.params });
      expect(tipOf(data!)).toBe(wasRated ? 345 : undefined);
    });
  });

  test('a rating in the last millisecond of its 24 hours', async () => {
    const riding = await justThere();
    server.passTime(DAY_MS - 1);
    await recordedToday(riding);
    const rate = () => riding.api.rateRide({ params: riding.params, body: RATING });
    // on PostgreSQL the rating reads the time before it waits for the lock
    const [answer] = await race(riding, rate, async () => (engine === 'postgres' ? server.pass(1) : undefined));
    expect(answer.response.status).toBe(204);
    expect(tipOf(await settled(riding))).toBe(345);
  });

  test('a ride comes with the passenger that the call read, or with the current one if the world was reset', async () => {
    const { world, passenger, rideId } = await startRiding(server);
    const asRead = { ...passenger, hasTakenARide: true };
    const passengerOf = async (resets: number) => {
      const rider = { world: { ...world, resets }, passenger: asRead };
      return (await server.store.transaction((tx) => holdOwnRide(tx, rider, rideId))).passenger;
    };
    expect(await passengerOf(world.resets)).toEqual(asRead);
    expect(await passengerOf(world.resets - 1)).toEqual(passenger);
  });
});
