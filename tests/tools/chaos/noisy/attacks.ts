import { gzipSync } from 'node:zlib';
import { createClient } from '../../../../client/client.ts';
import { MAX_BODY_BYTES } from '../../../../generated/server.ts';
import { MINUTE_MS, SECOND_MS } from '../../../../server/domain/time.ts';
import { LIVE_WORLD } from '../../../../server/domain/worlds/live.ts';
import { SOUND_WEBHOOKS } from '../../../../server/domain/worlds/settings.ts';
import { CONSENT_PATHS } from '../../../../server/links.ts';
import { hashPassword } from '../../../../server/oauth/passwords.ts';
import { MOST_ATTEMPTS_KEPT } from '../../../../server/store/deliveries/record.ts';
import type { Store } from '../../../../server/store/engine/open.ts';
import { insertPassengerIfAbsent } from '../../../../server/store/passengers.ts';
import { MOST_BYTES_KEPT } from '../../../../server/webhooks/delivery/answer.ts';
import { passenger } from '../../../store/samples.ts';
import { ACROSS_TOWN } from '../../../support/accepted-calls.ts';
import { newcomer } from '../../../support/consent.ts';
import { basic } from '../../../support/demo-caller.ts';
import type { Attack, Scene } from './attack.ts';
import { addEvents, addRides } from './big-world.ts';
import { plannedEvents } from './receiver.ts';
import { insertClientToken, insertSandbox, NOISY } from './tenants.ts';
import { callOf, count, ended, holdConnections, requestOf, sendContinuously, type Tally } from './wire.ts';

const DOCUMENTS = ['/openapi.json', '/openapi.yaml'].map((path) => requestOf('GET', path));
const IN_THE_CITY = 'lat=37.7955&lng=-122.3937';
const CROWD = 64;
const FEW = 4;

const UNREAD_CONNECTIONS = 10;
const UNREAD_REQUESTS = 1000;
const SLOW_CONNECTIONS = 2000;
const READ_EVERY_MS = 1000;
const MANY_RIDES = 2000;
const SOME_RIDES = 500;
const SECONDS_AT_ONCE = 3600;
const DUE_TIMERS = 5000;
const DIGITS = 15_000;
const ITEMS = 10_800;
const BLANKS = 15_000;
const EVENTS = 100;
const ANSWER = '"'.repeat(MOST_BYTES_KEPT);
const BACK_WITHIN_MS = 10 * SECOND_MS;
const VISITORS = 50;
const PASSWORD = 'correct horse battery staple';
const PATCHERS = 30;
const BIG_WORLDS = ['big-world-0', 'big-world-1'] as const;
const HANGING_EVENTS = 300;
const HANGING_WORLD = 'hanging';
const POURED_EVENTS = 4000;
const POURING_WORLD = 'pouring';
const CREATORS = 16;
/** They are as large as the server allows once it has inflated them, and one byte larger. */
const BOMBS = [MAX_BODY_BYTES, MAX_BODY_BYTES + 1].map((size) => gzipSync(Buffer.alloc(size, ' ')));
/** It claims 16 MB. */
const BROTLI_BOMB = Buffer.from('cfffffff613d', 'hex');
const FORM = 'application/x-www-form-urlencoded';

const emailOf = (visitor: number) => `guest-${visitor}@example.com`;
const tokenOf = (worldId: string) => `token-of-${worldId}`;

/** Repeats calls in turn, on this many connections. */
const sending =
  (connections: number, ...calls: readonly string[]): Attack['run'] =>
  ({ server }, until) =>
    sendContinuously(server.port, connections, calls, until);

/** In the order of docs/performance.md. */
export const ATTACKS: readonly Attack[] = [
  {
    // requests are small and documents are large, so a client that reads nothing makes the server hold all documents
    name: 'unread',
    what: `${UNREAD_CONNECTIONS} connections pipeline ${UNREAD_REQUESTS} requests for documents each, and read no response`,
    mostDescriptors: 500,
    mostMegabytes: 1000,
    run: ({ server }, until) =>
      holdConnections(server.port, UNREAD_CONNECTIONS, until, (socket) => {
        socket.pause();
        socket.write(DOCUMENTS.join('').repeat(UNREAD_REQUESTS / DOCUMENTS.length), 'latin1');
      }),
  },
  {
    name: 'slow-readers',
    what: `${SLOW_CONNECTIONS} connections request a document and read one byte a second`,
    mostDescriptors: SLOW_CONNECTIONS + 500,
    mostMegabytes: 1000,
    run: async ({ server }, until) => {
      const sockets = new Set<{ resume(): unknown }>();
      const readOn = setInterval(() => {
        for (const socket of sockets) socket.resume();
      }, READ_EVERY_MS);
      void ended(until).then(() => clearInterval(readOn));
      const ask = (socket: { resume(): unknown; write(text: string): unknown }) => {
        socket.write(DOCUMENTS[sockets.size % DOCUMENTS.length]!);
        sockets.add(socket);
      };
      // the buffer has room for one byte, and false pauses the socket after each read, until `readOn` resumes it
      const onread = { buffer: new Uint8Array(1), callback: () => false };
      return holdConnections(server.port, SLOW_CONNECTIONS, until, ask, { onread });
    },
  },
  {
    name: 'advance',
    what: `one connection repeatedly advances a sandbox with ${MANY_RIDES} rides by an hour`,
    mostP99Ms: 100,
    prepare: (store) => addRides(store, NOISY.sandbox, MANY_RIDES),
    run: sending(1, callOf('advanceClock', NOISY.token, { body: { seconds: SECONDS_AT_ONCE } })),
  },
  {
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
  },
  {
    name: 'quadratic',
    what: `${FEW} connections send a number of ${DIGITS} digits, a list of ${ITEMS} unique items, and a Content-Type with ${BLANKS} spaces`,
    run: sending(
      FEW,
      callOf('listRideTypes', NOISY.token, { query: `lat=${'1'.repeat(DIGITS)}x&lng=-122.3937` }),
      callOf('createPassenger', NOISY.token, {
        body: { scopes: Array.from({ length: ITEMS }, (_, i) => i.toString(36).padStart(3, '-')) },
      }),
      callOf('createPassenger', NOISY.token, {
        headers: { 'Content-Type': `application/json;${' '.repeat(BLANKS)}x` },
        body: {},
      }),
    ),
  },
  {
    name: 'resends',
    what: `${FEW} connections list ${EVENTS} events; each has ${MOST_ATTEMPTS_KEPT} attempts with responses of ${ANSWER.length} bytes, the maximum`,
    mostMegabytes: 1000,
    prepare: async (store) => {
      const ids = await addEvents(store, NOISY.sandbox, { count: EVENTS, dueAt: () => Date.now() });
      for (const eventId of ids) {
        const attempts = Array.from({ length: MOST_ATTEMPTS_KEPT }, (_, i) => {
          return { eventId, number: i + 1, startedAt: 0, durationMs: 1, status: 500, answer: ANSWER, error: null };
        });
        await store.db.insertInto('attempts').values(attempts).execute();
        const tried = { status: 'given_up', attempts: MOST_ATTEMPTS_KEPT, realDueAt: null } as const;
        await store.db.updateTable('deliveries').set(tried).where('eventId', '=', eventId).execute();
      }
    },
    run: sending(FEW, callOf('listEvents', NOISY.token, { query: `limit=${EVENTS}` })),
  },
  {
    name: 'silent-database',
    what: `the open connections to PostgreSQL stop responding; calls may fail for ${BACK_WITHIN_MS / SECOND_MS} s`,
    engines: ['postgres'],
    silencesDatabase: true,
    forgivenMs: BACK_WITHIN_MS,
    attackMs: BACK_WITHIN_MS + 6 * SECOND_MS,
    run: async ({ silenceDatabase }, until) => {
      silenceDatabase();
      await ended(until);
      return new Map([['silenced databases', 1]]);
    },
  },
  {
    name: 'sign-ins',
    what: `${VISITORS} clients repeatedly sign in with the correct password`,
    prepare: async (store) => {
      const passwordHash = await hashPassword(PASSWORD);
      for (let i = 0; i < VISITORS; i++) {
        await insertPassengerIfAbsent(store.db, passenger({ id: `guest-${i}`, email: emailOf(i), passwordHash }));
      }
    },
    run: async ({ server }, until) => {
      const tally: Tally = new Map();
      const signIn = async (index: number) => {
        while (!until.aborted) {
          const visitor = await newcomer(server.baseUrl);
          const view = await visitor.submit({ email: emailOf(index), password: PASSWORD });
          count(tally, String(view.status));
        }
      };
      // if the server refused the page, there is no form to submit
      const visits = Array.from({ length: VISITORS }, (_, index) => signIn(index));
      await Promise.all(visits.map((visit) => visit.catch(() => count(tally, 'no form'))));
      return tally;
    },
  },
  {
    name: 'wrong-secrets',
    what: `${CROWD} connections send requests with a wrong client secret (401)`,
    run: sending(
      CROWD,
      callOf('createToken', null, {
        headers: basic(NOISY.id, 'guessed'),
        body: { grant_type: 'client_credentials', scope: 'public' },
      }),
    ),
  },
  {
    name: 'crowd',
    what: `${CROWD} connections send requests to a sandbox without limits`,
    mostP99Ms: 250,
    run: sending(
      CROWD,
      callOf('listRideTypes', NOISY.token, { query: IN_THE_CITY }),
      callOf('listDrivers', NOISY.token, { query: IN_THE_CITY }),
      callOf('createPassenger', NOISY.token, { body: {} }),
      callOf('getWorld', NOISY.token),
    ),
  },
  {
    name: 'patch-world',
    what: `${PATCHERS} connections change the settings of one world with ${SOME_RIDES} rides`,
    mostP99Ms: 250,
    prepare: (store) => addRides(store, NOISY.sandbox, SOME_RIDES),
    run: sending(
      PATCHERS,
      ...[true, false].map((auto_advance) => callOf('updateWorld', NOISY.token, { body: { auto_advance } })),
    ),
  },
  {
    name: 'many-rows',
    what: `${CREATORS} clients create a passenger in a sandbox without limits, request a ride for them, and repeat this`,
    mostP99Ms: 250,
    run: async ({ server: { baseUrl } }, until) => {
      const tally: Tally = new Map();
      const told = ({ response, error }: { response: Response; error?: { error: string } | undefined }) =>
        count(tally, `${response.status} ${error?.error ?? ''}`.trim());
      const api = createClient({ baseUrl, token: NOISY.token });
      const create = async () => {
        while (!until.aborted) {
          const made = await api.createPassenger({ body: {} });
          told(made);
          if (made.data === undefined) continue;
          const own = createClient({ baseUrl, token: made.data.token.access_token });
          told(await own.requestRide({ body: ACROSS_TOWN }));
        }
      };
      await Promise.all(Array.from({ length: CREATORS }, create));
      return tally;
    },
  },
  {
    name: 'big-worlds',
    what: `one connection resets one world and deletes another, each with ${MANY_RIDES} rides and ${MANY_RIDES} events`,
    prepare: async (store) => {
      for (const worldId of BIG_WORLDS) {
        const { id, clock } = await insertSandbox(store, worldId, NOISY.id);
        await insertClientToken(store, tokenOf(id), NOISY.id, id);
        await addRides(store, id, MANY_RIDES);
        // the clock is frozen and they are due in a year, so they are never sent
        await addEvents(store, id, { count: MANY_RIDES, dueAt: () => clock.worldAnchor + 365 * 24 * 60 * MINUTE_MS });
      }
    },
    // later calls find little to do
    run: sending(1, callOf('resetWorld', tokenOf(BIG_WORLDS[0])), callOf('deleteWorld', tokenOf(BIG_WORLDS[1]))),
  },
  {
    name: 'wrong-tokens',
    what: `${CROWD} connections send requests with an unknown token (401)`,
    run: sending(CROWD, callOf('listRideTypes', 'unknown', { query: IN_THE_CITY })),
  },
  {
    name: 'over-limit',
    what: `${CROWD} connections send requests beyond a rate limit (429)`,
    run: sending(CROWD, callOf('listDrivers', NOISY.liveToken, { query: IN_THE_CITY })),
  },
  {
    name: 'encoded',
    what: `${CROWD} connections send gzip that inflates to the largest body and to a larger one, and a Brotli bomb to a form`,
    mostP99Ms: 250,
    run: sending(
      CROWD,
      ...BOMBS.map((body) => callOf('createPassenger', NOISY.token, { headers: { 'Content-Encoding': 'gzip' }, body })),
      requestOf('POST', CONSENT_PATHS.signIn, { 'Content-Type': FORM, 'Content-Encoding': 'br' }, BROTLI_BOMB),
    ),
  },
  {
    name: 'endless-answers',
    what: `a sandbox sends ${POURED_EVENTS} webhooks to a receiver whose responses never end, in ten ways`,
    prepare: (store, { pouringUrl }) => addHeldEvents(store, POURING_WORLD, pouringUrl, POURED_EVENTS),
    run: async (scene, until) => {
      const status = await release(scene, POURING_WORLD);
      await ended(until);
      return new Map([
        [status, 1],
        ['endless responses', scene.receiver.poured()],
      ]);
    },
  },
  {
    // the others are the live world of the same application: sandbox webhooks must not delay its live webhooks
    name: 'hanging-receiver',
    what: `a sandbox sends ${HANGING_EVENTS} webhooks to a receiver that never responds; live webhooks of the same application are measured`,
    others: 'webhooks',
    prepare: async (store, receiver) => {
      await addHeldEvents(store, HANGING_WORLD, receiver.hangingUrl, HANGING_EVENTS);
      await addEvents(store, LIVE_WORLD.id, { ...plannedEvents(), environment: 'production' });
    },
    run: async (scene, until) => {
      const status = await release(scene, HANGING_WORLD);
      await ended(until);
      return new Map([
        [status, 1],
        ['webhooks without a response', scene.receiver.hanging()],
      ]);
    },
  },
];

/** Adds a frozen sandbox with events for a URL. They are due as soon as its clock runs. */
async function addHeldEvents(store: Store, worldId: string, url: string, howMany: number): Promise<void> {
  const webhooks = { ...SOUND_WEBHOOKS, url, verificationToken: 'token' };
  const world = await insertSandbox(store, worldId, NOISY.id, {}, { webhooks });
  await insertClientToken(store, tokenOf(worldId), NOISY.id, worldId);
  await addEvents(store, worldId, { count: howMany, dueAt: () => world.clock.worldAnchor + 1 });
}

/** Starts the clock of a sandbox. @returns the status of the call */
async function release({ server }: Pick<Scene, 'server'>, worldId: string): Promise<string> {
  const api = createClient({ baseUrl: server.baseUrl, token: tokenOf(worldId) });
  return String((await api.setClock({ body: { state: 'running' } })).response.status);
}
