import { MINUTE_MS } from '../time.ts';

/** How long a driver is unavailable after a ride, because the car is not at the position that the fleet computes. */
export const DRIVER_REST_MS = 10 * MINUTE_MS;
