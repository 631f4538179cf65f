import type { Transaction } from 'kysely';
import type { Ride } from '../domain/rides/ride.ts';
import { nextStep } from '../domain/rides/steps.ts';
import type { World } from '../domain/worlds/clock.ts';
import { stepRulesOf } from '../domain/worlds/step-rules.ts';
import { markRideTaken } from './passengers.ts';
import { activeRidesOf, insertRide, updateRide } from './rides.ts';
import { type Database, flag } from './schema.ts';
import { clearTimer, setTimer } from './timers.ts';
import { holdWorld } from './worlds.ts';

/** The kind of the one timer that a ride has. */
export const RIDE_TIMER = 'ride';

/** What a ride's change is saved with. */
export interface RideChange {
  readonly world: World;
  readonly speed: number;
  /** The world's instant of the change. */
  readonly at: number;
}

/** Saves a new ride and its timer. Throws a unique violation: see insertRide. */
export async function saveNewRide(tx: Transaction<Database>, ride: Ride, change: RideChange): Promise<void> {
  await insertRide(tx, ride);
  await setRideTimer(tx, ride, change);
}

/**
 * Saves what became of a ride, with all that follows from it, in one transaction. Throws StaleVersion: see updateRide.
 *
 * @returns the ride as it is now stored
 */
export async function saveRideChange(
  tx: Transaction<Database>,
  before: Ride,
  after: Ride,
  change: RideChange,
): Promise<Ride> {
  const saved = after === before ? before : await updateRide(tx, after);
  if (before.status !== 'droppedOff' && after.status === 'droppedOff') {
    await markRideTaken(tx, after.worldId, after.passengerId);
  }
  await setRideTimer(tx, saved, change);
  return saved;
}

/**
 * Lets the rides of a world move by themselves from now on, or no longer: each gets the timer that goes with it. Throws WorldGone.
 *
 * @param at the world's instant of the change
 * @returns the world as it is now
 */
export async function saveAutoAdvance(
  tx: Transaction<Database>,
  worldId: string,
  autoAdvance: boolean,
  { speed, at }: Omit<RideChange, 'world'>,
): Promise<World> {
  // rides before their world, as who changes one takes them; those that came in between are found below
  await activeRidesOf(tx, worldId);
  const world = { ...(await holdWorld(tx, worldId)), autoAdvance };
  await tx
    .updateTable('worlds')
    .set({ autoAdvance: flag(autoAdvance) })
    .where('id', '=', worldId)
    .execute();
  for (const ride of await activeRidesOf(tx, worldId)) await setRideTimer(tx, ride, { world, speed, at });
  return world;
}

async function setRideTimer(tx: Transaction<Database>, ride: Ride, { world, speed, at }: RideChange): Promise<void> {
  // whether a sandbox's rides move by themselves may have been changed since it was read
  const rules = stepRulesOf(world.kind === 'live' ? world : await holdWorld(tx, world.id), speed);
  const due = nextStep(ride, rules, at);
  if (due === null) await clearTimer(tx, { worldId: world.id, kind: RIDE_TIMER, subjectId: ride.id });
  else await setTimer(tx, world, { kind: RIDE_TIMER, subjectId: ride.id, dueAt: due.at });
}
