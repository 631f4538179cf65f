import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../server/domain/time.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { FERRY_BUILDING, MISSION_DOLORES, tripBetween } from '../support/places.ts';
import type { Rider } from '../support/server.ts';
import { ridingAt, type Stage } from '../support/stages.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, feeOf, startRiding } from '../support/take-ride.ts';
import { expectUnseenElsewhere, marketOf, newStage } from './support/market.ts';

const ALL = ['svc', 'svc_line', 'svc_lux', 'svc_plus', 'svc_premier'];
const HERE = { params: { query: FERRY_BUILDING } };

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  const set = async ({ api }: Pick<Rider, 'api'>, ...rideTypes: string[]) =>
    answerOf(await api.setRideTypes({ body: { ...FERRY_BUILDING, ride_types: rideTypes } }));

  test('the city has only these ride types, and the response repeats them', async () => {
    const { api } = await newStage(server);
    const body = { ...FERRY_BUILDING, ride_types: ['svc_plus', 'svc'] };
    expect(await set({ api }, ...body.ride_types)).toEqual({ status: 200, body });
    const { rideTypes, primeTime, etas, cars, pickups } = await marketOf(api);
    const found = [rideTypes, Object.keys(primeTime), Object.keys(etas), Object.keys(cars), pickups];
    expect(found).toEqual(Array(5).fill(['svc', 'svc_plus']));
  });

  test('the remaining ride types keep their cars, times and prices', async () => {
    const { api } = await newStage(server);
    const carsOf = async (rideType: string) =>
      (await api.listDrivers(HERE)).data!.nearby_drivers.find(({ ride_type }) => ride_type === rideType);
    const detailsOf = async () =>
      (await api.listRideTypes({ params: { query: { ...FERRY_BUILDING, ride_type: 'svc_plus' } } })).data;
    const [market, cars, details] = [await marketOf(api), await carsOf('svc_plus'), await detailsOf()];
    await set({ api }, 'svc_plus');
    const left = await marketOf(api);
    expect(left.etas).toEqual({ svc_plus: market.etas.svc_plus });
    expect(left.cars).toEqual({ svc_plus: market.cars.svc_plus });
    expect(await carsOf('svc_plus')).toEqual(cars);
    expect(await detailsOf()).toEqual(details);
  });

  test('a removed ride type is unavailable', async () => {
    const { api } = await newStage(server);
    await set({ api }, 'svc_plus');
    const here = { params: { query: { ...FERRY_BUILDING, ride_type: 'svc' } } };
    const answers = [
      await api.listRideTypes(here),
      await api.estimateEta(here),
      await api.listPickupEtas(here),
      await api.estimateCost({ params: { query: { ...tripBetween(), ride_type: 'svc' } } }),
      await api.requestRide({ body: ACROSS_TOWN }),
    ];
    const refusal = failure(400, 'ridetype_unavailable_in_region', [{ ride_type: 'is not available here' }]);
    for (const answer of answers) expect(answerOf(answer)).toEqual(refusal);
    expect((await api.requestRide({ body: { ...ACROSS_TOWN, ride_type: 'svc_plus' } })).response.status).toBe(201);
  });

  test('an empty list removes all ride types', async () => {
    const { api } = await newStage(server);
    expect((await set({ api })).status).toBe(200);
    expect((await api.listDrivers(HERE)).data).toEqual({ nearby_drivers: [] });
    const { error } = await api.requestRide({ body: ACROSS_TOWN });
    expect(error).toMatchObject({ error: 'ridetype_unavailable_in_region' });
  });

  test('setting all the usual ride types of the city restores its original state', async () => {
    const { api } = await newStage(server);
    const untouched = [await everythingStored(server.store), await marketOf(api)];
    await set({ api }, 'svc');
    await set({ api }, ...ALL);
    expect([await everythingStored(server.store), await marketOf(api)]).toEqual(untouched);
  });

  test.each<Stage>(['pending', 'accepted long ago', 'arrived', 'pickedUp'])(
    'a ride that is %s continues to its receipt even if its ride type is removed',
    async (stage) => {
      const riding = await ridingAt(server, stage);
      const { api, params, world } = riding;
      await set(riding);
      expect((await api.getRide({ params })).response.status).toBe(200);
      expect((await api.updateDestination({ params, body: MISSION_DOLORES })).response.status).toBe(200);
      await server.store.db.updateTable('worlds').set({ autoAdvance: 1 }).where('id', '=', world.id).execute();
      expect((await api.setRideStatus({ params, body: { status: 'droppedOff' } })).response.status).toBe(200);
      const tip = { amount: 300, currency: 'USD' };
      expect((await api.rateRide({ params, body: { rating: 5, tip } })).response.status).toBe(204);
      await server.advance(world, MINUTE_MS);
      expect((await api.getReceipt({ params })).data!.price.amount).toBeGreaterThan(300);
    },
  );

  test('a ride whose ride type is removed still gets a driver, and can be canceled for its fee', async () => {
    const riding = await startRiding(server);
    await set(riding, 'svc_plus');
    await advanceUntil(server, riding, 'pickedUp');
    const { token, amount } = await feeOf(riding);
    const canceled = await riding.api.cancelRide({ params: riding.params, body: { cancel_confirmation_token: token } });
    expect(canceled.response.status).toBe(204);
    expect((await riding.api.getReceipt({ params: riding.params })).data!.price.amount).toBeGreaterThanOrEqual(amount);
  });

  test('other cities, other worlds and the live world do not change', async () => {
    const stage = await newStage(server);
    const before = await expectUnseenElsewhere(server, stage, () => set(stage));
    expect(before.map(({ rideTypes }) => rideTypes.length > 2)).toEqual([true, true, true]);
  });

  test('a property that every object has is not a ride type', async () => {
    const detail = [{ ride_types: expect.stringContaining('svc_premier') }];
    const refusal = failure(400, 'ridetype_unavailable_in_region', detail);
    expect(await set(await newStage(server), 'constructor')).toEqual(refusal);
  });
});
