import type { HandlersTagged } from '../../../../generated/server.ts';
import { areaOf } from '../../../domain/areas.ts';
import type { Car } from '../../../domain/fleet/fleet.ts';
import { move } from '../../../domain/rides/move.ts';
import type { Parts } from '../../../parts.ts';
import { type Cars, carNearby, carOfCity, isBusy, type Steps } from '../../../rides/dispatch.ts';
import { holdOwnRide } from '../../../rides/load.ts';
import { type RideSaver, saveChange } from '../../../rides/save.ts';
import { stepContext } from '../../../workers/ride-timers.ts';
import type { Contexts } from '../../caller.ts';

export function sandboxRideHandlers(
  parts: RideSaver & Cars & Steps & Pick<Parts, 'store'>,
): Pick<HandlersTagged<'Sandbox', Contexts>, 'setRideStatus'> {
  const { store, geography, simulationSpeed: speed } = parts;
  return {
    setRideStatus: async ({ params, body, context }, reply) => {
      const { at } = context;
      const { status, canceled_by: canceledBy = null } = body;
      // of the whole city; undefined: not searched yet
      let far: Car | null | undefined;
      for (;;) {
        const waiting = await store.transaction(async (tx) => {
          const own = await holdOwnRide(tx, context, params.ride_id);
          const { ride, world, passenger } = own;
          const search = { area: areaOf(geography, ride), point: ride.origin, rideType: ride.rideType };
          let car: Car | null = null;
          if (ride.status === 'pending') {
            // holdOwnRide has locked the world; otherwise, rides moved concurrently would all get the same car
            car = far ?? (await carNearby(tx, parts, world, at, search));
            if (far === undefined ? car === null : far !== null && (await isBusy(tx, world, far)))
              return { world, search };
          }
          const stepping = stepContext(parts, own, { speed, live: false }, () => car);
          const steps = move(ride, { status, canceledBy }, at, stepping);
          await saveChange(parts, tx, world, ride, steps, { ...context, passenger });
          return null;
        });
        if (waiting === null) return reply(200, { ride_id: params.ride_id, status });
        // not in the transaction, because it pauses
        far = await carOfCity(store.db, parts, waiting.world, at, waiting.search);
      }
    },
  };
}
