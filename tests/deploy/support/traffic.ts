import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Operations } from '../../../client/client.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../../support/places.ts';
import { openSandbox } from '../../support/sandboxes.ts';
import { until } from '../../support/until.ts';

/** Requests a ride, reads it and cancels it. @returns the status of each response, or the error */
async function takeRide(passenger: Operations): Promise<(string | number)[]> {
  try {
    const requested = await passenger.requestRide({
      body: { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' },
    });
    const params = { path: { ride_id: requested.data!.ride_id } };
    const answers = [requested, await passenger.getRide({ params }), await passenger.cancelRide({ params })];
    return answers.map(({ response }) => response.status);
  } catch (error) {
    return [String(error)];
  }
}

/** The results if every request succeeds. A third of them are reads. */
export const NOTHING_LOST = new Set([201, 200, 204]);

/** Leaves connections idle in between, because a restart can close them just as nginx uses them again. */
const BETWEEN_RIDES_MS = 50;

/** Starts passengers in a sandbox who all take one ride after another. @param clientOf makes a client with a token */
export async function startTraffic(clientOf: (token?: string) => Operations, count: number) {
  const { newPassenger } = await openSandbox(clientOf);
  const passengers = await Promise.all(Array.from({ length: count }, newPassenger));
  const results: (string | number)[] = [];
  let isOver = false;
  const rides = passengers.map(async (passenger) => {
    for (; !isOver; await pause(BETWEEN_RIDES_MS)) results.push(...(await takeRide(passenger)));
  });
  return {
    /** Resolves when the passengers have had this many more responses on average. */
    more: async (requests: number) => {
      const enough = results.length + requests * count;
      await until(() => expect(results.length).toBeGreaterThan(enough));
    },
    /** @returns the statuses of the responses, and the errors */
    end: async () => {
      isOver = true;
      await Promise.all(rides);
      return new Set(results);
    },
  };
}
