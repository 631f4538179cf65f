import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Operations } from '../../../generated/client.ts';
import { DEMO } from '../../../server/demo.ts';
import { basic } from '../../support/demo-caller.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../../support/places.ts';
import { until } from '../../support/until.ts';

/** Creates a client of the API. */
export type Api = (token?: string) => Operations;

/** Creates a sandbox with a frozen clock, outside Prime Time. @returns its token */
export async function newWorld(api: Api): Promise<string> {
  const { data: token } = await api().createToken({
    body: { grant_type: 'client_credentials' },
    headers: basic(DEMO.clientId, DEMO.sandboxClientSecret),
  });
  const body = { clock: { state: 'frozen', now: '2026-05-12T18:00:00Z' } } as const;
  const { data: world } = await api(token!.access_token).createWorld({ body });
  return world!.token.access_token;
}

/** @returns a token for a new passenger of a sandbox */
export async function newPassenger(sandbox: Operations): Promise<string> {
  return (await sandbox.createPassenger({})).data!.token.access_token;
}

/** Requests a ride, reads it and cancels it. @returns the status of each response, or the error */
export async function takeRide(passenger: Operations): Promise<(string | number)[]> {
  const body = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };
  const attempt = async <T>(call: Promise<{ data?: T; response: Response }>) => {
    const { data, response } = await call;
    return { data, status: response.status };
  };
  try {
    const requested = await attempt(passenger.requestRide({ body }));
    const params = { path: { ride_id: requested.data!.ride_id } };
    const read = await attempt(passenger.getRide({ params }));
    const canceled = await attempt(passenger.cancelRide({ params }));
    return [requested.status, read.status, canceled.status];
  } catch (error) {
    return [String(error)];
  }
}

/** The tally if every request succeeds. A third of them are reads. */
export const NOTHING_LOST = { 200: expect.any(Number), 201: expect.any(Number), 204: expect.any(Number) };

export interface Traffic {
  /** Resolves when the passengers have had this many more responses on average. */
  more(requests: number): Promise<void>;
  /** @returns the number of responses by status, and of errors by message */
  end(): Promise<Record<string, number>>;
}

/** Leaves connections idle in between, because a restart can close them just as nginx uses them again. */
const BETWEEN_RIDES_MS = 50;

/** Starts passengers in a sandbox who all take one ride after another. */
export async function startTraffic(api: Api, count: number): Promise<Traffic> {
  const sandbox = api(await newWorld(api));
  const passengers = await Promise.all(Array.from({ length: count }, () => newPassenger(sandbox)));
  const results: (string | number)[] = [];
  let isOver = false;
  const rides = passengers.map(async (token) => {
    for (; !isOver; await pause(BETWEEN_RIDES_MS)) results.push(...(await takeRide(api(token))));
  });
  return {
    more: async (requests) => {
      const enough = results.length + requests * count;
      await until(() => expect(results.length).toBeGreaterThan(enough));
    },
    end: async () => {
      isOver = true;
      await Promise.all(rides);
      return tally(results);
    },
  };
}

function tally(results: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const result of results) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}
