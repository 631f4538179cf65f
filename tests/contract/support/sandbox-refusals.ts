import type { FailureCode } from '../../../generated/server.ts';
import { geography } from '../../../server/cities/geography.ts';
import { newLivePassenger } from '../../support/oauth.ts';
import { acceptedCall } from '../../support/operation-facts.ts';
import type { SandboxId } from '../../support/operations.ts';
import { defaultToken } from '../../support/sandboxes.ts';
import { LIVE } from '../../support/server.ts';
import type { Stage } from './refusals-stage.ts';
import {
  accepted,
  bearer,
  bodyOf,
  oneRide,
  type Recipe,
  sender,
  UNKNOWN_PARAMETER,
  withToken,
} from './shared-recipes.ts';

/** The same call with a token of the live world. */
const live = (operation: SandboxId): { readonly sandbox_only: Recipe } => ({
  sandbox_only: async (stage) => {
    const { passenger } = await acceptedCall(operation, stage.server);
    const live = passenger && { passenger: await newLivePassenger(stage.server) };
    return withToken(operation, { world: LIVE, ...live })(stage);
  },
});

/** The body that is accepted, and a field that nobody knows. */
const withStranger =
  (operation: SandboxId): Recipe =>
  async ({ server }) => {
    const call = await acceptedCall(operation, server);
    const body = bodyOf({ ...JSON.parse(String(call.body)), surprise: 1 });
    return { ...call, ...body, detail: UNKNOWN_PARAMETER.detail };
  };

const reader = (operation: SandboxId) => ({
  ...bearer(operation),
  ...live(operation),
  bad_parameter: accepted(operation, UNKNOWN_PARAMETER),
});

const writer = (operation: SandboxId) => ({
  ...sender(operation),
  ...live(operation),
  bad_parameter: withStranger(operation),
});

/** At a place of the city. */
const conditions = (operation: SandboxId, body: object) => ({
  ...writer(operation),
  no_service_in_area: accepted(operation, bodyOf({ ...body, lat: 37.75, lng: -122.8 })),
});

const IN_SAN_FRANCISCO = rideTypesIn('san-francisco').join(', ');

const DEFAULT_WORLD = async ({ server }: Stage) => ({ token: await defaultToken(server) });

function rideTypesIn(areaId: string): string[] {
  return geography.areas.find(({ id }) => id === areaId)!.rideTypes.map(({ rideType }) => rideType);
}

/** How each control of a sandbox comes to refuse with each code that the contract gives it. */
export const SANDBOX_REFUSALS = {
  setRideStatus: {
    ...sender('setRideStatus'),
    ...oneRide('setRideStatus'),
    ...live('setRideStatus'),
    bad_parameter: accepted('setRideStatus', {
      ...bodyOf({ status: 'pending' }),
      detail: [{ status: 'must be one of: accepted, arrived, pickedUp, droppedOff, canceled, unknown' }],
    }),
  },
  setPrimeTime: conditions('setPrimeTime', { primetime_percentage: '25%' }),
  setRideTypes: {
    ...conditions('setRideTypes', { ride_types: [] }),
    ridetype_unavailable_in_region: accepted('setRideTypes', {
      ...bodyOf({ lat: 37.7955, lng: -122.3937, ride_types: ['svc_luxsuv'] }),
      detail: [{ ride_types: `must be among: ${IN_SAN_FRANCISCO}` }],
    }),
  },
  setDriverAvailability: {
    ...conditions('setDriverAvailability', { driver_availability: false }),
    ridetype_unavailable_in_region: accepted('setDriverAvailability', {
      path: { ride_type: 'svc_luxsuv' },
      detail: [{ ride_type: 'is not offered here' }],
    }),
  },
  createWorld: writer('createWorld'),
  getWorld: reader('getWorld'),
  updateWorld: writer('updateWorld'),
  deleteWorld: { ...reader('deleteWorld'), world_is_default: DEFAULT_WORLD },
  resetWorld: reader('resetWorld'),
  createPassenger: writer('createPassenger'),
  updatePassenger: writer('updatePassenger'),
  getClock: reader('getClock'),
  setClock: writer('setClock'),
  advanceClock: writer('advanceClock'),
  setWebhooks: writer('setWebhooks'),
  listEvents: reader('listEvents'),
  resendEvent: {
    ...reader('resendEvent'),
    event_not_found: accepted('resendEvent', { path: { event_id: 'no-such-event' } }),
  },
} satisfies { readonly [Op in SandboxId]: { readonly [Code in FailureCode<Op>]: Recipe } };
