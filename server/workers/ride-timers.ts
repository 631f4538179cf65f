import { areaOf } from '../domain/areas.ts';
import { type Passenger, paymentMethodOf } from '../domain/passenger.ts';
import type { StepContext } from '../domain/rides/match.ts';
import { nextStep, type StepRules, stepRulesOf } from '../domain/rides/steps.ts';
import { takeStep } from '../domain/rides/take-step.ts';
import { realTimeOf } from '../domain/worlds/clock.ts';
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
 * @param realNow the real time by which the world's clock must reach the due time; absent: the clock is being advanced by a
 *   call, which tries again if a row is locked
 */
export async function runRideTimer(parts: TimerParts, timer: Timer, realNow?: number): Promise<void> {
  await parts.store.transaction(
    async (tx) => {
      const held = await holdRide(tx, timer.worldId, timer.subjectId);
      if (held === undefined) return clearTimer(tx, timer);
      const { ride, world } = held;
      // the clock was set after the claim
      const realDueAt = realTimeOf(world.clock, timer.dueAt);
      if (realNow !== undefined && (realDueAt === null || realDueAt > realNow)) return setTimers(tx, world, [timer]);
      const rules = stepRulesOf(world, parts.simulationSpeed);
      // just before the due time, so that a matching attempt that is due now counts as the next one
      const due = nextStep(ride, rules, timer.dueAt - 1);
      const isDue = due !== null && due.at <= timer.dueAt;
      const passenger = await knownPassenger(tx, world.id, ride.passengerId);
      const car = isDue && ride.status === 'pending' ? await nearestCar(tx, parts, held, due.at) : null;
      const context = () => stepContext(parts, { ...held, passenger }, rules, () => car);
      const steps = isDue ? [takeStep(ride, due.step, due.at, context())] : [];
      await saveChange(parts, tx, world, ride, steps, { at: timer.dueAt, passenger });
    },
    realNow === undefined ? 'briefly' : undefined,
  );
}

async function nearestCar(tx: Queries, parts: TimerParts, { ride, world }: HeldRide, at: number) {
  const search = { area: areaOf(parts.geography, ride), point: ride.origin, rideTypes: [ride.rideType], limit: 1 };
  const freeCars = await freeCarsAt(tx, parts, world, at, search);
  return freeCars(ride.rideType)[0] ?? null;
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
    method: paymentMethodOf(passenger),
  };
}
