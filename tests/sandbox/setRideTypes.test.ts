import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../server/domain/time.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { DOLORES_PARK, FERRY_BUILDING, MISSION_DOLORES, PACIFIC_OCEAN } from '../support/places.ts';
import { LIVE, type Rider, startTestServer, type TestServer } from '../support/server.ts';
import { ridingAt, type Stage } from '../support/stages.ts';
import { advanceUntil, feeOf, startRiding } from '../support/take-ride.ts';
import { marketOf } from './support/market.ts';

const RIDE = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };
const ALL = ['svc', 'svc_line', 'svc_lux', 'svc_plus', 'svc_premier'];
const HERE = { params: { query: FERRY_BUILDING } };
const CHICAGO = { lat: 41.8786, lng: -87.6251 };
const IN_CHICAGO = { lat: 41.9, lng: -87.64 };

describe.each(engines)('on %s', (engine) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(engine);
  });
  afterAll(() => server.close());

  const newStage = async () => {
    const world = await server.newWorld();
    return { world, ...(await server.newRider(world)) };
  };
  const set = async ({ api }: Pick<Rider, 'api'>, rideTypes: readonly string[], place = FERRY_BUILDING) =>
    answerOf(await api.setRideTypes({ body: { ...place, ride_types: [...rideTypes] } }));

  test('the city has these alone, and says what was set', async () => {
    const { api } = await newStage();
    const body = { ...FERRY_BUILDING, ride_types: ['svc_plus', 'svc'] };
    expect(await set({ api }, body.ride_types)).toEqual({ status: 200, body });
    const market = await marketOf(api);
    const left = { ...market, primeTime: Object.keys(market.primeTime), etas: Object.keys(market.etas) };
    const names = ['svc', 'svc_plus'];
    expect({ ...left, cars: Object.keys(left.cars) }).toEqual({
      rideTypes: names,
      primeTime: names,
      etas: names,
      cars: names,
      pickups: names,
    });
  });

  test('those that are left have the cars, the times and the prices that they had', async () => {
    const { api } = await newStage();
    const carsOf = async (rideType: string) =>
      (await api.listDrivers(HERE)).data!.nearby_drivers.find(({ ride_type }) => ride_type === rideType);
    const detailsOf = async () =>
      (await api.listRideTypes({ params: { query: { ...FERRY_BUILDING, ride_type: 'svc_plus' } } })).data;
    const [market, cars, details] = [await marketOf(api), await carsOf('svc_plus'), await detailsOf()];
    await set({ api }, ['svc_plus']);
    const left = await marketOf(api);
    expect(left.etas).toEqual({ svc_plus: market.etas.svc_plus });
    expect(left.cars).toEqual({ svc_plus: market.cars.svc_plus });
    expect(await carsOf('svc_plus')).toEqual(cars);
    expect(await detailsOf()).toEqual(details);
  });

  test('one that is gone is unavailable to whoever asks for it by name', async () => {
    const { api } = await newStage();
    await set({ api }, ['svc_plus']);
    const refusal = failure(400, 'ridetype_unavailable_in_region', [{ ride_type: 'is not offered here' }]);
    const query = { ...FERRY_BUILDING, ride_type: 'svc' };
    const start = { start_lat: FERRY_BUILDING.lat, start_lng: FERRY_BUILDING.lng, ride_type: 'svc' };
    expect(answerOf(await api.listRideTypes({ params: { query } }))).toEqual(refusal);
    expect(answerOf(await api.estimateEta({ params: { query } }))).toEqual(refusal);
    expect(answerOf(await api.listPickupEtas({ params: { query } }))).toEqual(refusal);
    expect(answerOf(await api.estimateCost({ params: { query: start } }))).toEqual(refusal);
    expect(answerOf(await api.requestRide({ body: RIDE }))).toEqual(refusal);
    expect((await api.requestRide({ body: { ...RIDE, ride_type: 'svc_plus' } })).response.status).toBe(201);
  });

  test('an empty list takes all of them away', async () => {
    const { api } = await newStage();
    expect((await set({ api }, [])).status).toBe(200);
    expect(await marketOf(api)).toEqual({ rideTypes: [], primeTime: {}, etas: {}, cars: {}, pickups: [] });
  });

  test('all that the city has by itself is as if nothing had been set', async () => {
    const { api } = await newStage();
    const untouched = [await everythingStored(server.store), await marketOf(api)];
    await set({ api }, ['svc']);
    await set({ api }, ALL);
    expect([await everythingStored(server.store), await marketOf(api)]).toEqual(untouched);
  });

  test.each<Stage>(['pending', 'accepted long ago', 'arrived', 'pickedUp'])(
    'a ride that is %s goes on to its receipt, though its ride type is gone',
    async (stage) => {
      const riding = await ridingAt(server, stage);
      const { api, params, world } = riding;
      await set(riding, []);
      expect((await api.getRide({ params })).response.status).toBe(200);
      const destination = { params, body: MISSION_DOLORES };
      expect((await api.updateDestination(destination)).response.status).toBe(200);
      await server.store.db.updateTable('worlds').set({ autoAdvance: 1 }).where('id', '=', world.id).execute();
      expect((await api.setRideStatus({ params, body: { status: 'droppedOff' } })).response.status).toBe(200);
      const tip = { amount: 300, currency: 'USD' };
      expect((await api.rateRide({ params, body: { rating: 5, tip } })).response.status).toBe(204);
      await server.advance(world, MINUTE_MS);
      expect((await api.getReceipt({ params })).data!.price.amount).toBeGreaterThan(300);
    },
  );

  test('a ride whose ride type is gone is still taken, and can be canceled for its fee', async () => {
    const riding = await startRiding(server);
    await set(riding, ['svc_plus']);
    await advanceUntil(server, riding, 'pickedUp');
    const { token, amount } = await feeOf(riding);
    const canceled = await riding.api.cancelRide({ params: riding.params, body: { cancel_confirmation_token: token } });
    expect(canceled.response.status).toBe(204);
    expect((await riding.api.getReceipt({ params: riding.params })).data!.price.amount).toBeGreaterThanOrEqual(amount);
  });

  test('other cities, other worlds and the live one see nothing of it', async () => {
    const stage = await newStage();
    const elsewhere = await newStage();
    const live = await server.newRider(LIVE);
    const markets = async () => [
      await marketOf(elsewhere.api),
      await marketOf(live.api),
      await marketOf(stage.api, CHICAGO, IN_CHICAGO),
    ];
    const before = await markets();
    await set(stage, []);
    expect(await markets()).toEqual(before);
    expect(before.map(({ rideTypes }) => rideTypes.length > 2)).toEqual([true, true, true]);
  });

  test('a ride type that the city never had is refused, and nothing changes', async () => {
    const stage = await newStage();
    const before = await everythingStored(server.store);
    const detail = [{ ride_types: expect.stringContaining('svc_premier') }];
    const refusal = failure(400, 'ridetype_unavailable_in_region', detail);
    expect(await set(stage, ['svc', 'svc_luxsuv'])).toEqual(refusal);
    expect(await set(stage, ['constructor'])).toEqual(refusal);
    expect(await everythingStored(server.store)).toEqual(before);
  });

  test('where there is no service, it is refused, and nothing changes', async () => {
    const stage = await newStage();
    const before = await everythingStored(server.store);
    expect(await set(stage, ['svc'], PACIFIC_OCEAN)).toEqual(failure(400, 'no_service_in_area'));
    expect(await everythingStored(server.store)).toEqual(before);
  });

  test.each<[string, unknown]>([
    ['ride_types', ['svc', 'svc']],
    ['ride_types', 'svc'],
    ['ride_types', undefined],
    ['lat', ['svc']],
  ])('a body that is wrong in its %s is refused', async (name, rideTypes) => {
    const { api } = await newStage();
    const body = { ...FERRY_BUILDING, ...(name === 'lat' && { lat: 91 }), ride_types: rideTypes };
    const answer = answerOf(await api.setRideTypes({ body: body as never }));
    expect(answer).toEqual(failure(400, 'bad_parameter', [{ [name]: expect.any(String) }]));
  });
});
