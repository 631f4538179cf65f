import type { HandlersTagged } from '../../generated/server.ts';
import type { Contexts } from '../http/caller.ts';
import type { Parts } from '../parts.ts';
import { clockHandlers } from './clock.ts';
import { conditionsHandlers } from './conditions.ts';
import { passengersHandlers } from './passengers.ts';
import { ridesHandlers } from './rides.ts';
import { webhooksHandlers } from './webhooks.ts';
import { worldsHandlers } from './worlds.ts';

/** Every control of a sandbox. */
export function sandboxHandlers(parts: Parts): HandlersTagged<'Sandbox', Contexts> {
  return {
    ...worldsHandlers(parts),
    ...clockHandlers(parts),
    ...passengersHandlers(parts),
    ...ridesHandlers(parts),
    ...conditionsHandlers(parts),
    ...webhooksHandlers(parts),
  };
}
