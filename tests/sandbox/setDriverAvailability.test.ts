import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../server/domain/time.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import type { Rider } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { startRiding, storedRide } from '../support/take-ride.ts';
import { expectUnseenElsewhere, marketOf, newStage } from './support/market.ts';

const DONE = { status: 204, body: undefined };

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  const set = async ({ api }: Pick<Rider, 'api'>, rideType: string, available: boolean) => {
    const params = { path: { ride_type: rideType } };
    return answerOf(
      await api.setDriverAvailability({ params, body: { ...FERRY_BUILDING, driver_availability: available } }),
    );
  };

  test('without drivers, a ride type has no pickup times, cars or rides; other ride types do not change', async () => {
    const stage = await newStage(server);
    const before = await marketOf(stage.api);
    expect(await set(stage, 'svc', false)).toEqual(DONE);
    expect(await marketOf(stage.api)).toEqual({
      ...before,
      etas: { ...before.etas, svc: null },
      cars: { ...before.cars, svc: 0 },
      pickups: before.pickups.filter((rideType) => rideType !== 'svc'),
    });
    const refused = await stage.api.requestRide({ body: ACROSS_TOWN });
    expect(answerOf(refused)).toEqual(failure(409, 'no_drivers_available'));
    const other = await stage.api.requestRide({ body: { ...ACROSS_TOWN, ride_type: 'svc_plus' } });
    expect(other.response.status).toBe(201);
  });

  test('when drivers are available again, everything is as before', async () => {
    const stage = await newStage(server);
    const untouched = [await everythingStored(server.store), await marketOf(stage.api)];
    for (const rideType of ['svc', 'svc_plus', 'svc']) await set(stage, rideType, false);
    expect(await set(stage, 'svc', true)).toEqual(DONE);
    expect((await marketOf(stage.api)).etas).toMatchObject({ svc: expect.any(Number), svc_plus: null });
    await set(stage, 'svc_plus', true);
    expect(await set(stage, 'svc_plus', true)).toEqual(DONE);
    expect([await everythingStored(server.store), await marketOf(stage.api)]).toEqual(untouched);
  });

  test('a pending ride waits until drivers are available again', async () => {
    const riding = await startRiding(server);
    const statusAfter = async (ms: number) => {
      await server.advance(riding.world, ms);
      return (await storedRide(server, riding.world, riding.rideId)).status;
    };
    await set(riding, 'svc', false);
    expect(await statusAfter(10 * MINUTE_MS)).toBe('pending');
    await set(riding, 'svc', true);
    expect(await statusAfter(11_000)).toBe('accepted');
  });

  test('a ride that is moved by hand still gets a driver', async () => {
    const riding = await startRiding(server);
    await set(riding, 'svc', false);
    const { response } = await riding.api.setRideStatus({ params: riding.params, body: { status: 'accepted' } });
    expect(response.status).toBe(200);
  });

  test('a ride in progress keeps its driver', async () => {
    const riding = await startRiding(server);
    await riding.api.setRideStatus({ params: riding.params, body: { status: 'accepted' } });
    await set(riding, 'svc', false);
    const moved = await riding.api.setRideStatus({ params: riding.params, body: { status: 'droppedOff' } });
    expect(moved.response.status).toBe(200);
  });

  test('other cities, other worlds and the live world do not change', async () => {
    const stage = await newStage(server);
    const before = await expectUnseenElsewhere(server, stage, () => set(stage, 'svc', false));
    expect(before.map(({ etas }) => typeof etas.svc)).toEqual(['number', 'number', 'number']);
  });

  test('a property that every object has is not a ride type', async () => {
    const refusal = failure(400, 'ridetype_unavailable_in_region', [{ ride_type: 'is not available here' }]);
    expect(await set(await newStage(server), 'constructor', false)).toEqual(refusal);
  });
});
