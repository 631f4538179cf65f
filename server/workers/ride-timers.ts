import { areaOf } from '../domain/areas.ts';
import { paymentMethodOf } from '../domain/passenger.ts';
import type { Ride } from '../domain/rides/ride.ts';
import { nextStep, type StepRules } from '../domain/rides/steps.ts';
import { takeStep } from '../domain/rides/take-step.ts';
import type { World } from '../domain/worlds/clock.ts';
import { stepRulesOf } from '../domain/worlds/step-rules.ts';
import type { Parts } from '../parts.ts';
import { freeCarsAt } from '../rides/dispatch.ts';
import { saveChange } from '../rides/save.ts';
import { knownPassenger } from '../store/passengers.ts';
import { findRide } from '../store/rides.ts';
import type { Queries } from '../store/schema.ts';
import { clearTimer, type Timer } from '../store/timers.ts';
import { findWorld } from '../store/worlds.ts';

/**
 * Moves a ride on by the step that its timer is for, as of the instant it was due: a server that was down catches up
 * without bending the ride's times. A timer that has become void is removed.
 */
export async function runRideTimer(parts: Parts, timer: Timer): Promise<void> {
  await parts.store.transaction(async (tx) => {
    // the ride first, which is then held: whether it moves by itself is not changed until it is saved
    const ride = await findRide(tx, timer.worldId, timer.subjectId);
    const world = await findWorld(tx, timer.worldId);
    if (world === undefined || ride === undefined) {
      await clearTimer(tx, timer);
      return;
    }
    const rules = stepRulesOf(world, parts.simulationSpeed);
    // asked as of just before it was due, so that the attempt that is due now is the next one
    const due = nextStep(ride, rules, timer.dueAt - 1);
    const isDue = due !== null && due.at <= timer.dueAt;
    const after = isDue
      ? takeStep(ride, due.step, due.at, await contextOf(tx, parts, world, rules, ride, due.at))
      : ride;
    await saveChange(parts, tx, ride, after, { world, at: timer.dueAt });
  });
}

async function contextOf(tx: Queries, parts: Parts, world: World, rules: StepRules, ride: Ride, at: number) {
  const area = areaOf(parts.geography, ride);
  const fleet = parts.fleetOf(world.seed);
  const carsNear = await freeCarsAt(tx, parts, world, at);
  const passenger = await knownPassenger(tx, world.id, ride.passengerId);
  return {
    area,
    seed: world.seed,
    speed: rules.speed,
    live: rules.live,
    nearestCar: ({ origin, rideType }: Ride) => carsNear({ area, point: origin, rideType, limit: 1 })[0] ?? null,
    driverOf: (driverId: string) => fleet.driverOf(area, driverId),
    paymentMethod: paymentMethodOf(passenger),
  };
}
