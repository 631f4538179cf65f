import type { HandlersTagged } from '../../../../generated/server.ts';
import { offers } from '../../../domain/areas.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { ServiceArea } from '../../../domain/service-area.ts';
import { withDrivers, withPrimeTime, withRideTypes } from '../../../domain/worlds/city-settings.ts';
import type { WorldSettings } from '../../../domain/worlds/settings.ts';
import type { Parts } from '../../../parts.ts';
import { changeSettings } from '../../../store/worlds.ts';
import type { Caller, Contexts } from '../../caller.ts';
import { servedAt } from '../served.ts';

type Handlers = Pick<HandlersTagged<'Sandbox', Contexts>, 'setPrimeTime' | 'setRideTypes' | 'setDriverAvailability'>;

export function citiesHandlers({ store, geography }: Pick<Parts, 'store' | 'geography'>): Handlers {
  const change = ({ world }: Caller, to: (settings: WorldSettings) => WorldSettings) =>
    store.transaction((tx) => changeSettings(tx, world, to));

  return {
    setPrimeTime: async ({ body, context }, reply) => {
      const { area } = servedAt(geography, body);
      const { primetime_percentage: text } = body;
      const percent = text === null ? null : Number.parseInt(text, 10);
      await change(context, (settings) => withPrimeTime(settings, area, percent));
      return reply(204);
    },

    setRideTypes: async ({ body, context }, reply) => {
      const { area } = servedAt(geography, body);
      assertHas(area, body.ride_types);
      await change(context, (settings) => withRideTypes(settings, area, body.ride_types));
      return reply(200, body);
    },

    setDriverAvailability: async ({ params, body, context }, reply) => {
      const { area } = servedAt(geography, body, params.ride_type);
      await change(context, (settings) => withDrivers(settings, area, params.ride_type, body.driver_availability));
      return reply(204);
    },
  };
}

/** Names unknown ride types by index, because a Refusal repeats no values. Throws `ridetype_unavailable_in_region`. */
function assertHas(area: ServiceArea, rideTypes: readonly string[]): void {
  const strange = rideTypes.flatMap((rideType, index) => (offers(area, rideType) ? [] : [`ride_types[${index}]`]));
  if (strange.length === 0) return;
  const sentence = `${area.name} does not have the ride type in ${strange.join(' or ')}.`;
  const list = area.rideTypes.map(({ rideType }) => rideType).join(', ');
  throw new Refusal('ridetype_unavailable_in_region', sentence, { ride_types: `must be from this list: ${list}` });
}
