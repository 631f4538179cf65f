import { MINUTE_MS } from '../../../../../server/domain/time.ts';
import type { Attack } from '../attack.ts';
import { addEvents, addRides } from '../big-world.ts';
import { insertClientToken, insertSandbox, NOISY } from '../tenants.ts';
import { bearer, callOf, ended, sendContinuously } from '../wire.ts';

const MANY_RIDES = 2000;
const DUE_TIMERS = 5000;
const SOME_RIDES = 500;
const SECONDS_AT_ONCE = 3600;

export const advance: Attack = {
  name: 'advance',
  what: `one connection repeatedly advances a sandbox with ${MANY_RIDES} rides by an hour`,
  mostP99Ms: 100,
  prepare: ({ store }) => addRides(store, NOISY.sandbox, MANY_RIDES),
  run: ({ server }, until) => {
    const body = JSON.stringify({ seconds: SECONDS_AT_ONCE });
    const call = callOf('advanceClock', { headers: bearer(NOISY.token), body });
    return sendContinuously(server.port, 1, () => call, until);
  },
};

export const backlog: Attack = {
  name: 'backlog',
  what: `the server starts with ${DUE_TIMERS} due timers`,
  mostP99Ms: 100,
  begin: ({ restart }) =>
    restart(async (store) => {
      const at = Date.now() - MINUTE_MS;
      const clock = { realAnchor: at, worldAnchor: at, running: true };
      await insertSandbox(store, 'backlog', NOISY.id, { clock });
      await addRides(store, 'backlog', DUE_TIMERS);
    }),
  run: async (_scene, until) => {
    await ended(until);
    return new Map([['due timers', DUE_TIMERS]]);
  },
};

const PATCHERS = 30;

export const patchWorld: Attack = {
  name: 'patch-world',
  what: `${PATCHERS} connections change the settings of one world with ${SOME_RIDES} rides`,
  mostP99Ms: 250,
  prepare: ({ store }) => addRides(store, NOISY.sandbox, SOME_RIDES),
  run: ({ server }, until) => {
    let turn = 0;
    const body = () => JSON.stringify({ auto_advance: turn++ % 2 === 0 });
    const next = () => callOf('updateWorld', { headers: bearer(NOISY.token), body: body() });
    return sendContinuously(server.port, PATCHERS, next, until);
  },
};

const BIG_WORLDS = 2;
const tokenOf = (world: number) => `token-of-big-world-${world}`;

export const bigWorlds: Attack = {
  name: 'big-worlds',
  what: `one connection resets one world and deletes another, each with ${MANY_RIDES} rides and ${MANY_RIDES} events`,
  prepare: async ({ store }) => {
    for (let world = 0; world < BIG_WORLDS; world++) {
      const { id, clock } = await insertSandbox(store, `big-world-${world}`, NOISY.id);
      await insertClientToken(store, tokenOf(world), NOISY.id, id);
      await addRides(store, id, MANY_RIDES);
      // the clock is frozen and they are due in a year, so they are never sent
      await addEvents(store, id, { count: MANY_RIDES, dueAt: () => clock.worldAnchor + 365 * 24 * 60 * MINUTE_MS });
    }
  },
  run: ({ server }, until) => {
    let turn = 0;
    // the first world is reset and the second one deleted; later calls find little to do
    const next = () => {
      const operation = turn % BIG_WORLDS === 0 ? 'resetWorld' : 'deleteWorld';
      return callOf(operation, { headers: { ...bearer(tokenOf(turn++ % BIG_WORLDS)), 'Content-Length': '0' } });
    };
    return sendContinuously(server.port, 1, next, until);
  },
};
