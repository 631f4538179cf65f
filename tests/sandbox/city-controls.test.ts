import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../server/domain/time.ts';
import { ACROSS_TOWN, costTokenOf } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { FERRY_BUILDING, MISSION_DOLORES, tripBetween } from '../support/places.ts';
import { FROZEN, makePassenger, makeWorld } from '../support/sandboxes.ts';
import type { Rider } from '../support/server.ts';
import { ridingAt, type Stage } from '../support/stages.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, feeOf, requestRideOf, startRiding, storedRide } from '../support/take-ride.ts';
import { CHICAGO, expectUnseenElsewhere, marketOf, newStage } from './support/market.ts';

type Api = Pick<Rider, 'api'>;

/** A Friday in San Francisco, 17:30 local time. */
const FRIDAY_RUSH = Date.UTC(2026, 4, 16, 0, 30);
const ALL = ['svc', 'svc_line', 'svc_lux', 'svc_plus', 'svc_premier'];
const DONE = { status: 204, body: undefined };

const setPrimeTime = async ({ api }: Api, percentage: string | null, place = FERRY_BUILDING) =>
  answerOf(await api.setPrimeTime({ body: { ...place, primetime_percentage: percentage } }));
const setRideTypes = async ({ api }: Api, ...rideTypes: string[]) =>
  answerOf(await api.setRideTypes({ body: { ...FERRY_BUILDING, ride_types: rideTypes } }));
const setDrivers = async ({ api }: Api, rideType: string, isAvailable: boolean) => {
  const body = { ...FERRY_BUILDING, driver_availability: isAvailable };
  return answerOf(await api.setDriverAvailability({ params: { path: { ride_type: rideType } }, body }));
};

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  describe.each<[string, (stage: Api) => Promise<unknown>]>([
    ['setPrimeTime', (stage) => setPrimeTime(stage, '300%')],
    ['setRideTypes', (stage) => setRideTypes(stage, 'svc')],
    ['setDriverAvailability', (stage) => setDrivers(stage, 'svc', false)],
  ])('%s', (_, control) => {
    test('does not change other cities, other worlds and the live world', async () => {
      const stage = await newStage(server);
      const before = await marketOf(stage.api);
      const elsewhere = await expectUnseenElsewhere(server, stage, () => control(stage));
      expect(elsewhere.every(({ rideTypes, etas }) => rideTypes.length > 2 && etas.svc !== null)).toBe(true);
      expect(await marketOf(stage.api)).not.toEqual(before);
    });

    test('is undone by a reset', async () => {
      const home = await makeWorld(server, { clock: FROZEN });
      const market = async () => marketOf((await makePassenger(server, home)).api);
      const before = await market();
      await control(home);
      await home.api.resetWorld();
      expect(await market()).toEqual(before);
    });
  });

  test.each<[string, (stage: Api) => Promise<unknown>]>([
    [
      'setDriverAvailability',
      async (stage) => {
        for (const rideType of ['svc', 'svc_plus', 'svc']) await setDrivers(stage, rideType, false);
        expect(await setDrivers(stage, 'svc', true)).toEqual(DONE);
        expect((await marketOf(stage.api)).etas).toMatchObject({ svc: expect.any(Number), svc_plus: null });
        for (let times = 0; times < 2; times++) expect(await setDrivers(stage, 'svc_plus', true)).toEqual(DONE);
      },
    ],
    [
      'setRideTypes',
      async (stage) => {
        await setRideTypes(stage, 'svc');
        await setRideTypes(stage, ...ALL);
      },
    ],
  ])('when %s sets what is usual in the city, everything is as before', async (_, thereAndBack) => {
    const stage = await newStage(server);
    const untouched = [await everythingStored(server.store), await marketOf(stage.api)];
    await thereAndBack(stage);
    expect([await everythingStored(server.store), await marketOf(stage.api)]).toEqual(untouched);
  });

  describe('setDriverAvailability', () => {
    test('leaves a ride type without pickup times, cars or rides, and other ride types as they are', async () => {
      const stage = await newStage(server);
      const before = await marketOf(stage.api);
      expect(await setDrivers(stage, 'svc', false)).toEqual(DONE);
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

    test('makes a pending ride wait until drivers are available again', async () => {
      const riding = await startRiding(server);
      const statusAfter = async (ms: number) => {
        await server.advance(riding.world, ms);
        return (await storedRide(server, riding.world, riding.rideId)).status;
      };
      await setDrivers(riding, 'svc', false);
      expect(await statusAfter(10 * MINUTE_MS)).toBe('pending');
      await setDrivers(riding, 'svc', true);
      expect(await statusAfter(11_000)).toBe('accepted');
    });
  });

  describe('setRideTypes', () => {
    test('leaves the city only these ride types, with their cars, times and prices, and repeats them', async () => {
      const { api } = await newStage(server);
      const here = { params: { query: FERRY_BUILDING } };
      const carsOf = async () =>
        (await api.listDrivers(here)).data!.nearby_drivers.find(({ ride_type }) => ride_type === 'svc_plus');
      const detailsOf = async () =>
        (await api.listRideTypes(here)).data!.ride_types.find(({ ride_type }) => ride_type === 'svc_plus');
      const [market, cars, details] = [await marketOf(api), await carsOf(), await detailsOf()];
      const body = { ...FERRY_BUILDING, ride_types: ['svc_plus', 'svc'] };
      expect(await setRideTypes({ api }, ...body.ride_types)).toEqual({ status: 200, body });
      const { rideTypes, primeTime, etas, cars: left, pickups } = await marketOf(api);
      const found = [rideTypes, Object.keys(primeTime), Object.keys(etas), Object.keys(left), pickups];
      expect(found).toEqual(Array(5).fill(['svc', 'svc_plus']));
      expect([etas.svc_plus, await carsOf(), await detailsOf()]).toEqual([market.etas.svc_plus, cars, details]);
    });

    test('refuses rides of a removed ride type, and of any after an empty list', async () => {
      const { api } = await newStage(server);
      const refusal = failure(400, 'ridetype_unavailable_in_region', [{ ride_type: 'is not available here' }]);
      for (const left of [['svc_plus'], []]) {
        await setRideTypes({ api }, ...left);
        expect(answerOf(await api.requestRide({ body: ACROSS_TOWN }))).toEqual(refusal);
      }
      expect((await api.listDrivers({ params: { query: FERRY_BUILDING } })).data).toEqual({ nearby_drivers: [] });
      await setRideTypes({ api }, 'svc_plus');
      expect((await api.requestRide({ body: { ...ACROSS_TOWN, ride_type: 'svc_plus' } })).response.status).toBe(201);
    });

    test.each<Stage>(['pending', 'accepted', 'arrived', 'pickedUp'])(
      'lets a ride that is %s continue to its receipt',
      async (stage) => {
        const riding = await ridingAt(server, stage);
        const { api, params, world } = riding;
        await setRideTypes(riding);
        expect((await api.getRide({ params })).response.status).toBe(200);
        expect((await api.updateDestination({ params, body: MISSION_DOLORES })).response.status).toBe(200);
        expect((await api.setRideStatus({ params, body: { status: 'droppedOff' } })).response.status).toBe(200);
        const tip = { amount: 300, currency: 'USD' };
        expect((await api.rateRide({ params, body: { rating: 5, tip } })).response.status).toBe(204);
        await server.advance(world, MINUTE_MS);
        expect((await api.getReceipt({ params })).data!.price.amount).toBeGreaterThan(300);
      },
    );

    test('lets a ride get its driver, and be canceled for its fee', async () => {
      const riding = await startRiding(server);
      const { api, params } = riding;
      await setRideTypes(riding, 'svc_plus');
      await advanceUntil(server, riding, 'pickedUp');
      const { token, amount } = await feeOf(riding);
      const canceled = await api.cancelRide({ params, body: { cancel_confirmation_token: token } });
      expect(canceled.response.status).toBe(204);
      expect((await api.getReceipt({ params })).data!.price.amount).toBeGreaterThanOrEqual(amount);
    });
  });

  describe('setPrimeTime', () => {
    const costOf = async ({ api }: Api, place = FERRY_BUILDING) => {
      const query = { ...tripBetween(place, { ...place, lat: place.lat + 0.02 }), ride_type: 'svc' };
      return (await api.estimateCost({ params: { query } })).data!.cost_estimates[0]!;
    };
    const percentageFor = async (...who: Parameters<typeof costOf>) => (await costOf(...who)).primetime_percentage;

    test.each([
      ['25%', 1.25],
      ['400%', 5],
    ])('a request must confirm %s, and the ride has that Prime Time', async (percentage, multiplier) => {
      const stage = await newStage(server);
      const { api } = stage;
      expect(await setPrimeTime(stage, percentage)).toEqual(DONE);
      expect(new Set(Object.values((await marketOf(api)).primeTime))).toEqual(new Set([percentage]));
      const { error } = await api.requestRide({ body: ACROSS_TOWN });
      expect(error).toMatchObject({
        error: 'primetime_confirmation_required',
        primetime_percentage: percentage,
        primetime_multiplier: multiplier,
      });
      const ride_id = await requestRideOf(stage, { cost_token: await costTokenOf(stage) });
      const { data } = await api.getRide({ params: { path: { ride_id } } });
      expect(data!.primetime_percentage).toBe(percentage);
    });

    test('is off at every hour until it is set, applies at every hour then, and with null at the hours of the city', async () => {
      const stage = await newStage(server, { at: FRIDAY_RUSH });
      expect(await percentageFor(stage)).toBe('0%');
      await setPrimeTime(stage, null);
      expect(await percentageFor(stage)).toBe('25%');
      await setPrimeTime(stage, '0%');
      expect(await percentageFor(stage)).toBe('0%');
      expect((await stage.api.requestRide({ body: ACROSS_TOWN })).response.status).toBe(201);
      await setPrimeTime(stage, '75%');
      for (const ms of [HOUR_MS, 13 * HOUR_MS, DAY_MS, 4 * DAY_MS]) {
        await server.advance(stage.world, ms);
        expect(await percentageFor(stage)).toBe('75%');
      }
    });

    test('keeps earlier agreements valid: a ride in progress, and a price within its minute', async () => {
      const stage = await newStage(server);
      const riding = await startRiding(server, { world: stage.world });
      const query = { ...tripBetween(), ride_type: 'svc' };
      const { data: cost } = await stage.api.estimateCost({ params: { query } });
      await setPrimeTime(stage, '200%');
      expect((await riding.api.getRide({ params: riding.params })).data!.primetime_percentage).toBe('0%');
      const rideId = await requestRideOf(stage, { cost_token: cost!.cost_estimates[0]!.cost_token! });
      const { data } = await stage.api.getRide({ params: { path: { ride_id: rideId } } });
      expect(data!.primetime_percentage).toBe('0%');
    });

    test('can set two cities at once', async () => {
      const stage = await newStage(server);
      const both = [() => setPrimeTime(stage, '25%'), () => setPrimeTime(stage, '50%', CHICAGO)];
      await Promise.all([...both, ...both].map((set) => set()));
      expect([await percentageFor(stage), await percentageFor(stage, CHICAGO)]).toEqual(['25%', '50%']);
    });
  });
});
