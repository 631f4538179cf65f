import { geography } from '../../server/cities/geography.ts';
import { pickupSeconds } from '../../server/domain/fleet/pickup.ts';
import { simulatedFleet } from '../../server/domain/fleet/simulated-fleet.ts';
import type { ServiceArea } from '../../server/domain/service-area.ts';
import { MINUTE_MS } from '../../server/domain/time.ts';
import { type Machine, thisMachine } from './machine.ts';
import { medianOf } from './median.ts';
import type { Options } from './webhooks.ts';

export interface CarsFigures {
  readonly quick: boolean;
  readonly machine: Machine;
  readonly cities: readonly CityFigures[];
  /** The estimates per second in the city with the most cars, divided by those in the city with the fewest. */
  readonly ratio: number;
}

/** Microseconds of CPU time per estimate, the median of the rounds. */
export interface CityFigures {
  readonly cars: number;
  /** The clock advances by a millisecond between estimates. */
  readonly estimate: number;
  /** The clock advances by a minute between estimates, so every nearby car has moved. */
  readonly estimateAMinuteLater: number;
}

const NUMBERS_OF_CARS = [1000, 100_000];
const [CITY] = geography.areas as [ServiceArea];
const PLACE = { lat: 37.7563, lng: -122.4318 };
const MONDAY_MORNING = Date.UTC(2026, 5, 1, 17);
/** How many cars an estimate looks at first. */
const CARS_OF_A_TYPE = 4;
const NOBODY: ReadonlySet<string> = new Set();

/**
 * Measures how the number of cars in a city affects the cost of estimating pickup times for all ride types. It treats
 * every car as free, so it needs no database.
 */
export async function benchCars({ quick, tell }: Options): Promise<CarsFigures> {
  const machine = thisMachine();
  const rounds = quick ? 1 : 15;
  const estimates = quick ? 20 : 2000;
  const cities = NUMBERS_OF_CARS.map((cars) => ({
    cars,
    estimate: estimateIn(cars),
    each: new Map<number, number[]>(),
  }));
  let at = MONDAY_MORNING;
  // the first round computes the cars and warms up
  for (let round = 0; round <= rounds; round++) {
    for (const { estimate, each } of cities) {
      for (const [stepMs, count] of [
        [1, estimates],
        [MINUTE_MS, estimates / 10],
      ] as const) {
        const cpu = cpuOf(() => {
          for (let i = 0; i < count; i++) {
            at += stepMs;
            estimate(at);
          }
        });
        if (round > 0) each.set(stepMs, [...(each.get(stepMs) ?? []), cpu / count]);
      }
    }
    tell(`round ${round} of ${rounds}`);
  }
  const figures = cities.map(({ cars, each }) => ({
    cars,
    estimate: medianOf(each.get(1)!),
    estimateAMinuteLater: medianOf(each.get(MINUTE_MS)!),
  }));
  return { quick, machine, cities: figures, ratio: figures[0]!.estimate / figures.at(-1)!.estimate };
}

export function carsTable({ quick, machine, cities, ratio }: CarsFigures): string {
  return [
    `${quick ? 'quick: these figures mean nothing; ' : ''}${machine.cores} cores, load ${machine.load.toFixed(1)} at the start, node ${machine.node}`,
    '',
    '| cars in the city | CPU µs per estimate | a minute later |',
    '| ---: | ---: | ---: |',
    ...cities.map((city) => `| ${city.cars} | ${city.estimate.toFixed(1)} | ${city.estimateAMinuteLater.toFixed(0)} |`),
    '',
    `rate with the most cars ÷ rate with the fewest: ${ratio.toFixed(2)}`,
  ].join('\n');
}

/** Returns a function that estimates the pickup times of all ride types, in a city with about this many cars. */
function estimateIn(cars: number): (at: number) => void {
  const area = cityWith(cars);
  const fleet = simulatedFleet('bench');
  const rideTypes = area.rideTypes.map(({ rideType }) => rideType);
  return (at) => {
    const cars = fleet.carsNear({ area, point: PLACE, at, rideTypes, limit: CARS_OF_A_TYPE, busy: NOBODY });
    const nearest = rideTypes.map((rideType) => cars.find((car) => car.rideTypes.includes(rideType)));
    for (const car of new Set(nearest)) if (car !== undefined) pickupSeconds(car.position, PLACE, area);
  };
}

function cityWith(cars: number): ServiceArea {
  const everyone = { area: CITY, point: PLACE, at: MONDAY_MORNING, offDuty: true, radiusMeters: 100_000, busy: NOBODY };
  const known = simulatedFleet('bench').carsNear({ ...everyone, limit: Number.POSITIVE_INFINITY }).length;
  const { fleet } = CITY;
  return { ...CITY, fleet: { ...fleet, carsPerSquareKm: (fleet.carsPerSquareKm * cars) / known } };
}

/** Microseconds of CPU time that the work takes. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
