import { createServer } from 'node:http';
import express from 'express';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addProbes } from '../../server/http/health.ts';
import { openStore } from '../../server/store/engine/open.ts';
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
  test('calls that wait for a row of their sandbox hold up no other calls, probes or workers, and fail after a while', async () => {
    const store = await openStore(await newUrl('postgres'));
    const parts = { store, storeOfSandboxes: store.forSandboxes };
    // as if many applications called
    const server = await startTestServer('postgres', { ...parts, callsAtOnce: { running: CHANGES + 1, waiting: 0 } });
    onTestFinished(server.close);
    const world = await server.newWorld();
    const token = await server.newToken({ world });
    await startRiding(server);
    const rider = await server.newRider(LIVE);
    const body = JSON.stringify({ auto_advance: false });
    await store.forWorkers.transaction(async (tx) => {
      await holdWorld(tx, world);
      const changes = Array.from({ length: CHANGES }, () => rawCall(server.baseUrl, 'updateWorld', { token, body }));
      await waitForBlockedQueries(store.forWorkers, 'worlds', 1);
      const other = await server.newToken({ world: await server.newWorld() });
      expect((await rawCall(server.baseUrl, 'updateWorld', { token: other, body })).status).toBe(200);
      expect((await fetch(`${server.baseUrl}/readyz`)).status).toBe(200);
      expect((await rider.api.getProfile()).response.status).toBe(200);
      await runDueTimers({ ...server.parts, store: store.forWorkers });
      for (const change of await Promise.all(changes)) {
        expect(change.headers.get('Retry-After')).toBe('5');
        expect(await rawAnswerOf(change)).toEqual(failure(503, 'temporarily_unavailable'));
      }
    });
    expect((await rawCall(server.baseUrl, 'updateWorld', { token, body })).status).toBe(200);
  });
});
