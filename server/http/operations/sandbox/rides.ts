import type { HandlersTagged } from '../../../../generated/server.ts';
import { areaOf } from '../../../domain/areas.ts';
import { move } from '../../../domain/rides/move.ts';
import type { StepContext } from '../../../domain/rides/take-step.ts';
import type { Parts } from '../../../parts.ts';
import { type Cars, carOfCity } from '../../../rides/dispatch.ts';
import { holdOwnRide, type OwnRide } from '../../../rides/load.ts';
import { type RideSaver, saveChange } from '../../../rides/save.ts';
import type { Queries } from '../../../store/schema.ts';
import { stepContext } from '../../../workers/ride-timers.ts';
import type { Contexts } from '../../caller.ts';

export function sandboxRideHandlers(
  parts: RideSaver & Cars & Pick<Parts, 'store'>,
): Pick<HandlersTagged<'Sandbox', Contexts>, 'setRideStatus'> {
  return {
    setRideStatus: async ({ params, body, context }, reply) => {
      const { at } = context;
      const { status, canceled_by: canceledBy = null } = body;
      await parts.store.transaction(async (tx) => {
        const own = await holdOwnRide(tx, context, params.ride_id);
        const steps = move(own.ride, { status, canceledBy }, at, await contextOf(tx, parts, own, at));
        await saveChange(parts, tx, own.world, own.ride, steps, { ...context, passenger: own.passenger });
      });
      return reply(200, { ride_id: params.ride_id, status });
    },
  };
}

async function contextOf(
  tx: Queries,
  parts: RideSaver & Cars & Pick<Parts, 'store'>,
  own: OwnRide,
  at: number,
): Promise<StepContext> {
  const search = { area: areaOf(parts.geography, own.ride), point: own.ride.origin, rideType: own.ride.rideType };
  // holdOwnRide has locked the world; otherwise, rides moved concurrently would all get the same car
  const car = own.ride.status === 'pending' ? await carOfCity(tx, parts, own.world, at, search) : null;
  return stepContext(parts, own, { speed: parts.simulationSpeed, live: false }, () => car);
}
