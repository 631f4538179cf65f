import type { Fleet } from '../../server/domain/fleet/fleet.ts';
import { simulatedFleet } from '../../server/domain/fleet/simulated-fleet.ts';
import { memoize } from '../../server/memoize.ts';

/** The simulated fleet, with a switch that removes every car. */
export function fleetThatRests() {
  let isResting = false;
  const fleetOf = memoize((seed: string): Fleet => {
    const fleet = simulatedFleet(seed);
    return { ...fleet, carsNear: (query) => (isResting ? [] : fleet.carsNear(query)) };
  }, 20);
  return {
    fleetOf,
    /** Runs `work` while the fleet has no cars. */
    whileItRests: async <T>(work: () => Promise<T>): Promise<T> => {
      isResting = true;
      return work().finally(() => {
        isResting = false;
      });
    },
  };
}
