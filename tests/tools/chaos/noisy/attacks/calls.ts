import { basic } from '../../../../support/demo-caller.ts';
import type { Attack } from '../attack.ts';
import { NOISY } from '../tenants.ts';
import { bearer, callOf, type RawRequest, sendContinuously } from '../wire.ts';

const CROWD = 64;
const FEW = 4;
const DIGITS = 15_000;
const ITEMS = 10_800;
const BLANKS = 15_000;
const IN_THE_CITY = 'lat=37.7955&lng=-122.3937';

const withToken = (request: RawRequest = {}): RawRequest => ({ ...request, headers: bearer(NOISY.token) });

/** Returns a function that cycles through the calls. */
function inTurn(calls: readonly string[]): () => string {
  let turn = 0;
  return () => calls[turn++ % calls.length]!;
}

export const crowd: Attack = {
  name: 'crowd',
  what: `${CROWD} connections send requests to a sandbox without limits`,
  mostP99Ms: 250,
  run: ({ server }, until) => {
    const calls = inTurn([
      callOf('listRideTypes', withToken({ query: IN_THE_CITY })),
      callOf('listDrivers', withToken({ query: IN_THE_CITY })),
      callOf('createPassenger', withToken({ body: '{}' })),
      callOf('getWorld', withToken()),
    ]);
    return sendContinuously(server.port, CROWD, calls, until);
  },
};

export const quadratic: Attack = {
  name: 'quadratic',
  what: `${FEW} connections send a number of ${DIGITS} digits, a list of ${ITEMS} unique items, and a Content-Type with ${BLANKS} spaces`,
  run: ({ server }, until) => {
    const items = Array.from({ length: ITEMS }, (_, i) => i.toString(36).padStart(3, '-'));
    const blank = { ...bearer(NOISY.token), 'Content-Type': `application/json;${' '.repeat(BLANKS)}x` };
    const calls = inTurn([
      callOf('listRideTypes', withToken({ query: `lat=${'1'.repeat(DIGITS)}x&lng=-122.3937` })),
      callOf('createPassenger', withToken({ body: JSON.stringify({ scopes: items }) })),
      callOf('createPassenger', { headers: blank, body: '{}' }),
    ]);
    return sendContinuously(server.port, FEW, calls, until);
  },
};

/** A flood of calls that the server refuses. @param requests follows `send` in the description */
function flood(name: string, requests: string, call: string): Attack {
  const what = `${CROWD} connections send ${requests}`;
  return { name, what, run: ({ server }, until) => sendContinuously(server.port, CROWD, () => call, until) };
}

export const wrongTokens = flood(
  'wrong-tokens',
  'requests with an unknown token (401)',
  callOf('listRideTypes', { query: IN_THE_CITY, headers: bearer('unknown') }),
);

export const overLimit = flood(
  'over-limit',
  'requests beyond a rate limit (429)',
  callOf('listDrivers', { query: IN_THE_CITY, headers: bearer(NOISY.liveToken) }),
);

export const wrongSecrets = flood(
  'wrong-secrets',
  'requests with a wrong client secret (401)',
  callOf('createToken', {
    headers: basic(NOISY.id, 'guessed'),
    body: JSON.stringify({ grant_type: 'client_credentials', scope: 'public' }),
  }),
);
