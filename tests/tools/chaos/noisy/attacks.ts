import { createClient } from '../../../../client/client.ts';
import { MINUTE_MS, SECOND_MS } from '../../../../server/domain/time.ts';
import { LIVE_WORLD } from '../../../../server/domain/worlds/live.ts';
import { SOUND_WEBHOOKS } from '../../../../server/domain/worlds/settings.ts';
import { hashPassword } from '../../../../server/oauth/passwords.ts';
import { MOST_ATTEMPTS_KEPT } from '../../../../server/store/deliveries/record.ts';
import { insertPassengerIfAbsent } from '../../../../server/store/passengers.ts';
import { MOST_BYTES_KEPT } from '../../../../server/webhooks/delivery/answer.ts';
import { passenger } from '../../../store/samples.ts';
import { newcomer } from '../../../support/consent.ts';
import { basic } from '../../../support/demo-caller.ts';
import type { Attack } from './attack.ts';
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
    // the others are the live world of the same application: sandbox webhooks must not delay its live webhooks
    name: 'hanging-receiver',
    what: `a sandbox sends ${HANGING_EVENTS} webhooks to a receiver that never responds; live webhooks of the same application are measured`,
    others: 'webhooks',
    prepare: async (store, receiver) => {
      const webhooks = { ...SOUND_WEBHOOKS, url: receiver.hangingUrl, verificationToken: 'token' };
      const world = await insertSandbox(store, HANGING_WORLD, NOISY.id, {}, { webhooks });
      await insertClientToken(store, tokenOf(HANGING_WORLD), NOISY.id, HANGING_WORLD);
      // due as soon as the clock runs
      const dueAt = () => world.clock.worldAnchor + 1;
      await addEvents(store, HANGING_WORLD, { count: HANGING_EVENTS, dueAt });
      await addEvents(store, LIVE_WORLD.id, { ...plannedEvents(), environment: 'production' });
    },
    run: async ({ server, receiver }, until) => {
      const api = createClient({ baseUrl: server.baseUrl, token: tokenOf(HANGING_WORLD) });
      const { response } = await api.setClock({ body: { state: 'running' } });
      await ended(until);
      return new Map([
        [String(response.status), 1],
        ['webhooks without a response', receiver.hanging()],
      ]);
    },
  },
];
