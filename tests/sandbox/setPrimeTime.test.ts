import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../server/domain/time.ts';
import { ACROSS_TOWN, costTokenOf } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { FERRY_BUILDING, tripBetween } from '../support/places.ts';
import { FROZEN, makePassenger, makeWorld } from '../support/sandboxes.ts';
import type { Rider } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, requestRideOf, ridingOf, startRiding } from '../support/take-ride.ts';
import { CHICAGO, expectUnseenElsewhere, marketOf, newStage } from './support/market.ts';

/** A Friday in San Francisco, 17:30 local time. */
const FRIDAY_RUSH = Date.UTC(2026, 4, 16, 0, 30);

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  const set = async ({ api }: Pick<Rider, 'api'>, percentage: string, place = FERRY_BUILDING) =>
    answerOf(await api.setPrimeTime({ body: { ...place, primetime_percentage: percentage } }));
  const costOf = async ({ api }: Pick<Rider, 'api'>) =>
    (await api.estimateCost({ params: { query: { ...tripBetween(), ride_type: 'svc' } } })).data!.cost_estimates[0]!;
  const percentageFor = async (who: Pick<Rider, 'api'>) => (await costOf(who)).primetime_percentage;

  test('it applies to every ride type', async () => {
    const stage = await newStage(server);
    expect(await set(stage, '100%')).toEqual({ status: 204, body: undefined });
    const { primeTime } = await marketOf(stage.api);
    expect(new Set(Object.values(primeTime))).toEqual(new Set(['100%']));
  });

  test.each([
    ['25%', 1.25],
    ['100%', 2],
    ['400%', 5],
  ])('a request must confirm %s, and the ride is charged that Prime Time', async (percentage, multiplier) => {
    const stage = await newStage(server);
    const { api, world } = stage;
    await set(stage, percentage);
    const { error } = await api.requestRide({ body: ACROSS_TOWN });
    expect(error).toMatchObject({
      error: 'primetime_confirmation_required',
      primetime_percentage: percentage,
      primetime_multiplier: multiplier,
    });
    const riding = ridingOf(stage, world, await requestRideOf(stage, { cost_token: await costTokenOf(stage) }));
    const { params } = riding;
    expect((await api.getRide({ params })).data!.primetime_percentage).toBe(percentage);
    await advanceUntil(server, riding, 'droppedOff');
    await api.rateRide({ params, body: { rating: 5 } });
    await server.advance(world, MINUTE_MS);
    const { data: receipt } = await api.getReceipt({ params });
    const amountOf = (type: string) => receipt!.line_items.find((item) => item.type === type)!.amount;
    expect(amountOf('Prime Time') / amountOf('Ride fare')).toBeCloseTo(multiplier - 1, 2);
  });

  test('it applies at every hour until it is set again', async () => {
    const stage = await newStage(server);
    await set(stage, '75%');
    for (const ms of [HOUR_MS, 13 * HOUR_MS, DAY_MS, 4 * DAY_MS]) {
      await server.advance(stage.world, ms);
      expect(await percentageFor(stage)).toBe('75%');
    }
    await set(stage, '50%');
    expect(await percentageFor(stage)).toBe('50%');
  });

  test('0% turns off the Prime Time of the hour', async () => {
    const stage = await newStage(server, { at: FRIDAY_RUSH });
    expect(await percentageFor(stage)).not.toBe('0%');
    await set(stage, '0%');
    expect(await percentageFor(stage)).toBe('0%');
    expect((await stage.api.requestRide({ body: ACROSS_TOWN })).response.status).toBe(201);
  });

  test('earlier agreements stay valid: a ride in progress, and a price within its minute', async () => {
    const stage = await newStage(server);
    const riding = await startRiding(server, { world: stage.world });
    const { cost_token } = await costOf(stage);
    await set(stage, '200%');
    expect((await riding.api.getRide({ params: riding.params })).data!.primetime_percentage).toBe('0%');
    const rideId = await requestRideOf(stage, { cost_token: cost_token! });
    const { data } = await stage.api.getRide({ params: { path: { ride_id: rideId } } });
    expect(data!.primetime_percentage).toBe('0%');
  });

  test('a client token, which cannot confirm it, sees 0%', async () => {
    const stage = await newStage(server);
    const api = server.client({ token: await server.newToken({ world: stage.world }) });
    expect(await set({ api }, '100%')).toEqual({ status: 204, body: undefined });
    expect([await percentageFor({ api }), await percentageFor(stage)]).toEqual(['0%', '100%']);
  });

  test('other cities, other worlds and the live world do not change', async () => {
    const stage = await newStage(server);
    const before = await expectUnseenElsewhere(server, stage, () => set(stage, '300%'));
    for (const { primeTime } of before) expect(new Set(Object.values(primeTime))).toEqual(new Set(['0%']));
    expect(await percentageFor(stage)).toBe('300%');
  });

  test('a reset undoes it', async () => {
    const home = await makeWorld(server, { clock: FROZEN });
    await set(home, '300%');
    expect((await home.api.resetWorld()).response.status).toBe(204);
    expect(await percentageFor(await makePassenger(server, home))).toBe('0%');
  });

  test.each(['25', '10%', '425%', '-25%', '025%', '25 %', '100.0%'])(
    '%j is not a valid Prime Time',
    async (percentage) => {
      const detail = [{ primetime_percentage: expect.any(String) }];
      expect(await set(await newStage(server), percentage)).toEqual(failure(400, 'bad_parameter', detail));
    },
  );

  test('two cities can be set at once', async () => {
    const stage = await newStage(server);
    await Promise.all([set(stage, '25%'), set(stage, '50%', CHICAGO), set(stage, '25%'), set(stage, '50%', CHICAGO)]);
    expect(await percentageFor(stage)).toBe('25%');
    const query = { start_lat: CHICAGO.lat, start_lng: CHICAGO.lng, ride_type: 'svc' };
    const { data } = await stage.api.estimateCost({ params: { query } });
    expect(data!.cost_estimates[0]!.primetime_percentage).toBe('50%');
  });
});
