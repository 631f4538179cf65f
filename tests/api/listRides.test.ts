import { describe, expect, test } from 'vitest';
import type { RideStatus } from '../../server/domain/rides/ride.ts';
import { DAY_MS, MINUTE_MS } from '../../server/domain/time.ts';
import { insertRide } from '../../server/store/rides.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { rawCall } from '../support/raw-call.ts';
import { TUESDAY_MORNING } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { advanceUntil, type Riding, requestRideOf, ridingOf, startRiding, storedRide } from '../support/take-ride.ts';

const A_DAY_BEFORE = new Date(TUESDAY_MORNING - DAY_MS).toISOString();

type Query = NonNullable<Parameters<Riding['api']['listRides']>[0]>['params']['query'];

const idsOf = async ({ api }: Pick<Riding, 'api'>, query: Partial<Query> = {}) => {
  const { data, error } = await api.listRides({ params: { query: { start_time: A_DAY_BEFORE, ...query } } });
  if (data === undefined) throw new Error(`The list was refused: ${JSON.stringify(error)}`);
  return data.ride_history.map(({ ride_id }) => ride_id);
};

/** An instant as the contract writes it. */
const instant = (at: number) => new Date(at).toISOString();

describe.each(engines)('on %s', (engine) => {
  const server = sharedServer(engine);

  async function canceled(change = {}): Promise<Riding> {
    const riding = await startRiding(server, change);
    await riding.api.cancelRide({ params: riding.params });
    return riding;
  }

  /** A passenger with as many canceled rides, one a minute from Tuesday morning on, named after their turn. */
  async function canceledTimes(count: number): Promise<Riding> {
    const riding = await canceled();
    const ride = await storedRide(server, riding.world, riding.rideId);
    for (let i = 1; i < count; i++) {
      const requestedAt = ride.requestedAt + i * MINUTE_MS;
      await insertRide(server.store.db, { ...ride, id: `ride-${i}`, requestedAt });
    }
    return riding;
  }

  /** What is answered to a query of these very characters. */
  async function answerTo({ token }: Pick<Riding, 'token'>, query: string) {
    const response = await rawCall(server.baseUrl, 'listRides', { token, query });
    return { status: response.status, body: await response.json() };
  }

  const badParameter = (name: string) => failure(400, 'bad_parameter', [{ [name]: expect.any(String) }]);

  describe('the history', () => {
    test('of someone who never rode is empty', async () => {
      const { api } = await server.newRider(await server.newWorld());
      const answer = await api.listRides({ params: { query: { start_time: A_DAY_BEFORE } } });
      expect(answerOf(answer)).toEqual({ status: 200, body: { ride_history: [] } });
      expect(answer.response.headers.get('x-ratelimit-limit')).toBe('1000');
    });

    test('has what is over, each as the ride itself shows it, and newest first', async () => {
      const riding = await startRiding(server);
      await advanceUntil(server, riding, 'droppedOff');
      await server.advance(riding.world, MINUTE_MS);
      const second = ridingOf(riding, riding.world, await requestRideOf(riding));
      await second.api.cancelRide({ params: second.params });
      const lost = await canceled({ world: await server.newWorld({ autoAdvance: false }) });
      const forgotten = ridingOf(lost, lost.world, await requestRideOf(lost));
      await advanceUntil(server, forgotten, 'unknown');

      expect(await historyOf(riding)).toEqual([await rideOf(second, 'canceled'), await rideOf(riding, 'droppedOff')]);
      expect(await historyOf(lost)).toEqual([await rideOf(forgotten, 'unknown'), await rideOf(lost, 'canceled')]);
    });

    test.each(['pending', 'accepted', 'arrived', 'pickedUp'] as const)('has no ride that is %s', async (status) => {
      const riding = await startRiding(server);
      await advanceUntil(server, riding, status);
      expect(await idsOf(riding)).toEqual([]);
      await advanceUntil(server, riding, 'droppedOff');
      expect(await idsOf(riding)).toEqual([riding.rideId]);
    });

    test('has no ride of somebody else, nor of another world', async () => {
      const riding = await canceled();
      const neighbor = await canceled({ world: riding.world });
      const elsewhere = await canceled();
      expect(await idsOf(riding)).toEqual([riding.rideId]);
      expect(await idsOf(neighbor)).toEqual([neighbor.rideId]);
      expect(await idsOf(elsewhere)).toEqual([elsewhere.rideId]);
    });

    test("has the rides of the passenger's other applications", async () => {
      const { world, passenger, rideId } = await canceled();
      const token = await server.newToken({ world, passenger, applicationId: 'another', scopes: ['rides.read'] });
      expect(await idsOf({ api: server.client({ token }) })).toEqual([rideId]);
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
    test('is ten unless said, and fifty at most', async () => {
      const riding = await canceledTimes(52);
      expect(await idsOf(riding)).toHaveLength(10);
      expect(await idsOf(riding, { limit: 1 })).toEqual(['ride-51']);
      const most = await idsOf(riding, { limit: 50 });
      expect(most).toEqual(Array.from({ length: 50 }, (_, i) => `ride-${51 - i}`));
    });

    test('can be paged by, from the last ride that one got', async () => {
      const riding = await canceledTimes(25);
      const pages: string[][] = [];
      let query: Query = { start_time: A_DAY_BEFORE };
      for (let i = 0; i < 4; i++) {
        const { data } = await riding.api.listRides({ params: { query } });
        pages.push(data!.ride_history.map(({ ride_id }) => ride_id));
        query = { ...query, end_time: data!.ride_history.at(-1)?.requested_at };
      }
      expect(pages.map(({ length }) => length)).toEqual([10, 10, 5, 0]);
      expect(new Set(pages.flat()).size).toBe(25);
    });

    test('loses no ride of an instant at which time stood still, paging one by one', async () => {
      const riding = await canceled();
      const requested = [riding.rideId];
      for (let i = 0; i < 4; i++) {
        // each application has its own five writes a minute
        const token = await server.newToken({ ...riding, applicationId: `application-${i}` });
        const api = server.client({ token });
        const rideId = await requestRideOf({ ...riding, api });
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

    test.each(['51', '0', '-1', '1.5', 'ten', '', 'Infinity', '1e999', '99999999999', '10&limit=20'])(
      '%j is a bad parameter',
      async (limit) => {
        const rider = await server.newRider(await server.newWorld());
        expect(await answerTo(rider, `start_time=${A_DAY_BEFORE}&limit=${limit}`)).toEqual(badParameter('limit'));
      },
    );
  });

  describe('the time asked for', () => {
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

    test('counts milliseconds', async () => {
      const riding = await canceled();
      const around = (before: number, after: number) =>
        idsOf(riding, { start_time: instant(TUESDAY_MORNING - before), end_time: instant(TUESDAY_MORNING + after) });
      expect(await around(1, 1)).toEqual([riding.rideId]);
      expect(await around(0, 1)).toEqual([]);
      expect(await around(1, 0)).toEqual([]);
    });

    test('goes by the request, not by the end of a ride', async () => {
      const riding = await startRiding(server);
      await advanceUntil(server, riding, 'droppedOff');
      expect(await idsOf(riding, { start_time: instant(TUESDAY_MORNING) })).toEqual([]);
      expect(await idsOf(riding, { end_time: instant(TUESDAY_MORNING + 1) })).toEqual([riding.rideId]);
    });

    // the ride was requested at 11:00 in San Francisco, which is 18:00 UTC
    test.each([
      ['an hour before, by its own offset', '2026-05-12T12:00:00.000%2B02:00', 1],
      ['a minute before, a plus as it is', '2026-05-12T19:59:00+02:00', 1],
      ['the same instant, a plus as it is', '2026-05-12T20:00:00+02:00', 0],
      ['a minute before, a plus as a blank', '2026-05-12T19:59:00%2002:00', 1],
      ['the same instant, west of Greenwich', '2026-05-12T11:00:00-07:00', 0],
      ['a minute before, west of Greenwich', '2026-05-12T10:59:00-07:00', 1],
      ['a minute before, encoded throughout', encodeURIComponent('2026-05-12T17:59:00.000+00:00'), 1],
      ['a tenth of a millisecond before', '2026-05-12T17:59:59.9999Z', 1],
      ['a minute before, in small letters', '2026-05-12t17:59:00z', 1],
    ])('%s: %s', async (_, start, count) => {
      const riding = await canceled();
      const { status, body } = await answerTo(riding, `start_time=${start}`);
      expect(status).toBe(200);
      expect(body).toHaveProperty('ride_history.length', count);
    });

    test('takes a plus as it is at both ends, in either order', async () => {
      const riding = await canceled();
      const [start, end] = ['start_time=2026-05-12T19:59:00+02:00', 'end_time=2026-05-12T20:01:00+02:00'];
      for (const query of [`${start}&${end}`, `${end}&limit=5&${start}`]) {
        const { status, body } = await answerTo(riding, query);
        expect(status).toBe(200);
        expect(body).toHaveProperty('ride_history.length', 1);
      }
    });

    test('reaches back to 2015, and no further', async () => {
      const rider = await server.newRider(await server.newWorld());
      const from = (start: string) => answerTo(rider, `start_time=${start}`);
      expect((await from('2015-01-01T00:00:00Z')).status).toBe(200);
      expect(await from('2014-12-31T23:59:59.999Z')).toEqual(badParameter('start_time'));
      expect(await from('2015-01-01T01:59:59+02:00')).toEqual(badParameter('start_time'));
      const to = await answerTo(rider, 'start_time=2015-01-01T00:00:00Z&end_time=2014-12-31T23:59:59.999Z');
      expect(to).toEqual(badParameter('end_time'));
    });

    test('must not end before it starts', async () => {
      const rider = await server.newRider(await server.newWorld());
      const query = 'start_time=2026-05-12T18:00:00Z&end_time=2026-05-12T17:59:59.999Z';
      expect(await answerTo(rider, query)).toEqual(badParameter('end_time'));
    });

    test.each([
      ...['yesterday', '', '2026-05-12', '2026-05-12T18:00:00', '1778608800000', '2026-13-01T00:00:00Z'],
      ...['2026-02-30T00:00:00Z', '2026-05-12T18:00:00Z&start_time=2026-05-12T18:00:00Z', '2026-05-12T23:59:60Z'],
    ])('%j is no start_time', async (start) => {
      const rider = await server.newRider(await server.newWorld());
      expect(await answerTo(rider, `start_time=${start}`)).toEqual(badParameter('start_time'));
    });

    test('must have a start', async () => {
      const rider = await server.newRider(await server.newWorld());
      expect(await answerTo(rider, 'end_time=2026-05-12T18:00:00Z')).toEqual(badParameter('start_time'));
    });
  });

  test('an unknown parameter is a 400 that names it', async () => {
    const rider = await server.newRider(await server.newWorld());
    expect(await answerTo(rider, `start_time=${A_DAY_BEFORE}&offset=10`)).toEqual(badParameter('offset'));
  });

  test('a token without the scope rides.read, a client token, an unknown and an expired one are a 401', async () => {
    const world = await server.newWorld();
    const { passenger } = await server.newRider(world);
    const query = `start_time=${A_DAY_BEFORE}`;
    const narrow = await server.newToken({ world, passenger, scopes: ['public', 'rides.request', 'profile'] });
    const client = await server.newToken({ world, scopes: ['public', 'rides.read'] });
    expect(await answerTo({ token: narrow }, query)).toEqual(failure(401, 'insufficient_scope'));
    expect(await answerTo({ token: client }, query)).toEqual(failure(401, 'insufficient_scope'));
    expect(await answerTo({ token: 'made-up' }, query)).toEqual(failure(401, 'invalid_token'));

    const expired = await server.newToken({ world, passenger, expiresInMs: 0 });
    const response = await rawCall(server.baseUrl, 'listRides', { token: expired, query });
    expect([response.status, response.headers.get('error'), await response.text()]).toEqual([401, 'token_expired', '']);
  });
});
