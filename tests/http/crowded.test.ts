import { createServer } from 'node:http';
import express from 'express';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { leave } from '../../server/account/deletion.ts';
import { acceptOffer, offerApplication } from '../../server/applications/transfer.ts';
import { addProbes } from '../../server/http/health.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { holdApplication } from '../../server/store/applications.ts';
import { holdDeveloper } from '../../server/store/developers.ts';
import { openStore } from '../../server/store/engine/open.ts';
import { holdRide } from '../../server/store/rides.ts';
import { findRefreshToken } from '../../server/store/tokens.ts';
import { holdWorld } from '../../server/store/worlds.ts';
import { runDueTimers } from '../../server/workers/timers.ts';
import { newDeveloper } from '../portal/support.ts';
import { waitForBlockedQueries } from '../store/meeting.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { newLatch } from '../support/latch.ts';
import { close, listen } from '../support/listen.ts';
import { makeApplication } from '../support/made-application.ts';
import { askToken, LIVE_CLIENT, newGrant } from '../support/oauth.ts';
import { rawCall } from '../support/raw-call.ts';
import { LIVE, startTestServer } from '../support/server.ts';
import { newUrl } from '../support/started.ts';
import { startRiding } from '../support/take-ride.ts';
import { until } from '../support/until.ts';

const PROBES = 50;
const CHANGES = 18;

test('concurrent probes share one check of the database', async () => {
  const checked = newLatch();
  let [probes, checks] = [0, 0];
  const ping = () => {
    checks += 1;
    return checked.promise;
  };
  const app = express();
  app.use((_req, _res, next) => {
    probes += 1;
    next();
  });
  const store = { ping, assertMigrated: () => Promise.resolve() };
  addProbes(app, { store, logger: pino({ level: 'silent' }) }, () => false);
  const server = createServer(app);
  onTestFinished(() => close(server));
  const baseUrl = await listen(server);
  const ask = async () => (await fetch(`${baseUrl}/healthz`)).status;
  const answers = Array.from({ length: PROBES }, ask);
  await until(() => expect(probes).toBe(PROBES));
  expect(checks).toBe(1);
  checked.open();
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
  // the next probe checks again
  expect(await ask()).toBe(200);
  expect(checks).toBe(2);
});

describe.runIf(engines.includes('postgres'))('on postgres', () => {
  test.each(['sandbox', 'ride'] as const)(
    'calls that wait for a row of their %s hold up no other calls, probes or workers, and fail after a while',
    async (locked) => {
      const store = await openStore(await newUrl('postgres'));
      const parts = { store, storeOfSandboxes: store.forSandboxes, rateLimitMultiplier: 1000 };
      // as if many applications called
      const server = await startTestServer('postgres', { ...parts, callsAtOnce: { running: CHANGES + 1, waiting: 0 } });
      onTestFinished(server.close);
      const world = locked === 'sandbox' ? await server.newWorld() : LIVE;
      const { rideId, params, passenger } = await startRiding(server, { world });
      const body = JSON.stringify({ auto_advance: false });
      const token = await server.newToken(locked === 'sandbox' ? { world } : { world, passenger });
      const change = () =>
        locked === 'sandbox'
          ? rawCall(server.baseUrl, 'updateWorld', { token, body })
          : rawCall(server.baseUrl, 'cancelRide', { token, path: params.path });
      const rider = await server.newRider(LIVE);
      await store.forWorkers.transaction(async (tx) => {
        await (locked === 'sandbox' ? holdWorld(tx, world) : holdRide(tx, world.id, rideId));
        let answered = 0;
        const changes = Array.from({ length: CHANGES }, () => change().finally(() => (answered += 1)));
        await waitForBlockedQueries(store.forWorkers, locked === 'sandbox' ? 'worlds' : 'rides', 1);
        const other = await server.newToken({ world: await server.newWorld() });
        expect((await rawCall(server.baseUrl, 'updateWorld', { token: other, body })).status).toBe(200);
        expect((await fetch(`${server.baseUrl}/readyz`)).status).toBe(200);
        expect((await rider.api.getProfile()).response.status).toBe(200);
        await runDueTimers({ ...server.parts, store: store.forWorkers });
        expect(answered).toBe(0);
        for (const refused of await Promise.all(changes)) {
          expect(refused.headers.get('Retry-After')).toBe('5');
          expect(await rawAnswerOf(refused)).toEqual(failure(503, 'temporarily_unavailable'));
        }
      });
      expect((await change()).ok).toBe(true);
    },
  );

  test('renewals of one token, and offers to one developer, take one connection for all of them', async () => {
    const store = await openStore(await newUrl('postgres'));
    const server = await startTestServer('postgres', { store, callsAtOnce: { running: CHANGES + 1, waiting: 0 } });
    onTestFinished(server.close);
    const { parts } = server;
    const { refreshToken } = await newGrant(server);
    const [owner, other] = [await newDeveloper(server), await newDeveloper(server)];
    const by = { developerId: owner.id, network: null, realNow: parts.now(), audit: () => {} };
    const make = async () => (await makeApplication(server, { developerId: owner.id })).id;
    const ids = await Promise.all([make(), make(), make()]);
    const begun = vi.spyOn(store, 'transaction');
    const waiting = await store.forWorkers.transaction(async (tx) => {
      await findRefreshToken(tx, hashOf(refreshToken));
      await holdDeveloper(tx, other.id);
      await holdApplication(tx, ids[0]);
      const renewals = Array.from({ length: CHANGES }, () =>
        askToken(server, { grant_type: 'refresh_token', refresh_token: refreshToken }, LIVE_CLIENT),
      );
      const offers = ids.map((id) => offerApplication(parts, by, id, other.id));
      // nobody waits for an application that is not offered to them
      await expect(acceptOffer(parts, { ...by, developerId: other.id }, ids[0])).rejects.toMatchObject({
        code: 'not_found',
      });
      await until(() => expect(begun).toHaveBeenCalledTimes(2));
      expect((await (await server.newRider(LIVE)).api.getProfile()).response.status).toBe(200);
      expect(begun).toHaveBeenCalledTimes(2);
      return [renewals, offers] as const;
    });
    for (const { status } of await Promise.all(waiting[0])) expect(status).toBe(200);
    await Promise.all(waiting[1]);
  });

  test('the deletion of an account first ends all access, so that renewals cannot keep the passenger', async () => {
    const server = await startTestServer('postgres', {});
    onTestFinished(server.close);
    const { store, parts } = server;
    const { passenger, refreshToken } = await newGrant(server);
    const [left] = await store.transaction(async (tx) => {
      await tx.selectFrom('passengers').select('id').where('id', '=', passenger.id).forUpdate().execute();
      const leaving = leave(parts, passenger, parts.now());
      await until(async () =>
        expect((await findRefreshToken(store.db, hashOf(refreshToken)))?.revokedAt).not.toBeNull(),
      );
      return [leaving] as const;
    });
    expect(await left).toBe('left');
  });
});
