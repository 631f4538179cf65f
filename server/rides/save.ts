import { areaOf } from '../domain/areas.ts';
import { paymentMethodOf } from '../domain/passenger.ts';
import { invalidCostToken } from '../domain/pricing/cost-token.ts';
import { eventsBetween } from '../domain/rides/events.ts';
import { processPayment } from '../domain/rides/pay.ts';
import type { Ride } from '../domain/rides/ride.ts';
import { nextStep, stepRulesOf } from '../domain/rides/steps.ts';
import { type World, worldTime } from '../domain/worlds/clock.ts';
import type { Parts } from '../parts.ts';
import { isUniqueViolation } from '../store/engine/errors.ts';
import { markRideTaken } from '../store/passengers.ts';
import { activeRidesOf, insertRide, updateRide } from '../store/rides.ts';
import type { Tx } from '../store/schema.ts';
import { clearTimers, RIDE_TIMER, setTimers } from '../store/timers.ts';
import { saveUnsettledRides } from '../store/unsettled.ts';
import { type HeldWorld, holdWorld, saveSettings } from '../store/worlds.ts';
import { addEvents, type Outbox, type RideChange } from '../webhooks/outbox.ts';
import type { Cars } from './dispatch.ts';

export type RideSaver = Outbox & { readonly simulationSpeed: number };

/**
 * Saves a new ride and its timer. Throws a unique violation (see insertRide), and Refusal
 * `invalid_primetime_confirmation` when another ride has used the cost token.
 */
export async function saveNewRide(
  { simulationSpeed }: Pick<RideSaver, 'simulationSpeed'>,
  tx: Tx,
  world: HeldWorld,
  ride: Ride,
  { at, costTokenId = null }: { readonly at: number; readonly costTokenId?: string | null },
): Promise<void> {
  // both engines check `one_active_ride` first, so the loser of two concurrent requests is refused because of the ride
  await insertRide(tx, ride, costTokenId).catch((error: unknown) => {
    throw isUniqueViolation(error, 'one_ride_per_cost_token') ? invalidCostToken() : error;
  });
  await setRideTimers(tx, world, [ride], at, simulationSpeed);
}

/** Saves a changed ride, its timer, and the events for its application. Throws StaleVersion: see updateRide. */
export async function saveChange(
  parts: RideSaver,
  tx: Tx,
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

/** Charges the passenger's previous ride if it is not paid, even before the payment is due: the next ride begins. */
export async function settlePreviousRide(
  parts: RideSaver & Pick<Cars, 'geography'>,
  tx: Tx,
  world: HeldWorld,
  previous: Ride,
  change: RideChange,
): Promise<void> {
  const payment = { area: areaOf(parts.geography, previous), method: paymentMethodOf(change.passenger) };
  const paid = processPayment(previous, change.at, payment);
  if (paid !== previous) await saveChange(parts, tx, world, previous, [paid], change);
}

/** Rides that get new timers in one transaction. On SQLite, all calls wait for it. @beyond more transactions follow */
export const MOST_RIDES_AT_ONCE = 100;

/**
 * Sets whether a world's rides advance without calls, and whether rate limits apply. Updates the timers of its first
 * rides; settleRides updates the others. Throws WorldGone.
 * @param at world time of the change
 * @returns the changed world, and whether all timers are updated
 */
export async function saveWorldChange(
  parts: Pick<RideSaver, 'simulationSpeed'>,
  tx: Tx,
  before: World,
  change: { readonly [Name in 'autoAdvance' | 'limits']?: boolean | undefined },
  at: number,
): Promise<{ readonly world: World; readonly isSettled: boolean }> {
  const held = await holdWorld(tx, before);
  const { autoAdvance = held.autoAdvance, limits = held.settings.limits } = change;
  const world = { ...held, autoAdvance, settings: { ...held.settings, limits } };
  await saveSettings(tx, world);
  const isSettled = change.autoAdvance === undefined || (await updateTimers(parts, tx, world, '', at));
  return { world, isSettled };
}

/**
 * Updates the timers of more rides after saveWorldChange, with the world's current setting.
 * @param world must be locked before `after` is read: a newer change starts over with the first ride
 */
export async function settleRides(
  parts: Pick<RideSaver, 'simulationSpeed'> & Pick<Parts, 'now'>,
  tx: Tx,
  world: HeldWorld,
  after: string,
): Promise<void> {
  await updateTimers(parts, tx, world, after, worldTime(world.clock, parts.now()));
}

async function updateTimers(
  { simulationSpeed }: Pick<RideSaver, 'simulationSpeed'>,
  tx: Tx,
  world: HeldWorld,
  after: string,
  at: number,
): Promise<boolean> {
  const { rides, hasMore } = await activeRidesOf(tx, world, { after, limit: MOST_RIDES_AT_ONCE });
  await setRideTimers(tx, world, rides, at, simulationSpeed);
  await saveUnsettledRides(tx, world.id, hasMore ? rides.at(-1)!.passengerId : null);
  return !hasMore;
}

async function setRideTimers(
  tx: Tx,
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
