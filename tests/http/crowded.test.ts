import { createServer } from 'node:http';
import express from 'express';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addProbes } from '../../server/http/health.ts';
import { openStore } from '../../server/store/engine/open.ts';
import { holdRide } from '../../server/store/rides.ts';
import { holdWorld } from '../../server/store/worlds.ts';
import { runDueTimers } from '../../server/workers/timers.ts';
import { waitForBlockedQueries } from '../store/meeting.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { newLatch } from '../support/latch.ts';
import { close, listen } from '../support/listen.ts';
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
});
