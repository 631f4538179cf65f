import type { Operations } from '../../client/client.ts';
import { DOLORES_PARK, MISSION_DOLORES } from './places.ts';

/** Requests a short live ride at the current time of day, with or without Prime Time. @returns its id */
export async function requestRideNow(api: Operations): Promise<string> {
  const body = { origin: DOLORES_PARK, destination: MISSION_DOLORES, ride_type: 'svc' };
  const first = await api.requestRide({ body });
  const costToken =
    first.error?.error === 'primetime_confirmation_required' ? { cost_token: first.error.cost_token } : undefined;
  const { data, error } = costToken ? await api.requestRide({ body: { ...body, ...costToken } }) : first;
  if (data === undefined) throw new Error(`requestRide failed: ${JSON.stringify(error)}`);
  return data.ride_id;
}
