import type { Transaction } from 'kysely';
import type { Ride } from '../domain/rides/ride.ts';
import { nextStep } from '../domain/rides/steps.ts';
import type { World } from '../domain/worlds/clock.ts';
import { stepRulesOf } from '../domain/worlds/step-rules.ts';
import { markRideTaken } from './passengers.ts';
import { insertRide, updateRide } from './rides.ts';
import type { Database } from './schema.ts';
import { clearTimer, setTimer } from './timers.ts';

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

/** Saves what became of a ride, with all that follows from it, in one transaction. Throws StaleVersion: see updateRide. */
export async function saveRideChange(
  tx: Transaction<Database>,
  before: Ride,
  after: Ride,
  change: RideChange,
): Promise<void> {
  if (after !== before) await updateRide(tx, after);
  if (before.status !== 'droppedOff' && after.status === 'droppedOff') {
    await markRideTaken(tx, after.worldId, after.passengerId);
  }
  await setRideTimer(tx, after, change);
}

async function setRideTimer(tx: Transaction<Database>, ride: Ride, { world, speed, at }: RideChange): Promise<void> {
  const due = nextStep(ride, stepRulesOf(world, speed), at);
  if (due === null) await clearTimer(tx, { worldId: world.id, kind: RIDE_TIMER, subjectId: ride.id });
  else await setTimer(tx, world, { kind: RIDE_TIMER, subjectId: ride.id, dueAt: due.at });
}
