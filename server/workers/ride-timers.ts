import { areaOf } from '../domain/areas.ts';
import { type Passenger, paymentMethodOf } from '../domain/passenger.ts';
import { nextStep, type StepRules, stepRulesOf } from '../domain/rides/steps.ts';
import { type StepContext, takeStep } from '../domain/rides/take-step.ts';
import { realTimeOf, type World } from '../domain/worlds/clock.ts';
import type { Parts } from '../parts.ts';
import { type Cars, freeCarsAt } from '../rides/dispatch.ts';
import { type RideSaver, saveChange } from '../rides/save.ts';
import { knownPassenger } from '../store/passengers.ts';
import { type HeldRide, holdRide } from '../store/rides.ts';
import type { Queries } from '../store/schema.ts';
import { clearTimer, setTimers, type Timer } from '../store/timers.ts';
import type { StepGate } from './step-gate.ts';

export type TimerParts = RideSaver & Cars & Pick<Parts, 'store'> & { readonly steps: StepGate };

/**
 * Takes the step of a ride's timer, at the time when it was due: even after an outage, the ride's times stay correct.
 * Removes a timer that no longer applies.
 * @param realNow the real time by which the world's clock must reach the due time; absent: the clock is being advanced
 */
export async function runRideTimer(parts: TimerParts, timer: Timer, realNow?: number): Promise<void> {
  await parts.store.transaction(async (tx) => {
    const held = await holdRide(tx, timer.worldId, timer.subjectId);
    if (held === undefined) return clearTimer(tx, timer);
    const { ride, world } = held;
    // the clock was set after the claim
    if (realNow !== undefined && !isDueBy(realNow, world, timer)) return setTimers(tx, world, [timer]);
    const rules = stepRulesOf(world, parts.simulationSpeed);
    // just before the due time, so that a matching attempt that is due now counts as the next one
    const due = nextStep(ride, rules, timer.dueAt - 1);
    const isDue = due !== null && due.at <= timer.dueAt;
    const passenger = await knownPassenger(tx, world.id, ride.passengerId);
    const steps = isDue
      ? [takeStep(ride, due.step, due.at, await contextOf(tx, parts, held, passenger, rules, due.at))]
      : [];
    await saveChange(parts, tx, world, ride, steps, { at: timer.dueAt, passenger });
  });
}

function isDueBy(realNow: number, { clock }: World, { dueAt }: Timer): boolean {
  const realDueAt = realTimeOf(clock, dueAt);
  return realDueAt !== null && realDueAt <= realNow;
}

async function contextOf(
  tx: Queries,
  parts: TimerParts,
  held: HeldRide,
  passenger: Passenger,
  rules: StepRules,
  at: number,
): Promise<StepContext> {
  const { ride, world } = held;
  const search = { area: areaOf(parts.geography, ride), point: ride.origin, rideTypes: [ride.rideType], limit: 1 };
  const freeCars = ride.status === 'pending' ? await freeCarsAt(tx, parts, world, at, search) : null;
  return stepContext(parts, { ...held, passenger }, rules, () => freeCars?.(ride.rideType)[0] ?? null);
}

/** What a ride's step depends on. */
export function stepContext(
  { geography, fleetOf }: Cars,
  { ride, world, passenger }: HeldRide & { readonly passenger: Passenger },
  { speed, live }: Pick<StepRules, 'speed' | 'live'>,
  nearestCar: StepContext['nearestCar'],
): StepContext {
  const area = areaOf(geography, ride);
  const fleet = fleetOf(world.seed);
  return {
    ...{ area, seed: world.seed, speed, live, nearestCar },
    driverOf: (driverId) => fleet.driverOf(area, driverId),
    paymentMethod: paymentMethodOf(passenger),
  };
}
