import type { Transaction } from 'kysely';
import { eventsBetween } from '../domain/rides/events.ts';
import type { Ride } from '../domain/rides/ride.ts';
import { nextStep } from '../domain/rides/steps.ts';
import type { World } from '../domain/worlds/clock.ts';
import { stepRulesOf } from '../domain/worlds/step-rules.ts';
import { markRideTaken } from '../store/passengers.ts';
import { activeRidesOf, insertRide, updateRide } from '../store/rides.ts';
import type { Database } from '../store/schema.ts';
import { clearTimer, setTimer } from '../store/timers.ts';
import { holdWorld, updateAutoAdvance } from '../store/worlds.ts';
import { addEvents, type Outbox } from '../webhooks/outbox.ts';

/** The kind of the one timer that a ride has. */
export const RIDE_TIMER = 'ride';

/** What the changes of rides are saved with. */
export type RideSaver = Outbox & { readonly simulationSpeed: number };

/** When a ride changes. */
export interface RideChange {
  readonly world: World;
  /** The world's instant of the change. */
  readonly at: number;
}

/** Saves a new ride and its timer. Throws a unique violation: see insertRide. */
export async function saveNewRide(
  { simulationSpeed }: Pick<RideSaver, 'simulationSpeed'>,
  tx: Transaction<Database>,
  ride: Ride,
  change: RideChange,
): Promise<void> {
  await insertRide(tx, ride);
  await setRideTimer(tx, ride, change, simulationSpeed);
}

/**
 * Saves a ride's change with all that follows from it: its row, its timer, and the events that tell its application. Throws StaleVersion:
 * see updateRide.
 *
 * @returns the ride as it is now stored
 */
export async function saveChange(
  parts: RideSaver,
  tx: Transaction<Database>,
  before: Ride,
  after: Ride,
  change: RideChange,
): Promise<Ride> {
  const saved = after === before ? before : await updateRide(tx, after);
  if (before.status !== 'droppedOff' && after.status === 'droppedOff') {
    await markRideTaken(tx, after.worldId, after.passengerId);
  }
  await setRideTimer(tx, saved, change, parts.simulationSpeed);
  await addEvents(parts, tx, after, eventsBetween(before, after), change);
  return saved;
}

/**
 * Turns on or off that the rides of a world move by themselves: each gets the timer that goes with it. Throws WorldGone.
 *
 * @param at the world's instant of the change
 * @returns the world as it is now
 */
export async function saveAutoAdvance(
  { simulationSpeed }: Pick<RideSaver, 'simulationSpeed'>,
  tx: Transaction<Database>,
  worldId: string,
  autoAdvance: boolean,
  at: number,
): Promise<World> {
  // rides before their world, in the order in which a change of a ride locks them; the second read finds those that came in between
  await activeRidesOf(tx, worldId);
  const world = { ...(await holdWorld(tx, worldId)), autoAdvance };
  await updateAutoAdvance(tx, worldId, autoAdvance);
  for (const ride of await activeRidesOf(tx, worldId)) await setRideTimer(tx, ride, { world, at }, simulationSpeed);
  return world;
}

async function setRideTimer(
  tx: Transaction<Database>,
  ride: Ride,
  { world, at }: RideChange,
  simulationSpeed: number,
): Promise<void> {
  // auto_advance of a sandbox may have changed since the world was read
  const rules = stepRulesOf(world.kind === 'live' ? world : await holdWorld(tx, world.id), simulationSpeed);
  const due = nextStep(ride, rules, at);
  if (due === null) await clearTimer(tx, { worldId: world.id, kind: RIDE_TIMER, subjectId: ride.id });
  else await setTimer(tx, world, { kind: RIDE_TIMER, subjectId: ride.id, dueAt: due.at });
}
