import { describe, expect, test } from 'vitest';
import type { RideStatus } from '../../server/domain/rides/ride.ts';
import { DAY_MS, MINUTE_MS } from '../../server/domain/time.ts';
import { insertRide } from '../../server/store/rides.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { rawCall } from '../support/raw-call.ts';
import { TUESDAY_MORNING } from '../support/server.ts';
import { ridingAt } from '../support/stages.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, type Riding, requestRideOf, ridingOf, startRiding, storedRide } from '../support/take-ride.ts';

const A_DAY_BEFORE = new Date(TUESDAY_MORNING - DAY_MS).toISOString();

type Query = NonNullable<Parameters<Riding['api']['listRides']>[0]>['params']['query'];

const idsOf = async ({ api }: Pick<Riding, 'api'>, query: Partial<Query> = {}) => {
  const { data, error } = await api.listRides({ params: { query: { start_time: A_DAY_BEFORE, ...query } } });
  if (data === undefined) throw new Error(`listRides failed: ${JSON.stringify(error)}`);
  return data.ride_history.map(({ ride_id }) => ride_id);
};

/** An instant in the contract's format. */
const instant = (at: number) => new Date(at).toISOString();

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  async function canceled(change = {}): Promise<Riding> {
    const riding = await startRiding(server, change);
    await riding.api.cancelRide({ params: riding.params });
    return riding;
  }

  /** A passenger with `count` canceled rides, one a minute from Tuesday morning on. */
  async function canceledTimes(count: number): Promise<Riding> {
    const riding = await canceled();
    const ride = await storedRide(server, riding.world, riding.rideId);
    for (let i = 1; i < count; i++) {
      const requestedAt = ride.requestedAt + i * MINUTE_MS;
      await insertRide(server.store.db, { ...ride, id: `ride-${i}`, requestedAt });
    }
    return riding;
  }

  /** Sends the query exactly as written. */
  async function answerTo({ token }: Pick<Riding, 'token'>, query: string) {
    const response = await rawCall(server.baseUrl, 'listRides', { token, query });
    return { status: response.status, body: await response.json() };
  }

  describe('the history', () => {
    test('of a passenger without rides is empty', async () => {
      const { api } = await server.newRider(await server.newWorld());
      const answer = await api.listRides({ params: { query: { start_time: A_DAY_BEFORE } } });
      expect(answerOf(answer)).toEqual({ status: 200, body: { ride_history: [] } });
      expect(answer.response.headers.get('x-ratelimit-limit')).toBe('1000');
    });

    test('has the rides that are over, newest first, each as getRide returns it', async () => {
      const riding = await ridingAt(server, 'droppedOff');
      await server.advance(riding.world, MINUTE_MS);
      const second = ridingOf(riding, riding.world, await requestRideOf(riding));
      await second.api.cancelRide({ params: second.params });
      const lost = await canceled({ world: await server.newWorld({ autoAdvance: false }) });
      const forgotten = ridingOf(lost, lost.world, await requestRideOf(lost));
      await advanceUntil(server, forgotten, 'unknown');

      expect(await historyOf(riding)).toEqual([await rideOf(second, 'canceled'), await rideOf(riding, 'droppedOff')]);
      expect(await historyOf(lost)).toEqual([await rideOf(forgotten, 'unknown'), await rideOf(lost, 'canceled')]);
    });

    async function historyOf({ api }: Riding) {
      const { data } = await api.listRides({ params: { query: { start_time: A_DAY_BEFORE } } });
      return data!.ride_history;
    }

    async function rideOf({ api, params }: Riding, status: RideStatus) {
      const { data } = await api.getRide({ params });
      expect(data!.status).toBe(status);
      return data;
    }
  });

  describe('the limit', () => {
    test('is ten by default, and fifty at most', async () => {
      const riding = await canceledTimes(52);
      expect(await idsOf(riding)).toHaveLength(10);
      expect(await idsOf(riding, { limit: 1 })).toEqual(['ride-51']);
      const most = await idsOf(riding, { limit: 50 });
      expect(most).toEqual(Array.from({ length: 50 }, (_, i) => `ride-${51 - i}`));
    });

    test('loses no rides of the same instant, paging one by one', async () => {
      const riding = await canceled();
      const requested = [riding.rideId];
      for (let i = 0; i < 4; i++) {
        // each application has its own limit of five writes a minute
        const api = server.client({ token: await server.newToken({ ...riding, applicationId: `application-${i}` }) });
        const rideId = await requestRideOf({ api });
        await api.cancelRide({ params: { path: { ride_id: rideId } } });
        requested.push(rideId);
      }
      const pages: string[][] = [];
      let query: Query = { start_time: A_DAY_BEFORE, limit: 1 };
      for (let i = 0; i < 6; i++) {
        const { data } = await riding.api.listRides({ params: { query } });
        pages.push(data!.ride_history.map(({ ride_id }) => ride_id));
        query = { ...query, end_time: data!.ride_history.at(-1)?.requested_at ?? query.end_time };
      }
      expect(pages).toEqual([...requested.reverse().map((id) => [id]), []]);
    });
  });

  describe('the time range', () => {
    test('can begin with the first instant that a sandbox can have', async () => {
      const world = await server.newWorld({ at: Date.UTC(2015, 0, 1) });
      const riding = await canceled({ world });
      expect(await idsOf(riding, { start_time: '2015-01-01T00:00:00Z' })).toEqual([riding.rideId]);
    });

    test('excludes both of its ends', async () => {
      const riding = await canceledTimes(3);
      const [first, second, third] = [riding.rideId, 'ride-1', 'ride-2'];
      const start = instant(TUESDAY_MORNING);
      const end = instant(TUESDAY_MORNING + 2 * MINUTE_MS);
      expect(await idsOf(riding, { start_time: start })).toEqual([third, second]);
      expect(await idsOf(riding, { end_time: end })).toEqual([second, first]);
      expect(await idsOf(riding, { start_time: start, end_time: end })).toEqual([second]);
      expect(await idsOf(riding, { start_time: start, end_time: start })).toEqual([]);
    });

    test('applies to the request of a ride, not to its end', async () => {
      const riding = await ridingAt(server, 'droppedOff');
      expect(await idsOf(riding, { start_time: instant(TUESDAY_MORNING) })).toEqual([]);
      expect(await idsOf(riding, { end_time: instant(TUESDAY_MORNING + 1) })).toEqual([riding.rideId]);
    });

    // the passenger requested the ride at 11:00 in San Francisco, 18:00 UTC
    test.each([
      ['eight hours before, with another offset', 'start_time=2026-05-12T12:00:00.000%2B02:00', 1],
      ['the same instant, with an unencoded plus', 'start_time=2026-05-12T20:00:00+02:00', 0],
      ['a tenth of a millisecond before', 'start_time=2026-05-12T17:59:59.9999Z', 1],
      ['an unencoded plus at both ends', 'start_time=2026-05-12T19:59:00+02:00&end_time=2026-05-12T20:01:00+02:00', 1],
      [
        'the ends in another order',
        'end_time=2026-05-12T20:01:00+02:00&limit=5&start_time=2026-05-12T19:59:00+02:00',
        1,
      ],
    ])('%s: %s', async (_, query, count) => {
      const { status, body } = await answerTo(await canceled(), query);
      expect(status).toBe(200);
      expect(body).toHaveProperty('ride_history.length', count);
    });

    test('must not end before it starts', async () => {
      const rider = await server.newRider(await server.newWorld());
      const query = 'start_time=2026-05-12T18:00:00Z&end_time=2026-05-12T17:59:59.999Z';
      expect(await answerTo(rider, query)).toEqual(failure(400, 'bad_parameter', [{ end_time: expect.any(String) }]));
    });
  });
});
