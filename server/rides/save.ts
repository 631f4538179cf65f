import type { Transaction } from 'kysely';
import { eventsBetween } from '../domain/rides/events.ts';
import type { Ride } from '../domain/rides/ride.ts';
import { nextStep } from '../domain/rides/steps.ts';
import type { World } from '../domain/worlds/clock.ts';
import { stepRulesOf } from '../domain/worlds/step-rules.ts';
import { markRideTaken } from '../store/passengers.ts';
import { activeRidesOf, insertRide, updateRide } from '../store/rides.ts';
import type { Database } from '../store/schema.ts';
import { clearTimers, setTimers } from '../store/timers.ts';
import { type HeldWorld, holdWorld, saveSettings } from '../store/worlds.ts';
import { addEvents, type Outbox, type RideChange } from '../webhooks/outbox.ts';

/** The kind of the one timer that a ride has. */
export const RIDE_TIMER = 'ride';

/** What the changes of rides are saved with. */
export type RideSaver = Outbox & { readonly simulationSpeed: number };

/**
 * Saves a new ride and its timer. Throws a unique violation: see insertRide.
 *
 * @param at the world's instant of the request
 */
export async function saveNewRide(
  { simulationSpeed }: Pick<RideSaver, 'simulationSpeed'>,
  tx: Transaction<Database>,
  world: HeldWorld,
  ride: Ride,
  at: number,
): Promise<void> {
  await insertRide(tx, ride);
  await setRideTimers(tx, world, [ride], at, simulationSpeed);
}

/**
 * Saves a change of a ride with all that follows from it: its row, its timer, and the events that tell its application. Throws StaleVersion:
 * see updateRide.
 *
 * @param steps the ride after each step of the change, in order
 */
export async function saveChange(
  parts: RideSaver,
  tx: Transaction<Database>,
  world: HeldWorld,
  before: Ride,
  steps: readonly Ride[],
  change: RideChange,
): Promise<void> {
  const after = steps.at(-1) ?? before;
  if (after !== before) await updateRide(tx, after);
  if (before.status !== 'droppedOff' && after.status === 'droppedOff' && !change.passenger.hasTakenARide) {
    await markRideTaken(tx, after.worldId, after.passengerId);
  }
  await setRideTimers(tx, world, [after], change.at, parts.simulationSpeed);
  const occurrences = steps.flatMap((ride, i) =>
    eventsBetween(steps[i - 1] ?? before, ride).map((event) => ({ event, ride })),
  );
  await addEvents(parts, tx, world, occurrences, change);
}

/** What can be set about a world as a whole. */
export interface WorldChange {
  readonly autoAdvance?: boolean | undefined;
  readonly limits?: boolean | undefined;
}

/**
 * Sets whether the rides of a world move by themselves, and whether its calls are limited. Each ride gets the timer that goes with it. Throws
 * WorldGone.
 *
 * @param at the world's instant of the change
 * @returns the world as it is now
 */
export async function saveWorldChange(
  { simulationSpeed }: Pick<RideSaver, 'simulationSpeed'>,
  tx: Transaction<Database>,
  before: World,
  change: WorldChange,
  at: number,
): Promise<World> {
  // a change of a ride locks the ride and then its world; the second read finds the rides that came in between
  if (change.autoAdvance !== undefined) await activeRidesOf(tx, before.id);
  const held = await holdWorld(tx, before);
  const { autoAdvance = held.autoAdvance, limits = held.settings.limits } = change;
  const world = { ...held, autoAdvance, settings: { ...held.settings, limits } };
  await saveSettings(tx, world);
  if (change.autoAdvance !== undefined) {
    await setRideTimers(tx, world, await activeRidesOf(tx, world.id), at, simulationSpeed);
  }
  return world;
}

async function setRideTimers(
  tx: Transaction<Database>,
  world: HeldWorld,
  rides: readonly Ride[],
  at: number,
  simulationSpeed: number,
): Promise<void> {
  const rules = stepRulesOf(world, simulationSpeed);
  const due = rides.map((ride) => ({ subjectId: ride.id, dueAt: nextStep(ride, rules, at)?.at ?? null }));
  const timers = due.flatMap(({ subjectId, dueAt }) =>
    dueAt === null ? [] : [{ kind: RIDE_TIMER, subjectId, dueAt }],
  );
  const idle = due.filter(({ dueAt }) => dueAt === null).map(({ subjectId }) => subjectId);
  await setTimers(tx, world, timers);
  await clearTimers(tx, { worldId: world.id, kind: RIDE_TIMER }, idle);
}
