import { MINUTE_MS } from '../time.ts';

/** How long a driver is unavailable after a ride, because the car is not where the fleet computes it to be. */
export const DRIVER_REST_MS = 10 * MINUTE_MS;
