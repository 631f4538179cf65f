import { geography } from '../../server/cities/geography.ts';
import { areaAt } from '../../server/domain/areas.ts';
import { simulatedFleet } from '../../server/domain/fleet/simulated-fleet.ts';
import type { Point } from '../../server/domain/geo.ts';
import { arrive, dropOff, pickUp } from '../../server/domain/rides/drive.ts';
import { match } from '../../server/domain/rides/match.ts';
import { processPayment } from '../../server/domain/rides/pay.ts';
import { rate } from '../../server/domain/rides/rate.ts';
import { NOTHING_YET, type Ride } from '../../server/domain/rides/ride.ts';
import { MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';

/** Where the passengers of a bench start. */
export const PICKUP: Point = { lat: 37.7763, lng: -122.3918 };
export const DROP_OFF: Point = { lat: 37.7972, lng: -122.4533 };
const RIDE_TYPE = 'svc';
const REQUESTED_AT = Date.UTC(2026, 0, 5, 20);
const METHOD = 'Visa ending in 4242';
const MANY = 20;
/** Degrees between the samples' places: a few streets. */
const APART = 0.0004;

/** A ride to copy. The copies have different ids, drivers and times. */
export interface SampleRide {
  readonly ride: Ride;
  /** Makes the row's document for a copy. */
  documentOf(copy: Copy): string;
}

export interface Copy extends Pick<Ride, 'id' | 'applicationId' | 'passengerId'> {
  readonly driverId: string;
  /** Milliseconds UTC. */
  readonly requestedAt: number;
}

/** Finished rides: dropped off, rated and paid. */
export function finishedSamples(): SampleRide[] {
  return Array.from({ length: MANY }, (_, index) => {
    const { area, ride } = pickedUp(index, 1);
    const ended = dropOff(ride, ride.plan!.trip.endsAt);
    const rating = { stars: 5, feedback: null, tip: null };
    const rated = rate(ended, rating, ended.lastEventAt + MINUTE_MS, { area, hasRiddenSince: false });
    return sampleOf(processPayment(rated, rated.paymentDueAt!, { area, method: METHOD }));
  });
}

/** Rides with their passenger on board. @param tripMs how long each trip takes, as if in heavy traffic */
export function samplesUnderWay(tripMs: number): SampleRide[] {
  return Array.from({ length: MANY }, (_, index) => {
    const { trip } = pickedUp(index, 1).ride.plan!;
    return sampleOf(pickedUp(index, (trip.endsAt - trip.startsAt) / tripMs).ride);
  });
}

function pickedUp(index: number, speed: number) {
  const [origin, destination] = [PICKUP, DROP_OFF].map(({ lat, lng }) => {
    return { lat: lat - index * APART, lng: lng - index * APART, address: null };
  }) as [Ride['origin'], Ride['origin']];
  const area = areaAt(geography, origin)!;
  const fleet = simulatedFleet(LIVE_WORLD.seed);
  const at = REQUESTED_AT + 2 * SECOND_MS;
  const search = { area, point: origin, at, rideTypes: [RIDE_TYPE], limit: 1, busy: new Set<string>() };
  const requested: Ride = {
    ...NOTHING_YET,
    worldId: LIVE_WORLD.id,
    id: `sample-${index}`,
    version: 6,
    applicationId: '',
    passengerId: '',
    status: 'pending',
    areaId: area.id,
    rideType: RIDE_TYPE,
    profile: 'personal',
    origin,
    destination,
    primeTimePercent: 0,
    requestedAt: REQUESTED_AT,
    lastEventAt: REQUESTED_AT,
  };
  const accepted = match(requested, at, {
    area,
    seed: LIVE_WORLD.seed,
    speed,
    live: false,
    nearestCar: () => fleet.carsNear(search)[0] ?? null,
    driverOf: (driverId) => fleet.driverOf(area, driverId),
  });
  if (accepted === null) throw new Error('There is no car near the pickup.');
  const arrived = arrive(accepted, accepted.plan!.toPickup.endsAt);
  return { area, ride: pickUp(arrived, arrived.plan!.trip.startsAt) };
}

function sampleOf(ride: Ride): SampleRide {
  const { id: _, applicationId: __, passengerId: ___, driver, ...rest } = ride;
  const { driverId: ____, ...driverRest } = driver!;
  // every second part is a timestamp
  const parts = JSON.stringify(rest)
    .slice(1)
    .split(/(?<=":)(\d{13})(?=[,}])/);
  const driverText = JSON.stringify(driverRest).slice(1);
  return {
    ride,
    documentOf: ({ id, applicationId, passengerId, driverId, requestedAt }) => {
      const later = requestedAt - ride.requestedAt;
      const moved = parts.map((part, index) => (index % 2 === 1 ? Number(part) + later : part)).join('');
      return `{"id":"${id}","applicationId":"${applicationId}","passengerId":"${passengerId}","driver":{"driverId":"${driverId}",${driverText},${moved}`;
    },
  };
}
