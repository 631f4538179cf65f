import type { HandlersTagged } from '../../../../generated/server.ts';
import { areaOf } from '../../../domain/areas.ts';
import type { Car } from '../../../domain/fleet/fleet.ts';
import { paymentMethodOf } from '../../../domain/passenger.ts';
import { move } from '../../../domain/rides/move.ts';
import type { Ride } from '../../../domain/rides/ride.ts';
import type { StepContext } from '../../../domain/rides/take-step.ts';
import type { ServiceArea } from '../../../domain/service-area.ts';
import type { World } from '../../../domain/worlds/clock.ts';
import type { Parts } from '../../../parts.ts';
import { carOfCity } from '../../../rides/dispatch.ts';
import { ownRide, passengerOf } from '../../../rides/load.ts';
import { saveChange } from '../../../rides/save.ts';
import type { Queries } from '../../../store/schema.ts';
import { holdClock } from '../../../store/worlds.ts';
import type { Contexts, UserCaller } from '../../caller.ts';

export function ridesHandlers(parts: Parts): Pick<HandlersTagged<'Sandbox', Contexts>, 'setRideStatus'> {
  return {
    setRideStatus: async ({ params, body, context }, reply) => {
      const { world, at } = context;
      const { status, canceled_by: canceledBy = null } = body;
      await parts.store.transaction(async (tx) => {
        const ride = await ownRide(tx, context, params.ride_id);
        const moved = move(ride, { status, canceledBy }, at, await contextOf(tx, parts, context, ride));
        let saved = ride;
        for (const next of moved) {
          saved = await saveChange(parts, tx, saved, { ...next, version: saved.version }, { world, at });
        }
      });
      return reply(200, { ride_id: params.ride_id, status });
    },
  };
}

async function contextOf(tx: Queries, parts: Parts, caller: UserCaller, ride: Ride): Promise<StepContext> {
  const { world, at } = caller;
  const area = areaOf(parts.geography, ride);
  const fleet = parts.fleetOf(world.seed);
  const car = ride.status === 'pending' ? await carFor(tx, parts, ride, { world, at, area }) : null;
  return {
    area,
    seed: world.seed,
    speed: parts.simulationSpeed,
    live: false,
    nearestCar: () => car,
    driverOf: (driverId) => fleet.driverOf(area, driverId),
    paymentMethod: paymentMethodOf(await passengerOf(tx, caller)),
  };
}

async function carFor(
  tx: Queries,
  parts: Parts,
  { origin, rideType }: Ride,
  { world, at, area }: { readonly world: World; readonly at: number; readonly area: ServiceArea },
): Promise<Car | null> {
  // rides that are moved at once look for a car one after the other, or they would all find the same one
  await holdClock(tx, world.id);
  return carOfCity(tx, parts, world, at, { area, point: origin, rideType });
}
