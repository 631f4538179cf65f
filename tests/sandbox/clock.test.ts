import { beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../server/domain/time.ts';
import { ACROSS_TOWN, costTokenOf } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { FROZEN, type MadeWorld, makePassenger, makeWorld } from '../support/sandboxes.ts';
import { testReceiver, testServer } from '../support/started.ts';
import { requestRideOf } from '../support/take-ride.ts';
import { tellTheDemo } from '../webhooks/support.ts';

/** The Prime Time of that evening. */
const RUSH_HOUR = { state: 'frozen', now: '2026-05-13T00:30:00Z' } as const;

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);
  const receiver = testReceiver();
  beforeAll(() => tellTheDemo(server, `${receiver.url}/`));

  const advance = ({ api }: Pick<MadeWorld, 'api'>, seconds: number) => api.advanceClock({ body: { seconds } });
  const clockOf = async ({ api }: Pick<MadeWorld, 'api'>) => (await api.getClock()).data;

  describe('a clock', () => {
    test('that stands shows the same, whatever real time passes, to the application and to passengers', async () => {
      const home = await makeWorld(server, { clock: FROZEN });
      const rider = await makePassenger(server, home);
      server.passTime(HOUR_MS / 2);
      const shown = { status: 200, body: { state: 'frozen', now: '2026-05-12T18:00:00.000+00:00' } };
      for (const { api } of [home, rider]) expect(answerOf(await api.getClock())).toEqual(shown);
      server.passTime(-HOUR_MS / 2);
    });

    test('is frozen where it is, and runs on from there', async () => {
      const home = await makeWorld(server, { clock: { now: FROZEN.now } });
      const expectAt = async (time: string, state: 'frozen' | 'running') =>
        expect(answerOf(await home.api.setClock({ body: { state } }))).toEqual({
          status: 200,
          body: { state, now: `2026-05-12T${time}.000+00:00` },
        });
      server.passTime(5000);
      await expectAt('18:00:05', 'frozen');
      server.passTime(5000);
      await expectAt('18:00:05', 'frozen');
      await expectAt('18:00:05', 'running');
      server.passTime(5000);
      await expectAt('18:00:10', 'running');
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

    test('can come near to the end of the year 2099, and cannot pass it', async () => {
      const home = await makeWorld(server, { clock: { state: 'frozen', now: '2099-12-31T23:59:00Z' } });
      const detail = [{ seconds: 'must not lead beyond the year 2099' }];
      expect(answerOf(await advance(home, 60))).toEqual(failure(400, 'bad_parameter', detail));
      expect(await clockOf(home)).toEqual(home.world.clock);
      expect((await advance(home, 59)).data?.now).toBe('2099-12-31T23:59:59.000+00:00');
    });

    test('is not turned back by any of those who advance it at once', async () => {
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
      const cost_token = await costTokenOf({ api });
      await advance(home, seconds);
      expect(answerOf(await api.requestRide({ body: { ...ACROSS_TOWN, cost_token } }))).toEqual(answer);
    });

    test('by two minutes, every retry of a webhook was made', async () => {
      const home = await makeWorld(server, { clock: FROZEN, auto_advance: true });
      receiver.answerWith(() => 500);
      const before = receiver.received.length;
      await requestRideOf(await makePassenger(server, home));
      // two seconds until a car is found, and two minutes
      await advance(home, 122);
      receiver.answerWith(() => 204);
      const idsSince = () => receiver.received.slice(before).map(({ body }) => JSON.parse(body).event_id);
      const [first] = idsSince();
      expect(idsSince().filter((id) => id === first)).toHaveLength(9);
      await advance(home, 2_592_000);
      expect(idsSince().filter((id) => id === first)).toHaveLength(9);
    });

    test.each([
      [24 * 3600 - 1, { status: 204, body: undefined }],
      [24 * 3600, failure(400, 'user_cannot_rate_this_ride')],
    ])('by %i seconds from the drop-off, a rating is answered so', async (seconds, answer) => {
      const home = await makeWorld(server, { clock: FROZEN, auto_advance: true });
      const { api } = await makePassenger(server, home);
      const params = { path: { ride_id: await requestRideOf({ api }) } };
      await advance(home, 2 * 3600);
      const { dropoff } = (await api.getRide({ params })).data as { dropoff: { time: string } };
      const sinceMs = Date.parse((await clockOf(home))!.now) - Date.parse(dropoff.time);
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
