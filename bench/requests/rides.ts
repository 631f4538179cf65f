import { randomBytes } from 'node:crypto';
import { geography } from '../../server/cities/geography.ts';
import { liveId } from '../../server/domain/ids.ts';
import { arrive, dropOff, pickUp } from '../../server/domain/rides/drive.ts';
import { match } from '../../server/domain/rides/match.ts';
import { processPayment } from '../../server/domain/rides/pay.ts';
import { NOTHING_YET, type Ride } from '../../server/domain/rides/ride.ts';
import { HOUR_MS, MINUTE_MS } from '../../server/domain/time.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { FLEET, RIDE_TYPE, tripIn } from './trips.ts';

interface Passenger {
  readonly id: string;
  readonly client: { readonly id: string };
}

export const AREA = geography.areas.find(({ id }) => id === 'san-francisco')!;
/** After this time, the passenger is on board and has not arrived yet. */
const UNDER_WAY_MS = 10 * MINUTE_MS;

/** A ride with its passenger on board. @param busy drivers of other rides */
export function rideUnderWay(passenger: Passenger, now: number, busy: ReadonlySet<string>): Ride {
  return pickedUp(passenger, now - UNDER_WAY_MS, busy);
}

/** A paid ride. */
export function finishedRide(passenger: Passenger, requestedAt: number): Ride {
  const ride = pickedUp(passenger, requestedAt, new Set());
  const ended = dropOff(ride, ride.plan!.trip.endsAt);
  return processPayment(ended, ended.lastEventAt + HOUR_MS, { area: AREA, method: 'Visa ending in 4242' });
}

function pickedUp({ id: passengerId, client }: Passenger, at: number, busy: ReadonlySet<string>): Ride {
  const trip = tripIn(AREA);
  const requested: Ride = {
    ...NOTHING_YET,
    ...{ worldId: LIVE_WORLD.id, id: liveId(at, randomBytes(16)), version: 1, applicationId: client.id, passengerId },
    ...{ status: 'pending', areaId: AREA.id, rideType: RIDE_TYPE, profile: 'personal', primeTimePercent: 0 },
    origin: { ...trip.origin, address: null },
    destination: { ...trip.destination, address: null },
    requestedAt: at,
    lastEventAt: at,
  };
  const accepted = match(requested, at, {
    area: AREA,
    seed: LIVE_WORLD.seed,
    speed: 1,
    live: true,
    nearestCar: ({ origin }, instant) =>
      FLEET.carsNear({ area: AREA, point: origin, at: instant, rideTypes: [RIDE_TYPE], limit: 1, busy })[0] ?? null,
    driverOf: (driverId) => FLEET.driverOf(AREA, driverId),
  });
  if (accepted?.plan == null) throw new Error('There is no car near the pickup.');
  return pickUp(arrive(accepted, accepted.plan.toPickup.endsAt), accepted.plan.trip.startsAt);
}
