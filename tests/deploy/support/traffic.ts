import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Operations } from '../../../generated/client.ts';
import { DEMO } from '../../../server/demo.ts';
import { basic } from '../../support/demo-caller.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../../support/places.ts';
import { FROZEN } from '../../support/sandboxes.ts';
import { until } from '../../support/until.ts';

/** Creates a client of the API. */
type Api = (token?: string) => Operations;

/** Creates a sandbox with a frozen clock, outside Prime Time. @returns its token */
async function newWorld(api: Api): Promise<string> {
  const { data: token } = await api().createToken({
    body: { grant_type: 'client_credentials' },
    headers: basic(DEMO.clientId, DEMO.sandboxClientSecret),
  });
  const { data: world } = await api(token!.access_token).createWorld({ body: { clock: FROZEN } });
  return world!.token.access_token;
}

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

interface Traffic {
  /** Resolves when the passengers have had this many more responses on average. */
  more(requests: number): Promise<void>;
  /** @returns the statuses of the responses, and the errors */
  end(): Promise<ReadonlySet<string | number>>;
}

/** Leaves connections idle in between, because a restart can close them just as nginx uses them again. */
const BETWEEN_RIDES_MS = 50;

/** Starts passengers in a sandbox who all take one ride after another. */
export async function startTraffic(api: Api, count: number): Promise<Traffic> {
  const sandbox = api(await newWorld(api));
  const passengers = await Promise.all(Array.from({ length: count }, () => sandbox.createPassenger({})));
  const results: (string | number)[] = [];
  let isOver = false;
  const rides = passengers.map(async ({ data }) => {
    const passenger = api(data!.token.access_token);
    for (; !isOver; await pause(BETWEEN_RIDES_MS)) results.push(...(await takeRide(passenger)));
  });
  return {
    more: async (requests) => {
      const enough = results.length + requests * count;
      await until(() => expect(results.length).toBeGreaterThan(enough));
    },
    end: async () => {
      isOver = true;
      await Promise.all(rides);
      return new Set(results);
    },
  };
}
