import type { HandlersTagged } from '../../../../generated/server.ts';
import type { Parts } from '../../../parts.ts';
import type { AdvanceParts } from '../../../workers/world-clock.ts';
import type { Contexts } from '../../caller.ts';
import { citiesHandlers } from './cities.ts';
import { clockHandlers } from './clock.ts';
import { passengersHandlers } from './passengers.ts';
import { sandboxRideHandlers } from './rides.ts';
import { webhooksHandlers } from './webhooks.ts';
import { worldsHandlers } from './worlds.ts';

export function sandboxHandlers(parts: Parts & AdvanceParts): HandlersTagged<'Sandbox', Contexts> {
  return {
    ...worldsHandlers(parts),
    ...clockHandlers(parts),
    ...passengersHandlers(parts),
    ...sandboxRideHandlers(parts),
    ...citiesHandlers(parts),
    ...webhooksHandlers(parts),
  };
}
