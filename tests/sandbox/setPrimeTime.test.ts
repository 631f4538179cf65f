import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../server/domain/time.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { DOLORES_PARK, FERRY_BUILDING, PACIFIC_OCEAN } from '../support/places.ts';
import { LIVE, startTestServer, type TestServer, TUESDAY_MORNING } from '../support/server.ts';
import { advanceUntil, requestRideOf, ridingOf, startRiding } from '../support/take-ride.ts';
import { marketOf } from './support/market.ts';

const RIDE = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };
const CHICAGO = { lat: 41.8786, lng: -87.6251 };
/** A Friday in San Francisco, 17:30 local. */
const FRIDAY_RUSH = Date.UTC(2026, 4, 16, 0, 30);

describe.each(engines)('on %s', (engine) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(engine);
  });
  afterAll(() => server.close());

  const newStage = async (at?: number) => {
    const world = await server.newWorld(at === undefined ? {} : { at });
    const rider = await server.newRider(world);
    return { world, rider, api: rider.api };
  };
  const set = async (
    { api }: Pick<Awaited<ReturnType<typeof newStage>>, 'api'>,
    percentage: string,
    place = FERRY_BUILDING,
  ) => answerOf(await api.setPrimeTime({ body: { ...place, primetime_percentage: percentage } }));
  const costOf = async ({ api }: Pick<Awaited<ReturnType<typeof newStage>>, 'api'>) => {
    const query = {
      ...{ start_lat: FERRY_BUILDING.lat, start_lng: FERRY_BUILDING.lng },
      ...{ end_lat: DOLORES_PARK.lat, end_lng: DOLORES_PARK.lng, ride_type: 'svc' },
    };
    return (await api.estimateCost({ params: { query } })).data!.cost_estimates[0]!;
  };

  test('twice the fare is what a ride costs from now on, for every ride type', async () => {
    const stage = await newStage();
    const plain = await costOf(stage);
    expect(await set(stage, '100%')).toEqual({ status: 204, body: undefined });
    const { primeTime } = await marketOf(stage.api);
    expect(new Set(Object.values(primeTime))).toEqual(new Set(['100%']));
    const dear = await costOf(stage);
    // the fare doubles, the fees on it do not
    expect(dear.estimated_cost_cents_min! / plain.estimated_cost_cents_min!).toBeGreaterThan(1.6);
    expect(dear.estimated_cost_cents_min! / plain.estimated_cost_cents_min!).toBeLessThan(2);
  });

  test.each([
    ['25%', 1.25],
    ['100%', 2],
    ['400%', 5],
  ])('a ride request has to agree to %s, and is a ride of that Prime Time then', async (percentage, multiplier) => {
    const stage = await newStage();
    await set(stage, percentage);
    const { error } = await stage.api.requestRide({ body: RIDE });
    expect(error).toMatchObject({
      error: 'primetime_confirmation_required',
      primetime_percentage: percentage,
      primetime_multiplier: multiplier,
    });
    const cost_token = (error as { cost_token: string }).cost_token;
    const riding = ridingOf(stage.rider, stage.world, await requestRideOf(stage.rider, { cost_token }));
    expect((await stage.api.getRide({ params: riding.params })).data!.primetime_percentage).toBe(percentage);
    await advanceUntil(server, riding, 'droppedOff');
    await stage.api.rateRide({ params: riding.params, body: { rating: 5 } });
    await server.advance(stage.world, MINUTE_MS);
    const { data: receipt } = await stage.api.getReceipt({ params: riding.params });
    const amountOf = (type: string) => receipt!.line_items.find((item) => item.type === type)!.amount;
    expect(amountOf('Prime Time') / amountOf('Ride fare')).toBeCloseTo(multiplier - 1, 2);
  });

  test('it holds whatever the hour, until it is set again', async () => {
    const stage = await newStage();
    await set(stage, '75%');
    for (const ms of [HOUR_MS, 13 * HOUR_MS, DAY_MS, 4 * DAY_MS]) {
      await server.advance(stage.world, ms);
      expect((await costOf(stage)).primetime_percentage).toBe('75%');
    }
    await set(stage, '50%');
    expect((await costOf(stage)).primetime_percentage).toBe('50%');
  });

  test('0% turns off what the hour brings by itself', async () => {
    const stage = await newStage(FRIDAY_RUSH);
    expect((await costOf(stage)).primetime_percentage).not.toBe('0%');
    await set(stage, '0%');
    expect((await costOf(stage)).primetime_percentage).toBe('0%');
    expect((await stage.api.requestRide({ body: RIDE })).response.status).toBe(201);
  });

  test('what was agreed to before stays: a ride under way, and a price within its minute', async () => {
    const stage = await newStage();
    const riding = await startRiding(server, { world: stage.world });
    const { cost_token } = await costOf(stage);
    await set(stage, '200%');
    expect((await riding.api.getRide({ params: riding.params })).data!.primetime_percentage).toBe('0%');
    const rideId = await requestRideOf(stage.rider, { cost_token: cost_token! });
    const { data } = await stage.api.getRide({ params: { path: { ride_id: rideId } } });
    expect(data!.primetime_percentage).toBe('0%');
  });

  test('a client token, which cannot agree to it, is told of none', async () => {
    const stage = await newStage();
    const api = server.client({ token: await server.newToken({ world: stage.world }) });
    expect(await set({ api }, '100%')).toEqual({ status: 204, body: undefined });
    expect((await costOf({ api })).primetime_percentage).toBe('0%');
    expect((await costOf(stage)).primetime_percentage).toBe('100%');
  });

  test('other cities, other worlds and the live one see nothing of it', async () => {
    const stage = await newStage();
    const elsewhere = await newStage();
    const live = await server.newRider(LIVE);
    await set(stage, '300%');
    expect((await costOf(elsewhere)).primetime_percentage).toBe('0%');
    expect((await costOf(live)).primetime_percentage).toBe('0%');
    const query = { start_lat: CHICAGO.lat, start_lng: CHICAGO.lng };
    const { data } = await stage.api.estimateCost({ params: { query } });
    expect(new Set(data!.cost_estimates.map((cost) => cost.primetime_percentage))).toEqual(new Set(['0%']));
    expect((await costOf(stage)).primetime_percentage).toBe('300%');
  });

  test('a reset takes it back', async () => {
    const stage = await newStage();
    const api = server.client({ token: await server.newToken({ world: stage.world }) });
    await server.store.db
      .updateTable('worlds')
      .set({ beginning: JSON.stringify({ now: TUESDAY_MORNING, running: false, autoAdvance: true, limits: true }) })
      .where('id', '=', stage.world.id)
      .execute();
    await set({ api }, '300%');
    expect((await api.resetWorld()).response.status).toBe(204);
    const again = await server.newRider(stage.world);
    expect((await costOf(again)).primetime_percentage).toBe('0%');
  });

  test('where there is no service, it is refused, and nothing changes', async () => {
    const stage = await newStage();
    const before = await everythingStored(server.store);
    expect(await set(stage, '25%', PACIFIC_OCEAN)).toEqual(failure(400, 'no_service_in_area'));
    expect(await everythingStored(server.store)).toEqual(before);
  });

  test.each(['25', '10%', '425%', '-25%', '025%', '25 %', '100.0%', ''])('%j is no Prime Time', async (percentage) => {
    const stage = await newStage();
    const before = await everythingStored(server.store);
    const detail = [{ primetime_percentage: expect.any(String) }];
    expect(await set(stage, percentage)).toEqual(failure(400, 'bad_parameter', detail));
    expect(await everythingStored(server.store)).toEqual(before);
  });

  test('two cities that are set at once are both set', async () => {
    const stage = await newStage();
    await Promise.all([set(stage, '25%'), set(stage, '50%', CHICAGO), set(stage, '25%'), set(stage, '50%', CHICAGO)]);
    expect((await costOf(stage)).primetime_percentage).toBe('25%');
    const query = { start_lat: CHICAGO.lat, start_lng: CHICAGO.lng, ride_type: 'svc' };
    const { data } = await stage.api.estimateCost({ params: { query } });
    expect(data!.cost_estimates[0]!.primetime_percentage).toBe('50%');
  });
});
