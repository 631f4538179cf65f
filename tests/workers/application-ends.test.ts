import { beforeEach, describe, expect, test } from 'vitest';
import { DEMO } from '../../server/demo.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { ACCOUNT_PATHS } from '../../server/links.ts';
import { deleteApplication } from '../../server/store/application-ends.ts';
import { insertLogEntry } from '../../server/store/application-log.ts';
import { findOwnApplication, insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { noteConsent } from '../../server/store/consents.ts';
import { MOST_ROWS_SWEPT_AT_ONCE } from '../../server/store/delete-some.ts';
import { MOST_EVENTS_SWEPT_AT_ONCE } from '../../server/store/events.ts';
import { findPassengerByEmail } from '../../server/store/passengers.ts';
import { insertAccessToken, insertCode, insertRefreshToken } from '../../server/store/tokens.ts';
import { finishApplicationEnds, freeApplicationId } from '../../server/workers/application-ends.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { accessToken, application, refreshToken, code as storedCode } from '../store/samples.ts';
import { answerOf, failure } from '../support/answers.ts';
import { MAYA, pathOfRequest, signedInVisitor } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { basic } from '../support/demo-caller.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { fillWithRides } from '../support/large-world.ts';
import { askToken, newApplication, sendTo } from '../support/oauth.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { heldAnswer } from '../support/receiver.ts';
import { LIVE, startTestServer, type TestServer } from '../support/server.ts';
import { setWebhooks } from '../support/set-webhooks.ts';
import { receiverForEach } from '../support/started.ts';
import { stepping } from '../support/steps-of.ts';
import { requestRideOf } from '../support/take-ride.ts';
import { newVisitor } from '../support/visitor.ts';
import { newEvent, newReceiving, storedEvent } from '../support/webhook-events.ts';
import { errorsTo, patientServerForEach } from './support.ts';

const ID = 'gone-app';
const KEPT = 'kept-app';
const KEYS = { verificationToken: 'token', sandboxVerificationToken: 'sandbox token' };
const INVALID_TOKEN = failure(401, 'invalid_token');
const INVALID_CLIENT = expect.objectContaining({ status: 401, body: failure(401, 'invalid_client').body });

const liveOf = (id: string) => basic(id, `${id}-secret`);
const sandboxOf = (id: string) => basic(id, `SANDBOX-${id}-secret`);

const deleteIt = ({ store, parts }: Pick<TestServer, 'store' | 'parts'>, id: string = ID) =>
  store.transaction((tx) => deleteApplication(tx, id, parts.now()));

describe.each(engines)('a deleted application, on %s', (engine) => {
  let logged: string[];
  const server = patientServerForEach(engine, {
    withPages: true,
    rateLimitMultiplier: 1000,
    logger: errorsTo(() => logged),
  });
  const receiver = receiverForEach();
  beforeEach(async () => {
    logged = [];
    for (const id of [ID, KEPT]) {
      await newApplication(server, id);
      await setWebhooks(server.store.db, id, 'http://127.0.0.1:65530/hook', KEYS, server.parts.now());
    }
  });

  const failures = () => logged.filter((line) => !line.includes('"msg":"audit"'));

  /** Maya allows an application everything. @returns her browser, and the code */
  async function allow(client_id: string) {
    const visitor = await signedInVisitor(server.baseUrl, { client_id });
    const { location } = await visitor.submit({ decision: 'allow' });
    return { visitor, code: location!.searchParams.get('code')! };
  }

  const trade = (code: string, client: ReturnType<typeof basic>) =>
    askToken(server, { grant_type: 'authorization_code', code }, client);

  /** An application with tokens, a sandbox, a passenger, an unused code and a log entry. */
  async function tenant(id: string) {
    const { visitor, code } = await allow(id);
    const live = (await trade(code, liveOf(id))).body;
    const inSandbox = (await trade((await allow(id)).code, sandboxOf(id))).body;
    const client = (await askToken(server, { grant_type: 'client_credentials' }, sandboxOf(id))).body;
    const made = await server.client({ token: client.access_token }).createWorld();
    const rider = await server.client({ token: made.data!.token.access_token }).createPassenger();
    const unused = (await allow(id)).code;
    const entry = { applicationId: id, at: 0, developerId: null, network: null, action: 'created', detail: null };
    await server.store.transaction((tx) => insertLogEntry(tx, entry));
    const tokens: string[] = [live, inSandbox, client, made.data!.token, rider.data!.token].map((t) => t.access_token);
    return { visitor, live, inSandbox, unused, tokens };
  }

  const rideTypesWith = async (token: string) =>
    answerOf(await server.client({ token }).listRideTypes({ params: { query: FERRY_BUILDING } }));

  test('has no access any more, and other applications keep theirs', async () => {
    const gone = await tenant(ID);
    const kept = await tenant(KEPT);
    for (const token of [...gone.tokens, ...kept.tokens]) expect((await rideTypesWith(token)).status).toBe(200);
    expect(await deleteIt(server)).toBe(true);
    expect(await deleteIt(server)).toBe(false);

    for (const token of gone.tokens) expect(await rideTypesWith(token)).toEqual(INVALID_TOKEN);
    for (const client of [liveOf(ID), sandboxOf(ID)]) {
      const asked = [
        { grant_type: 'client_credentials' },
        { grant_type: 'authorization_code', code: gone.unused },
        ...[gone.live, gone.inSandbox].map(({ refresh_token }) => ({ grant_type: 'refresh_token', refresh_token })),
      ];
      for (const body of asked) expect(await askToken(server, body, client)).toEqual(INVALID_CLIENT);
      const body = JSON.stringify({ token: gone.live.refresh_token });
      expect(await sendTo(server, 'revokeToken', { headers: client, body })).toEqual(INVALID_CLIENT);
    }
    const view = await newVisitor(server.baseUrl).open(pathOfRequest({ client_id: ID }));
    expect([view.status, view.text.includes('There is no application with this client_id.')]).toEqual([400, true]);

    for (const token of kept.tokens) expect((await rideTypesWith(token)).status).toBe(200);
    expect((await trade(kept.unused, liveOf(KEPT))).status).toBe(200);
    expect((await newVisitor(server.baseUrl).open(pathOfRequest({ client_id: KEPT }))).status).toBe(200);
  });

  test('disappears from the pages and the exported data of its passengers, except for their rides', async () => {
    const { visitor, live } = await tenant(ID);
    await tenant(KEPT);
    const rideId = await requestRideOf({ api: server.client({ token: live.access_token }) });
    const cards = async () => (await visitor.open(ACCOUNT_PATHS.applications)).text.match(/Remove access for \S+/g);
    const exported = async () => {
      await visitor.open(ACCOUNT_PATHS.data);
      return JSON.parse((await visitor.submit({}, ACCOUNT_PATHS.data)).markup);
    };
    expect(await cards()).toEqual([`Remove access for ${ID}`, `Remove access for ${KEPT}`]);
    expect((await exported()).stand_ins_in_sandboxes).toHaveLength(2);
    await deleteIt(server);
    expect(await cards()).toEqual([`Remove access for ${KEPT}`]);
    const { rides, ...rest } = await exported();
    expect(JSON.stringify(rest)).not.toContain(ID);
    expect(rest.stand_ins_in_sandboxes).toMatchObject([{ client_id: KEPT }]);
    expect(rides).toMatchObject([{ client_id: ID, ride_id: rideId }]);
  });

  test('leaves its live rides to the passengers: they continue, but send no events', async () => {
    const { live } = await tenant(ID);
    const rideId = await requestRideOf({ api: server.client({ token: live.access_token }) });
    const ride = { params: { path: { ride_id: rideId } } };
    const other = server.client({ token: (await tenant(KEPT)).live.access_token });
    const statusOf = async () => (await other.getRide(ride)).data?.status;
    expect(await statusOf()).toBe('pending');
    await deleteIt(server);
    for (let i = 0; i < 60 && (await statusOf()) === 'pending'; i++) await server.pass(2 * SECOND_MS);
    expect(await statusOf()).toBe('accepted');
    expect((await other.updateDestination({ ...ride, body: { lat: 37.76, lng: -122.42 } })).response.status).toBe(200);
    expect((await other.cancelRide(ride)).response.status).toBe(204);
    const { data: history } = await other.listRides({ params: { query: { start_time: '2026-05-01T00:00:00Z' } } });
    expect(history!.ride_history).toMatchObject([{ ride_id: rideId, status: 'canceled' }]);
    const told = server.store.db.selectFrom('events').select('type').where('rideId', '=', rideId);
    expect(await told.execute()).toEqual([]);
    await finishApplicationEnds(server.parts);
    expect(await statusOf()).toBe('canceled');
    expect(failures()).toEqual([]);
  });

  test('gets no more webhooks, not even those that wait in line', async () => {
    const AT_ONCE = 16;
    const held = heldAnswer();
    receiver.answerWith(() => held.answer);
    const id = await newReceiving(server.store, receiver.url);
    const other = await newReceiving(server.store, receiver.url);
    const eventIds: string[] = [];
    for (let i = 0; i < AT_ONCE + 2; i++) eventIds.push(await newEvent(server, id));
    const delivering = server.runDeliveries();
    await receiver.arrived(AT_ONCE);
    await deleteIt(server, id);
    const world = await server.newWorld({ applicationId: id });
    const late = [await newEvent(server, id), await newEvent(server, id, { world })];
    server.passTime(SECOND_MS);
    held.give(500);
    await delivering;
    const sent = await newEvent(server, other);
    server.passTime(MINUTE_MS);
    receiver.answerWith(() => 204);
    expect(await server.runDeliveries()).toBe(1);
    expect(receiver.received).toHaveLength(AT_ONCE + 1);
    expect(await storedEvent(server, sent)).toMatchObject({ status: 'delivered' });
    // the worker did not even claim the late ones
    const owners = server.store.db.selectFrom('deliveries').select('leaseOwner').where('eventId', 'in', late);
    expect(await owners.execute()).toEqual([{ leaseOwner: null }, { leaseOwner: null }]);
    await finishApplicationEnds(server.parts);
    const left = await server.store.db.selectFrom('events').select('eventId').execute();
    expect(left).toEqual([{ eventId: sent }]);
    expect([...eventIds, ...late]).not.toContain(sent);
    expect(failures()).toEqual([]);
  });

  describe('is swept', () => {
    /** The ids that mark rows of an application. */
    async function marksOf(id: string): Promise<readonly string[]> {
      const { db } = server.store;
      const worlds = await db.selectFrom('worlds').select('id').where('applicationId', '=', id).execute();
      const events = await db.selectFrom('events').select('eventId').where('applicationId', '=', id).execute();
      const grants = await db.selectFrom('accessGrants').select('id').where('applicationId', '=', id).execute();
      return [id, ...[...worlds, ...grants].map((row) => String(row.id)), ...events.map(({ eventId }) => eventId)];
    }
    type Rows = Awaited<ReturnType<typeof everythingStored>>;
    const without = (rows: Rows, marks: readonly string[]): Rows =>
      Object.fromEntries(
        Object.entries(rows).map(([table, all]) => {
          const isOfLiveRide = (row: string) => table === 'rides' && row.includes('"world_id":"live"');
          return [table, all.filter((row) => isOfLiveRide(row) || !marks.some((mark) => row.includes(mark)))];
        }),
      );

    test('with all of its data except its live rides, and no data of others', async () => {
      const gone = await tenant(ID);
      await tenant(KEPT);
      const maya = (await findPassengerByEmail(server.store.db, LIVE.id, MAYA.email))!;
      for (const id of [ID, KEPT]) {
        await newEvent(server, id);
        const world = await server.newWorld({ applicationId: id });
        await newEvent(server, id, { world });
      }
      await requestRideOf({ api: server.client({ token: gone.live.access_token }) });
      const marks = await marksOf(ID);
      const before = await everythingStored(server.store);
      await deleteIt(server);
      await sweep(server.parts);
      const { deleted_applications: waiting, ...after } = await everythingStored(server.store);
      const { deleted_applications: none, ...expected } = without(before, marks);
      expect(after).toEqual(expected);
      expect(none).toEqual([]);
      expect(waiting).toHaveLength(1);
      expect(after.rides!.some((row) => row.includes(ID) && row.includes(maya.id))).toBe(true);
      server.passTime(HOUR_MS);
      await sweep(server.parts);
      const { rides: _, ...rest } = await everythingStored(server.store);
      expect(JSON.stringify(rest)).not.toContain(ID);
      expect(JSON.stringify(rest)).toContain(KEPT);
    });

    test('with the data that calls in progress write, for an hour', async () => {
      const { store, parts } = server;
      const late = async () => {
        const at = { applicationId: ID, issuedAt: parts.now(), expiresAt: parts.now() + HOUR_MS };
        await insertAccessToken(store.db, accessToken({ ...at, passengerId: null, worldId: 'vanished' }));
        await insertCode(store.db, storedCode({ ...at, passengerId: 'ada' }));
        await noteConsent(store.db, { passengerId: 'ada', applicationId: ID, at: parts.now() });
        await newEvent(server, ID);
      };
      const left = async () => {
        const { rides: _, deleted_applications: waiting, ...rows } = await everythingStored(store);
        return { waits: waiting!.length, rows: JSON.stringify(rows).includes(ID) };
      };
      await deleteIt(server);
      for (const [ms, waits] of [
        [0, 1],
        [HOUR_MS - 1, 1],
        [1, 0],
      ] as const) {
        server.passTime(ms);
        await late();
        expect(await left()).toEqual({ waits: 1, rows: true });
        await sweep(parts);
        expect(await left()).toEqual({ waits, rows: false });
      }
    });

    test('in a bounded number of rows at a time, with other requests served in between', async () => {
      const { store } = server;
      const { id: passengerId } = await server.newPassenger(LIVE);
      const of = { applicationId: ID, passengerId };
      await store.transaction(async (tx) => {
        for (let n = 0; n <= MOST_ROWS_SWEPT_AT_ONCE; n++) {
          await insertAccessToken(tx, accessToken({ ...of, tokenHash: `t${n}` }));
          await insertRefreshToken(tx, refreshToken({ ...of, tokenHash: `t${n}` }));
          await insertCode(tx, storedCode({ ...of, codeHash: `c${n}` }));
          await noteConsent(tx, { applicationId: ID, passengerId: `p${n}`, at: 0 });
        }
      });
      for (let n = 0; n <= MOST_EVENTS_SWEPT_AT_ONCE; n++) await newEvent(server, ID);
      const world = await server.newWorld({ applicationId: ID });
      await fillWithRides(server, world, 10);
      const { store: watched, steps } = stepping(store);
      const parts = { ...server.parts, store: watched };
      await deleteIt({ store: watched, parts });
      // the deletion adds as many rows as it removes: an entry replaces the application
      expect(steps).toEqual([]);
      await finishApplicationEnds(parts);
      // two for each of five kinds of rows, and those for the sandboxes
      expect(steps.length).toBeGreaterThan(11);
      expect(Math.max(...steps.map(({ deleted }) => deleted))).toBe(MOST_ROWS_SWEPT_AT_ONCE);
      expect(steps.filter(({ hasTurned }) => !hasTurned)).toEqual([]);
      const { rides: _, deleted_applications: __, ...rest } = await everythingStored(store);
      expect(JSON.stringify(rest)).not.toContain(ID);
    });

    test('after a server that ended midway, and in spite of failures', async () => {
      const { store, parts } = server;
      const world = await server.newWorld({ applicationId: ID });
      await newEvent(server, ID, { world });
      await noteConsent(store.db, { passengerId: 'ada', applicationId: ID, at: 0 });
      await deleteIt(server);
      const { store: broken } = stepping(store, () => {
        throw new Error('the server ends');
      });
      await expect(finishApplicationEnds({ ...parts, store: broken })).rejects.toThrow(AggregateError);
      expect(await store.db.selectFrom('consents').selectAll().execute()).toHaveLength(1);
      await sweep(parts);
      expect(await store.db.selectFrom('consents').selectAll().execute()).toEqual([]);
      expect(await store.db.selectFrom('worlds').select('id').where('applicationId', '=', ID).execute()).toEqual([]);
    });
  });

  test('cannot be created again with its id while it may have data left', async () => {
    const { store, parts } = server;
    const again = application({ id: ID });
    const token = await server.newToken({ world: LIVE, applicationId: ID });
    await deleteIt(server);
    expect(await insertApplicationIfAbsent(store.db, again)).toBe(false);
    expect(await findOwnApplication(store.db, ID)).toBeUndefined();
    server.passTime(HOUR_MS);
    await sweep(parts);
    expect(await insertApplicationIfAbsent(store.db, again)).toBe(true);
    expect(await rideTypesWith(token)).toEqual(INVALID_TOKEN);
  });

  test('of the demo is created again at the next start, but its tokens are not', async () => {
    const token = await server.newToken({ world: LIVE });
    await deleteIt(server, DEMO.clientId);
    // as main.ts does
    await freeApplicationId(server.parts, DEMO.clientId);
    await freeApplicationId(server.parts, KEPT);
    const next = await startTestServer(engine, { store: { ...server.store, close: async () => {} } });
    expect(await rideTypesWith(token)).toEqual(INVALID_TOKEN);
    const client = basic(DEMO.clientId, DEMO.sandboxClientSecret);
    expect((await askToken(next, { grant_type: 'client_credentials' }, client)).status).toBe(200);
    expect(await findOwnApplication(server.store.db, KEPT)).toBeDefined();
    await next.close();
  });
});
