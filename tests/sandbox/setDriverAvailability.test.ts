import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../server/domain/time.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { DOLORES_PARK, FERRY_BUILDING, PACIFIC_OCEAN } from '../support/places.ts';
import { LIVE, type Rider, startTestServer, type TestServer } from '../support/server.ts';
import { startRiding, storedRide } from '../support/take-ride.ts';
import { marketOf } from './support/market.ts';

const RIDE = { origin: FERRY_BUILDING, destination: DOLORES_PARK };
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
  const set = async ({ api }: Pick<Rider, 'api'>, rideType: string, available: boolean, place = FERRY_BUILDING) =>
    answerOf(
      await api.setDriverAvailability({
        params: { path: { ride_type: rideType } },
        body: { ...place, driver_availability: available },
      }),
    );
  const DONE = { status: 204, body: undefined };

  test('without drivers there are no pickup times, no cars and no rides; the other ride types have theirs', async () => {
    const stage = await newStage();
    const before = await marketOf(stage.api);
    expect(await set(stage, 'svc', false)).toEqual(DONE);
    expect(await marketOf(stage.api)).toEqual({
      ...before,
      etas: { ...before.etas, svc: null },
      cars: { ...before.cars, svc: 0 },
      pickups: before.pickups.filter((rideType) => rideType !== 'svc'),
    });
    const refused = await stage.api.requestRide({ body: { ...RIDE, ride_type: 'svc' } });
    expect(answerOf(refused)).toEqual(failure(409, 'no_drivers_available'));
    expect((await stage.api.requestRide({ body: { ...RIDE, ride_type: 'svc_plus' } })).response.status).toBe(201);
  });

  test('they come back, and all is as if they had never been away', async () => {
    const stage = await newStage();
    const untouched = [await everythingStored(server.store), await marketOf(stage.api)];
    await set(stage, 'svc', false);
    await set(stage, 'svc_plus', false);
    await set(stage, 'svc', false);
    expect(await set(stage, 'svc', true)).toEqual(DONE);
    expect((await marketOf(stage.api)).etas).toMatchObject({ svc: expect.any(Number), svc_plus: null });
    await set(stage, 'svc_plus', true);
    expect(await set(stage, 'svc_plus', true)).toEqual(DONE);
    expect([await everythingStored(server.store), await marketOf(stage.api)]).toEqual(untouched);
  });

  test('a ride that waits for a driver waits until they are back', async () => {
    const riding = await startRiding(server);
    await set(riding, 'svc', false);
    await server.advance(riding.world, 10 * MINUTE_MS);
    expect((await storedRide(server, riding.world, riding.rideId)).status).toBe('pending');
    await set(riding, 'svc', true);
    await server.advance(riding.world, 11_000);
    expect((await storedRide(server, riding.world, riding.rideId)).status).toBe('accepted');
  });

  test('a ride that is moved by hand finds a driver all the same', async () => {
    const riding = await startRiding(server);
    await set(riding, 'svc', false);
    const { response } = await riding.api.setRideStatus({ params: riding.params, body: { status: 'accepted' } });
    expect(response.status).toBe(200);
  });

  test('a ride under way keeps its driver', async () => {
    const riding = await startRiding(server);
    await riding.api.setRideStatus({ params: riding.params, body: { status: 'accepted' } });
    await set(riding, 'svc', false);
    const moved = await riding.api.setRideStatus({ params: riding.params, body: { status: 'droppedOff' } });
    expect(moved.response.status).toBe(200);
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
    await set(stage, 'svc', false);
    expect(await markets()).toEqual(before);
    expect(before.map(({ etas }) => typeof etas.svc)).toEqual(['number', 'number', 'number']);
  });

  test('a ride type that the city never had is refused, and nothing changes', async () => {
    const stage = await newStage();
    const before = await everythingStored(server.store);
    const detail = [{ ride_type: 'is not offered here' }];
    for (const rideType of ['svc_luxsuv', 'constructor']) {
      expect(await set(stage, rideType, false)).toEqual(failure(400, 'ridetype_unavailable_in_region', detail));
    }
    expect(await everythingStored(server.store)).toEqual(before);
  });

  test('where there is no service, it is refused, and nothing changes', async () => {
    const stage = await newStage();
    const before = await everythingStored(server.store);
    expect(await set(stage, 'svc', false, PACIFIC_OCEAN)).toEqual(failure(400, 'no_service_in_area'));
    expect(await everythingStored(server.store)).toEqual(before);
  });

  test('drivers are there or not, nothing else', async () => {
    const { api } = await newStage();
    const answer = await api.setDriverAvailability({
      params: { path: { ride_type: 'svc' } },
      body: { ...FERRY_BUILDING, driver_availability: 'no' as never },
    });
    const detail = [{ driver_availability: expect.any(String) }];
    expect(answerOf(answer)).toEqual(failure(400, 'bad_parameter', detail));
  });
});
