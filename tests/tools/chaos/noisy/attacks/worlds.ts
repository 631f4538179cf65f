import { MINUTE_MS } from '../../../../../server/domain/time.ts';
import type { Attack } from '../attack.ts';
import { addEvents, addRides } from '../big-world.ts';
import { insertClientToken, insertSandbox, NOISY } from '../tenants.ts';
import { bearer, callOf, ended, flatOut } from '../wire.ts';

const SANDBOX = 'noisy-sandbox';
const MANY_RIDES = 2000;
const DUE_TIMERS = 5000;
const SOME_RIDES = 500;
const SECONDS_AT_ONCE = 3600;

export const advance: Attack = {
  name: 'advance',
  what: `advancing a sandbox of ${MANY_RIDES} rides by an hour, again and again`,
  mostP99Ms: 100,
  prepare: ({ store }) => addRides(store, SANDBOX, MANY_RIDES),
  run: ({ server }, until) => {
    const call = callOf('advanceClock', {
      headers: bearer(NOISY.token),
      body: JSON.stringify({ seconds: SECONDS_AT_ONCE }),
    });
    return flatOut(server.port, 1, () => call, until);
  },
};

export const backlog: Attack = {
  name: 'backlog',
  what: `a start with ${DUE_TIMERS} timers that are due`,
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
    return new Map([['due', DUE_TIMERS]]);
  },
};

const PATCHERS = 30;

export const patchWorld: Attack = {
  name: 'patch-world',
  what: `${PATCHERS} connections that change one world of ${SOME_RIDES} rides`,
  mostP99Ms: 250,
  prepare: ({ store }) => addRides(store, SANDBOX, SOME_RIDES),
  run: ({ server }, until) => {
    let turn = 0;
    const next = () =>
      callOf('updateWorld', {
        headers: bearer(NOISY.token),
        body: JSON.stringify({ auto_advance: turn++ % 2 === 0 }),
      });
    return flatOut(server.port, PATCHERS, next, until);
  },
};

const BIG_WORLDS = 2;
const tokenOf = (world: number) => `token-of-big-world-${world}`;

export const bigWorlds: Attack = {
  name: 'big-worlds',
  what: `resetting and deleting ${BIG_WORLDS} worlds of ${MANY_RIDES} rides and as many events`,
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
    return flatOut(server.port, 1, next, until);
  },
};
