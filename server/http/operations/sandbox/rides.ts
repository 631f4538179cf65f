import type { HandlersTagged } from '../../../../generated/server.ts';
import { areaOf } from '../../../domain/areas.ts';
import type { Car } from '../../../domain/fleet/fleet.ts';
import { move } from '../../../domain/rides/move.ts';
import type { Parts } from '../../../parts.ts';
import { type Cars, carOfCity, isBusy } from '../../../rides/dispatch.ts';
import { holdOwnRide } from '../../../rides/load.ts';
import { type RideSaver, saveChange } from '../../../rides/save.ts';
import { stepContext } from '../../../workers/ride-timers.ts';
import type { Contexts } from '../../caller.ts';

export function sandboxRideHandlers(
  parts: RideSaver & Cars & Pick<Parts, 'store'>,
): Pick<HandlersTagged<'Sandbox', Contexts>, 'setRideStatus'> {
  const { store, geography, simulationSpeed: speed } = parts;
  return {
    setRideStatus: async ({ params, body, context }, reply) => {
      const { at } = context;
      const { status, canceled_by: canceledBy = null } = body;
      // undefined: not searched yet
      let car: Car | null | undefined;
      for (;;) {
        const waiting = await store.transaction(async (tx) => {
          const own = await holdOwnRide(tx, context, params.ride_id);
          const { ride, world, passenger } = own;
          // holdOwnRide has locked the world; otherwise, rides moved concurrently would all get the same car
          if (ride.status === 'pending' && (car === undefined || (car && (await isBusy(tx, world, car))))) return own;
          const stepping = stepContext(parts, own, { speed, live: false }, () => car ?? null);
          const steps = move(ride, { status, canceledBy }, at, stepping);
          await saveChange(parts, tx, world, ride, steps, { ...context, passenger });
          return null;
        });
        if (waiting === null) return reply(200, { ride_id: params.ride_id, status });
        const { ride, world } = waiting;
        const search = { area: areaOf(geography, ride), point: ride.origin, rideType: ride.rideType };
        // not in the transaction, because it pauses
        car = await carOfCity(store.db, parts, world, at, search);
      }
    },
  };
}
