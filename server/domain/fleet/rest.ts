import { MINUTE_MS } from '../time.ts';

/** How long a driver stays off the map after a ride: the car is elsewhere than its place in the fleet says. */
export const DRIVER_REST_MS = 10 * MINUTE_MS;
