import { simulatedFleet } from '../../server/domain/fleet/simulated-fleet.ts';
import type { StepContext } from '../../server/domain/rides/match.ts';
import type { Ride, RideStatus } from '../../server/domain/rides/ride.ts';
import { nextStep, type StepRules } from '../../server/domain/rides/steps.ts';
import { takeStep } from '../../server/domain/rides/take-step.ts';
import { FAKE_AREA } from './fake-area.ts';

export const LIVE: StepRules = { speed: 60, autoAdvance: true, live: true };
export const SANDBOX: StepRules = { speed: 60, autoAdvance: true, live: false };

const SEED = 'fake';
const FLEET = simulatedFleet(SEED);

/** The simulated fleet in the made-up town, with no busy driver. */
export function fakeContext(change: Partial<StepContext> = {}): StepContext {
  return {
    area: FAKE_AREA,
    seed: SEED,
    speed: 60,
    live: false,
    nearestCar: ({ origin: point, rideType }, at) =>
      FLEET.carsNear({ area: FAKE_AREA, point, at, rideTypes: [rideType], limit: 1, busy: new Set() })[0] ?? null,
    driverOf: (driverId) => FLEET.driverOf(FAKE_AREA, driverId),
    method: 'Visa ***1111',
    ...change,
  };
}

/** Makes a ride take its own steps until it has a status. Each step happens when it is due. */
export function driveUntil(ride: Ride, status: RideStatus, context = fakeContext(), rules = SANDBOX): Ride {
  let current = ride;
  let now = ride.lastEventAt;
  for (let steps = 0; current.status !== status; steps++) {
    const due = nextStep(current, rules, now);
    if (due === null || steps > 100) throw new Error(`The ride remains ${current.status}.`);
    now = due.at;
    current = takeStep(current, due.step, due.at, context);
  }
  return current;
}
