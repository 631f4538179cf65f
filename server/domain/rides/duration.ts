import { SECOND_MS } from '../time.ts';
import { LIVE_WORLD } from '../worlds/live.ts';
import type { Ride } from './ride.ts';

/**
 * Seconds from pickup to drop-off, as the API shows them; null before the drop-off. In a sandbox, they are measured on
 * its clock, which a test advances. Live rides show the driving time at normal speed, because the simulation may run
 * faster. Prices always use the driving time.
 */
export function shownDurationSeconds({ worldId, durationSeconds, pickedUpAt, droppedOffAt }: Ride): number | null {
  if (pickedUpAt === null || droppedOffAt === null) return null;
  return worldId === LIVE_WORLD.id ? durationSeconds : (droppedOffAt - pickedUpAt) / SECOND_MS;
}
