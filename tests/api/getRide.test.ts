import { describe, expect, test } from 'vitest';
import type { Ride } from '../../generated/types.ts';
import { metersBetween } from '../../server/domain/geo.ts';
import { SECOND_MS } from '../../server/domain/time.ts';
import { equal } from '../../server/store/equal.ts';
import { insertRide } from '../../server/store/rides.ts';
import { engines } from '../support/database.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { LIVE } from '../support/server.ts';
import { ridingAt } from '../support/stages.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, type Riding, startRiding, timeIn } from '../support/take-ride.ts';

const MOST_METERS_PER_SECOND = 120 / 3.6;
const ANYONE = ['passenger', 'driver', 'dispatcher'];

/** Reads a ride as its passenger. Throws if the ride has another status. */
async function seen<Status extends Ride['status']>({ api, params }: Pick<Riding, 'api' | 'params'>, status: Status) {
  const { data, error } = await api.getRide({ params });
  if (data?.status !== status) throw new Error(`The ride is not ${status}: ${JSON.stringify(data ?? error)}`);
  return data as Extract<Ride, { status: Status }>;
}

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  describe('a ride', () => {
    test('waits for a driver', async () => {
      const riding = await startRiding(server);
      const { response } = await riding.api.getRide({ params: riding.params });
      expect(response.headers.get('x-ratelimit-limit')).toBe('1000');
      expect(await seen(riding, 'pending')).toEqual({
        ride_id: riding.rideId,
        status: 'pending',
        ride_type: 'svc',
        passenger: expect.objectContaining({ user_id: riding.passenger.id, first_name: 'Maya' }),
        origin: { ...FERRY_BUILDING, address: null },
        destination: { ...DOLORES_PARK, address: null },
        primetime_percentage: '0%',
        requested_at: '2026-05-12T18:00:00.000+00:00',
        generated_at: '2026-05-12T18:00:00.000+00:00',
        ride_profile: 'personal',
        pricing_details_url: 'http://localhost:8080/pricing/san-francisco',
        route_url: `http://localhost:8080/routes/${riding.world.id}/${riding.rideId}`,
        can_cancel: ANYONE,
      });
    });

    test('has a driver, and shows when the car arrives', async () => {
      const riding = await startRiding(server);
      const { driver, plan } = await advanceUntil(server, riding, 'accepted');
      const ride = await seen(riding, 'accepted');
      expect(ride.driver).toEqual({
        user_id: driver!.driverId,
        first_name: driver!.firstName,
        image_url: `http://localhost:8080/pictures/people/${driver!.driverId}.svg`,
        rating: expect.stringMatching(/^[0-5]\.\d$/),
        phone_number: expect.stringMatching(/^\+1415555\d{4}$/),
      });
      const { licensePlate, licensePlateState, ...vehicle } = driver!.vehicle;
      expect(ride.vehicle).toEqual({
        ...vehicle,
        license_plate: licensePlate,
        license_plate_state: licensePlateState,
        image_url: expect.stringMatching(/^http:.*\/pictures\/vehicles\/.+\.svg$/),
      });
      expect(ride.beacon_color).toMatch(/^#[0-9A-F]{6}$/i);
      expect(ride.origin.eta_seconds).toBe(Math.ceil(plan!.toPickup.path.at(-1)!.seconds));
      expect(ride.can_cancel).toEqual(ANYONE);
    });

    test('has no bearing and no ETA while the car stands at the pickup', async () => {
      const riding = await ridingAt(server, 'arrived');
      const { location, origin, can_cancel } = await seen(riding, 'arrived');
      expect(location).toEqual({ ...FERRY_BUILDING, bearing: null });
      expect(origin).not.toHaveProperty('eta_seconds');
      expect(can_cancel).toEqual(ANYONE);
    });

    test('has its passenger on board', async () => {
      const riding = await startRiding(server);
      const { pickedUpAt, plan } = await advanceUntil(server, riding, 'pickedUp');
      const ride = await seen(riding, 'pickedUp');
      const time = new Date(pickedUpAt!).toISOString().replace('Z', '+00:00');
      expect(ride.pickup).toEqual({ ...FERRY_BUILDING, address: null, time });
      expect(ride.location).toMatchObject(FERRY_BUILDING);
      expect(ride.destination!.eta_seconds).toBe(Math.ceil(plan!.trip.path.at(-1)!.seconds));
      expect(ride.can_cancel).toEqual(ANYONE);
    });

    test('ends at the place and time of its plan', async () => {
      const riding = await startRiding(server);
      const { plan } = await advanceUntil(server, riding, 'droppedOff');
      const ride = await seen(riding, 'droppedOff');
      const time = new Date(plan!.trip.endsAt).toISOString().replace('Z', '+00:00');
      expect(ride.dropoff).toEqual({ ...DOLORES_PARK, address: null, time });
      expect(ride.can_cancel).toEqual([]);
      expect(ride.generated_at).toBe(time);
    });

    test('keeps its times, and shows the current time as generated_at', async () => {
      const riding = await startRiding(server);
      const { requestedAt, pickedUpAt, droppedOffAt } = await advanceUntil(server, riding, 'droppedOff');
      for (const happens of [() => riding.api.rateRide({ params: riding.params, body: { rating: 5 } }), () => null]) {
        await happens();
        await server.advance(riding.world, 90 * SECOND_MS);
        const ride = await seen(riding, 'droppedOff');
        const instants = [ride.requested_at, ride.pickup.time, ride.dropoff.time, ride.generated_at];
        expect(instants.every((instant) => instant.endsWith('+00:00'))).toBe(true);
        const now = await timeIn(server, riding.world);
        expect(instants.map((instant) => Date.parse(instant))).toEqual([requestedAt, pickedUpAt, droppedOffAt, now]);
      }
    });

    test.each(['accepted', 'paid', 'canceled for a fee'] as const)(
      'that is %s reads the same from an older row',
      async (stage) => {
        const { api, params, world, rideId } = await ridingAt(server, stage);
        const { data: before } = await api.getRide({ params });
        const [{ db }, row] = [server.store, equal({ worldId: world.id, id: rideId })];
        const { document } = await db.selectFrom('rides').select('document').where(row).executeTakeFirstOrThrow();
        // a server that did not have the null fields yet
        const older = JSON.stringify(JSON.parse(document), (_, value) => value ?? undefined);
        await db.updateTable('rides').set({ document: older }).where(row).execute();
        expect((await api.getRide({ params })).data).toEqual(before);
      },
    );
  });
});

describe.each([1, 60])('at speed %i', (speed) => {
  const server = testServer('sqlite', { simulationSpeed: speed });

  test.each(['accepted', 'pickedUp'] as const)('the car has a plausible speed while the ride is %s', async (status) => {
    const riding = await startRiding(server);
    const { plan } = await advanceUntil(server, riding, status);
    const leg = status === 'accepted' ? plan!.toPickup : plan!.trip;
    const STEPS = 20;
    const stepMs = Math.floor((leg.endsAt - leg.startsAt - 1) / STEPS);
    const drivenSeconds = (stepMs * speed) / SECOND_MS;
    let before = etaAndLocation(await seen(riding, status));
    for (let i = 0; i < STEPS; i++) {
      await server.advance(riding.world, stepMs);
      const now = etaAndLocation(await seen(riding, status));
      expect(now.location.bearing).toBeGreaterThanOrEqual(0);
      expect(now.location.bearing).toBeLessThan(360);
      expect(metersBetween(before.location, now.location) / drivenSeconds).toBeLessThan(MOST_METERS_PER_SECOND);
      expect(before.eta - now.eta).toBeGreaterThan(0);
      // the server rounds seconds up
      expect(Math.abs(before.eta - now.eta - drivenSeconds)).toBeLessThanOrEqual(1);
      before = now;
    }
    expect(before.eta).toBeLessThanOrEqual(drivenSeconds);
    const end = status === 'accepted' ? FERRY_BUILDING : DOLORES_PARK;
    expect(metersBetween(before.location, end)).toBeLessThan(drivenSeconds * MOST_METERS_PER_SECOND);
    expect(await timeIn(server, riding.world)).toBeLessThan(leg.endsAt);
  });

  test('duration_seconds follows the clock in a sandbox, and the driving time in the live world', async () => {
    const riding = await startRiding(server);
    const ride = await advanceUntil(server, riding, 'droppedOff');
    const rider = await server.newRider(LIVE);
    await insertRide(server.store.db, { ...ride, worldId: LIVE.id, passengerId: rider.passenger.id });
    const sandboxed = await seen(riding, 'droppedOff');
    const clockMs = Date.parse(sandboxed.dropoff.time) - Date.parse(sandboxed.pickup.time);
    expect(sandboxed.duration_seconds).toBe(Math.round(clockMs / SECOND_MS));
    const drivenSeconds = ride.plan!.trip.path.at(-1)!.seconds;
    expect(Math.abs(clockMs * speed - drivenSeconds * SECOND_MS)).toBeLessThan(speed);
    const live = await seen({ ...rider, params: riding.params }, 'droppedOff');
    expect(live).toMatchObject({ dropoff: sandboxed.dropoff, duration_seconds: Math.round(drivenSeconds) });
  });

  function etaAndLocation(ride: Extract<Ride, { status: 'accepted' | 'pickedUp' }>) {
    const eta = ride.status === 'accepted' ? ride.origin.eta_seconds : ride.destination!.eta_seconds;
    return { eta: eta!, location: ride.location };
  }
});
