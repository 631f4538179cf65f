import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../server/domain/time.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type MadeWorld, makePassenger, makeWorld } from '../support/sandboxes.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { requestRideOf } from '../support/take-ride.ts';
import { tellTheDemo } from '../webhooks/support.ts';

const FROZEN = { state: 'frozen', now: '2026-05-12T18:00:00Z' } as const;
/** The Prime Time of that evening. */
const RUSH_HOUR = { state: 'frozen', now: '2026-05-13T00:30:00Z' } as const;
const ACROSS_TOWN = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };

describe.each(engines)('on %s', (engine) => {
  let server: TestServer;
  let receiver: Receiver;
  beforeAll(async () => {
    server = await startTestServer(engine);
    receiver = await startReceiver();
    await tellTheDemo(server, `${receiver.url}/`);
  });
  afterAll(async () => {
    await receiver.close();
    await server.close();
  });

  const advance = ({ api }: Pick<MadeWorld, 'api'>, seconds: number) => api.advanceClock({ body: { seconds } });
  const clockOf = async ({ api }: Pick<MadeWorld, 'api'>) => (await api.getClock()).data;

  describe('a clock', () => {
    test('that stands shows the same, whatever real time passes, to the application and to passengers', async () => {
      const home = await makeWorld(server, { clock: FROZEN });
      const rider = await makePassenger(server, home);
      server.passTime(HOUR_MS / 2);
      const shown = { status: 200, body: { state: 'frozen', now: '2026-05-12T18:00:00.000+00:00' } };
      expect(answerOf(await home.api.getClock())).toEqual(shown);
      expect(answerOf(await rider.api.getClock())).toEqual(shown);
      server.passTime(-HOUR_MS / 2);
    });

    test('is frozen where it is, and runs on from there', async () => {
      const home = await makeWorld(server, { clock: { now: FROZEN.now } });
      const at = (time: string) => ({
        status: 200,
        body: expect.objectContaining({ now: `2026-05-12T${time}.000+00:00` }),
      });
      server.passTime(5000);
      expect(answerOf(await home.api.setClock({ body: { state: 'frozen' } }))).toEqual(at('18:00:05'));
      server.passTime(5000);
      expect(answerOf(await home.api.setClock({ body: { state: 'frozen' } }))).toEqual(at('18:00:05'));
      expect(answerOf(await home.api.setClock({ body: { state: 'running' } }))).toEqual(at('18:00:05'));
      server.passTime(5000);
      expect(answerOf(await home.api.setClock({ body: { state: 'running' } }))).toEqual(at('18:00:10'));
      expect(await clockOf(home)).toEqual({ state: 'running', now: '2026-05-12T18:00:10.000+00:00' });
      server.passTime(-15_000);
    });

    test.each(['frozen', 'running'] as const)('that is %s is so after it was advanced', async (state) => {
      const home = await makeWorld(server, { clock: { ...FROZEN, state } });
      const shown = { status: 200, body: { state, now: '2026-05-12T18:01:01.000+00:00' } };
      expect(answerOf(await advance(home, 61))).toEqual(shown);
      expect(answerOf(await home.api.getClock())).toEqual(shown);
    });

    test('is that of one world alone', async () => {
      const [moved, still] = [await makeWorld(server, { clock: FROZEN }), await makeWorld(server, { clock: FROZEN })];
      await advance(moved, 3600);
      await moved.api.setClock({ body: { state: 'running' } });
      expect(await clockOf(still)).toEqual(still.world.clock);
    });
  });

  describe('the end of the year 2099', () => {
    const eve = { state: 'frozen', now: '2099-12-31T23:59:00Z' } as const;

    test('can be come near to', async () => {
      const home = await makeWorld(server, { clock: eve });
      expect((await advance(home, 59)).data?.now).toBe('2099-12-31T23:59:59.000+00:00');
    });

    test('cannot be passed', async () => {
      const home = await makeWorld(server, { clock: eve });
      expect(answerOf(await advance(home, 60))).toEqual(
        failure(400, 'bad_parameter', [{ seconds: 'must not lead beyond the year 2099' }]),
      );
      expect(await clockOf(home)).toEqual(home.world.clock);
    });
  });

  test.each([0, -1, 2_592_001, 1.5, '61', null])('a clock cannot be advanced by %j seconds', async (seconds) => {
    const home = await makeWorld(server, { clock: FROZEN });
    const refused = failure(400, 'bad_parameter', [{ seconds: expect.any(String) }]);
    expect(answerOf(await advance(home, seconds as number))).toEqual(refused);
    expect(await clockOf(home)).toEqual(home.world.clock);
  });

  describe('of two who advance a clock at once', () => {
    test('neither turns it back', async () => {
      const home = await makeWorld(server, { clock: FROZEN, auto_advance: true });
      await requestRideOf(await makePassenger(server, home));
      const answers = await Promise.all([advance(home, 3600), advance(home, 61), advance(home, 600)]);
      expect(answers.map(({ response }) => response.status)).toEqual([200, 200, 200]);
      expect(Date.parse((await clockOf(home))!.now)).toBeGreaterThanOrEqual(Date.parse(FROZEN.now) + HOUR_MS);
    });
  });

  describe('once it was advanced', () => {
    test.each([
      [60, failure(400, 'invalid_primetime_confirmation')],
      [59, { status: 201, body: expect.objectContaining({ status: 'pending' }) }],
    ])('by %i seconds, a cost_token is answered so', async (seconds, answer) => {
      const home = await makeWorld(server, { clock: RUSH_HOUR });
      const { api } = await makePassenger(server, home);
      const { error } = await api.requestRide({ body: ACROSS_TOWN });
      const { cost_token } = error as { cost_token: string };
      await advance(home, seconds);
      expect(answerOf(await api.requestRide({ body: { ...ACROSS_TOWN, cost_token } }))).toEqual(answer);
    });

    test('by two minutes, every retry of a webhook was made', async () => {
      const home = await makeWorld(server, { clock: FROZEN, auto_advance: true });
      const { api } = await makePassenger(server, home);
      receiver.answerWith(() => 500);
      const before = receiver.received.length;
      await requestRideOf({ api });
      // two seconds until a car is found, and two minutes
      await advance(home, 122);
      receiver.answerWith(() => 204);
      const attempts = receiver.received.slice(before).map(({ body }) => JSON.parse(body));
      const first = attempts.filter(({ event_id }) => event_id === attempts[0].event_id);
      expect(first).toHaveLength(9);
      await advance(home, 2_592_000);
      expect(receiver.received.filter(({ body }) => JSON.parse(body).event_id === attempts[0].event_id)).toHaveLength(
        9,
      );
    });

    test.each([
      [24 * 3600 - 1, { status: 204, body: undefined }],
      [24 * 3600, failure(400, 'user_cannot_rate_this_ride')],
    ])('by %i seconds from the drop-off, a rating is answered so', async (seconds, answer) => {
      const home = await makeWorld(server, { clock: FROZEN, auto_advance: true });
      const { api } = await makePassenger(server, home);
      const params = { path: { ride_id: await requestRideOf({ api }) } };
      await advance(home, 2 * 3600);
      const { data } = await api.getRide({ params });
      const sinceMs =
        Date.parse((await clockOf(home))!.now) - Date.parse((data as { dropoff: { time: string } }).dropoff.time);
      // to the millisecond: the rest runs by real time
      await home.api.setClock({ body: { state: 'running' } });
      const restMs = seconds * 1000 - sinceMs;
      server.passTime(restMs % 1000);
      await home.api.setClock({ body: { state: 'frozen' } });
      server.passTime(-(restMs % 1000));
      await advance(home, Math.floor(restMs / 1000));
      expect(answerOf(await api.rateRide({ params, body: { rating: 5 } }))).toEqual(answer);
    });
  });
});
