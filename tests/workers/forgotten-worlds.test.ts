import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Operations } from '../../client/client.ts';
import { WORLD_LIMITS } from '../../generated/server.ts';
import { DAY_MS, HOUR_MS } from '../../server/domain/time.ts';
import { CALLS_RECORDED_EVERY_MS } from '../../server/http/authenticate.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { findBearer } from '../../server/store/bearers.ts';
import { insertRefreshToken } from '../../server/store/tokens.ts';
import { findWorld } from '../../server/store/worlds.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { application, insertEvent, NOON, refreshToken, webhookEvent } from '../store/samples.ts';
import { answerOf, failure } from '../support/answers.ts';
import { counted } from '../support/counted-store.ts';
import { engines, openTestStore } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { fillWithRides } from '../support/large-world.ts';
import { LIVE, startTestServer, type TestServer } from '../support/server.ts';
import { fragileServer, started } from '../support/started.ts';
import { until } from '../support/until.ts';

const KEPT_MS = WORLD_LIMITS.days * DAY_MS;
const UPDATE = /^update "worlds" set "last_called_at"/;

async function lastCallIn({ store }: Pick<TestServer, 'store'>, id: string): Promise<number | undefined> {
  const row = store.db.selectFrom('worlds').select('lastCalledAt').where('id', '=', id);
  return (await row.executeTakeFirst())?.lastCalledAt;
}

describe.each(engines)('worlds without calls, on %s', (engine) => {
  const server = started(
    async () => {
      const { store, statements } = counted(await openTestStore(engine));
      return { ...(await startTestServer(engine, { store })), statements };
    },
    beforeEach,
    afterEach,
  );
  const isThere = async (id: string) => (await findWorld(server.store.db, id)) !== undefined;
  const lastCallOf = (id: string) => lastCallIn(server, id);

  /** Lets this many milliseconds pass, then sweeps. */
  async function sweepAfter(ms: number): Promise<void> {
    server.passTime(ms);
    await sweep(server.parts);
  }

  test('are deleted with all of their data after 30 days, and not before', async () => {
    const world = await server.newWorld();
    await fillWithRides(server, world, 30);
    const token = await server.newToken({ world });
    await sweepAfter(KEPT_MS);
    expect(await isThere(world.id)).toBe(true);
    await sweepAfter(CALLS_RECORDED_EVERY_MS + 1);
    expect(answerOf(await server.client({ token }).getWorld())).toEqual(failure(401, 'invalid_token'));
    const rows = Object.values(await everythingStored(server.store)).flat();
    expect(rows.filter((row) => row.includes(world.id))).toEqual([]);
  });

  test('a passenger of a default sandbox goes after 30 days without use, unless a refresh token of theirs is valid', async () => {
    const { store, parts } = server;
    const id = 'tenant';
    const world = await server.newWorld({ applicationId: id });
    await insertApplicationIfAbsent(store.db, application({ id, sandboxWorldId: world.id }));
    await fillWithRides(server, world, 2);
    const made = await store.db.selectFrom('passengers').select('id').where('worldId', '=', world.id).execute();
    const [gone, renewing] = made.map((row) => row.id) as [string, string];
    await store.db.deleteFrom('refreshTokens').where('passengerId', '=', gone).execute();
    const issued = { issuedAt: parts.now(), lastUsedAt: parts.now() };
    const ended = refreshToken({
      worldId: world.id,
      passengerId: gone,
      tokenHash: 'ended',
      ...issued,
      revokedAt: NOON,
    });
    await insertRefreshToken(store.db, ended);
    const using = await server.newPassenger(world);
    const token = await server.newToken({ world, passenger: using, applicationId: id });
    const demo = await server.newPassenger((await findWorld(store.db, 'demo-sandbox'))!);
    const left = async () => (await everythingStored(store)).passengers!.join();
    await sweepAfter(KEPT_MS);
    expect((await server.client({ token }).getProfile()).response.status).toBe(200);
    await until(async () => expect((await findBearer(store.db, hashOf(token)))!.passengerLastUsedAt).toBe(parts.now()));
    await sweepAfter(CALLS_RECORDED_EVERY_MS + 1);
    await sweepAfter(HOUR_MS);
    const rows = await left();
    for (const one of [renewing, using.id, demo.id]) expect(rows).toContain(`"${one}"`);
    const stored = Object.values(await everythingStored(store)).flat();
    expect(stored.filter((row) => row.includes(`"${gone}"`))).toEqual([]);
  });

  test.each<[string, (api: Operations) => Promise<unknown>]>([
    ['listRideTypes', (api) => api.listRideTypes({ params: { query: { lat: 37.7955, lng: -122.3937 } } })],
    ['getWorld', (api) => api.getWorld()],
    ['createWorld', (api) => api.createWorld()],
  ])('stay if there was a call to %s', async (_, call) => {
    const world = await server.newWorld();
    const api = server.client({ token: await server.newToken({ world }) });
    server.passTime(20 * DAY_MS);
    await call(api);
    await until(async () => expect(await lastCallOf(world.id)).toBe(server.parts.now()));
    await sweepAfter(KEPT_MS);
    expect(await isThere(world.id)).toBe(true);
    await sweepAfter(CALLS_RECORDED_EVERY_MS + 1);
    expect(await isThere(world.id)).toBe(false);
  });

  test('stay if they have a webhook to send, but not if it waits for a frozen clock', async () => {
    const [running, frozen] = [await server.newWorld(), await server.newWorld()];
    for (const { id } of [running, frozen]) {
      const event = webhookEvent({ worldId: id, eventId: id, environment: 'sandbox', applicationId: 'demo' });
      await server.store.transaction((tx) => insertEvent(tx, event, LIVE, server.parts.now()));
    }
    await server.store.db.updateTable('deliveries').set({ realDueAt: null }).where('worldId', '=', frozen.id).execute();
    await sweepAfter(KEPT_MS + CALLS_RECORDED_EVERY_MS + 1);
    expect([await isThere(running.id), await isThere(frozen.id)]).toEqual([true, false]);
  });

  test('stay if they are the live world or the default sandbox of an application', async () => {
    await sweepAfter(10 * KEPT_MS);
    expect([await isThere(LIVE.id), await isThere('demo-sandbox')]).toEqual([true, true]);
  });

  test('record a call once a day, and only with a valid token', async () => {
    const world = await server.newWorld();
    const expired = server.client({ token: await server.newToken({ world, expiresInMs: HOUR_MS }) });
    const api = server.client({ token: await server.newToken({ world }) });
    server.statements.length = 0;
    server.passTime(DAY_MS - 1);
    await api.getWorld();
    server.passTime(1);
    await expired.getWorld();
    expect(server.statements.filter((statement) => UPDATE.test(statement))).toEqual([]);
    const at = server.parts.now();
    await Promise.all([api.getWorld(), api.getWorld(), api.getWorld()]);
    await until(async () => expect(await lastCallOf(world.id)).toBe(at));
    server.passTime(HOUR_MS);
    server.statements.length = 0;
    await api.getWorld();
    expect(server.statements.filter((statement) => UPDATE.test(statement))).toEqual([]);
    expect(await lastCallOf(world.id)).toBe(at);
  });
});

describe('a call that cannot be recorded', () => {
  const server = fragileServer('sqlite');

  test('still succeeds, and the next one is recorded', async () => {
    const world = await server.newWorld();
    const api = server.client({ token: await server.newToken({ world }) });
    server.passTime(2 * DAY_MS);
    // the first query finds the token, the second one records the call
    server.faults.failOnce(2, new Error('the disk is full'));
    expect((await api.getWorld()).response.status).toBe(200);
    expect(server.faults.mend()).toBe(true);
    expect((await api.getWorld()).response.status).toBe(200);
    await until(async () => expect(await lastCallIn(server, world.id)).toBe(server.parts.now()));
  });
});
