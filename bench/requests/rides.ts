import { randomBytes } from 'node:crypto';
import { geography } from '../../server/cities/geography.ts';
import { driverIds } from '../../server/domain/fleet/driver-id.ts';
import { liveId } from '../../server/domain/ids.ts';
import { arrive, dropOff, pickUp } from '../../server/domain/rides/drive.ts';
import { match } from '../../server/domain/rides/match.ts';
import { processPayment } from '../../server/domain/rides/pay.ts';
import { NOTHING_YET, type Ride } from '../../server/domain/rides/ride.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../server/domain/time.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import type { Store } from '../../server/store/engine/open.ts';
import { insertRide } from '../../server/store/rides.ts';
import type { RideRow } from '../../server/store/schema.ts';
import { FLEET, RIDE_TYPE } from './trips.ts';

export const AREA = geography.areas.find(({ id }) => id === 'san-francisco')!;
/** A trip whose path is about as long as those of most trips in the city. */
const FROM = { lat: 37.7972, lng: -122.4533, address: null };
const TO = { lat: 37.7272, lng: -122.4033, address: null };
/** After this time, the passenger is on board and has not arrived yet. */
const UNDER_WAY_MS = 10 * MINUTE_MS;

/**
 * Returns a function that copies a paid ride, or a ride under way if `requestedAt` is null. A copy has a car that is not
 * on the map, so the cars near a pickup stay free. The times in its document stay the same.
 */
export async function rideCopier(store: Store, now: number) {
  const underWay = await sampleOf(store, pickedUp(now - UNDER_WAY_MS));
  const paid = await sampleOf(store, paidRide(now - DAY_MS));
  const drivers = driverIds(LIVE_WORLD.seed, AREA.id);
  let copies = 0;
  return (passengerId: string, applicationId: string, requestedAt: number | null): RideRow => {
    const { row, ride } = requestedAt === null ? underWay : paid;
    const at = requestedAt ?? row.requestedAt;
    const driverId = drivers.idOf({ row: 0, column: 0, index: copies++ });
    const own = { id: liveId(at, randomBytes(16)), passengerId, applicationId };
    const document = JSON.stringify({ ...ride, ...own, driver: { ...ride.driver, driverId } });
    const finishedAt = row.finishedAt && row.finishedAt + at - row.requestedAt;
    return { ...row, ...own, driverId, requestedAt: at, finishedAt, document };
  };
}

async function sampleOf({ db }: Store, ride: Ride) {
  await insertRide(db, ride);
  return { ride, row: await db.selectFrom('rides').selectAll().where('id', '=', ride.id).executeTakeFirstOrThrow() };
}

function paidRide(at: number): Ride {
  const ride = pickedUp(at);
  const ended = dropOff(ride, ride.plan!.trip.endsAt);
  return processPayment(ended, ended.lastEventAt + HOUR_MS, { area: AREA, method: 'Visa ending in 4242' });
}

/** A ride with its passenger on board. */
function pickedUp(at: number): Ride {
  const id = liveId(at, randomBytes(16));
  const requested: Ride = {
    ...NOTHING_YET,
    ...{ worldId: LIVE_WORLD.id, id, version: 1, applicationId: 'bench-0', passengerId: id, profile: 'personal' },
    ...{ status: 'pending', areaId: AREA.id, rideType: RIDE_TYPE, primeTimePercent: 0 },
    ...{ origin: FROM, destination: TO, requestedAt: at, lastEventAt: at },
  };
  const search = { area: AREA, point: FROM, at, rideTypes: [RIDE_TYPE], limit: 1, busy: new Set<string>() };
  const accepted = match(requested, at, {
    area: AREA,
    seed: LIVE_WORLD.seed,
    speed: 1,
    live: true,
    nearestCar: () => FLEET.carsNear(search)[0] ?? null,
    driverOf: (driverId) => FLEET.driverOf(AREA, driverId),
    method: 'Visa ending in 4242',
  });
  if (accepted?.plan == null) throw new Error('There is no car near the pickup.');
  return pickUp(arrive(accepted, accepted.plan.toPickup.endsAt), accepted.plan.trip.startsAt);
}
