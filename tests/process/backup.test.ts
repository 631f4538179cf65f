import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Operations } from '../../client/client.ts';
import { createClient } from '../../client/client.ts';
import { startServerProcess } from '../../scripts/support/server-process.ts';
import { query } from '../../scripts/support/temporary-database.ts';
import { DEMO_PASSENGERS } from '../../server/demo.ts';
import { backUp, restore } from '../../server/store/backup/backup.ts';
import type { Engine } from '../../server/store/engine/open.ts';
import { everyEngine } from '../support/database.ts';
import { demoToken } from '../support/demo-caller.ts';
import { requestRideNow } from '../support/request-ride-now.ts';
import { until } from '../support/until.ts';
import { newHome, runCommand } from './support.ts';

const UNLIMITED = { RATE_LIMIT_MULTIPLIER: '10000' };
const RIDES_BEFORE = 5;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ridehail-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

describe.each(everyEngine)('on %s', (engine) => {
  test('a backup of a running server contains every ride confirmed before it, and a restored server continues them', async () => {
    const { url, start } = await newHome(engine);
    const server = await start(UNLIMITED);
    const tokens = await Promise.all(DEMO_PASSENGERS.map(({ email }) => demoToken(server.baseUrl, email)));
    const [rider, ...others] = tokens.map((token) => createClient({ baseUrl: server.baseUrl, token }));
    const unfinished = await requestRideNow(rider!);
    const traffic = sendTraffic(others);
    await until(() => expect(traffic.acknowledged.length).toBeGreaterThan(RIDES_BEFORE));

    const before = [...traffic.acknowledged];
    await succeed('backup', url);
    expect(traffic.acknowledged.length).toBeGreaterThan(before.length);
    await traffic.stop();
    expect(statSync(file('backup')).mode & 0o077, 'others may read it').toBe(0);
    expect(readdirSync(folder)).toEqual(['backup']);

    const elsewhere = await newPlace(engine, url);
    await succeed('restore', elsewhere);
    const restored = await startServerProcess({ DATABASE_URL: elsewhere, SIMULATION_SPEED: '1000' });
    onTestFinished(async () => void (await restored.end('SIGKILL')));
    const [again, ...clients] = tokens.map((token) => createClient({ baseUrl: restored.baseUrl, token }));
    for (const [rideId, passenger] of before) {
      const { response } = await clients[passenger]!.getRide(pathTo(rideId));
      expect(response.status, rideId).toBe(200);
    }
    await until(async () =>
      expect(['droppedOff', 'canceled']).toContain((await again!.getRide(pathTo(unfinished))).data?.status),
    );

    await expect(restore(elsewhere, file('backup'))).rejects.toThrow(
      engine === 'sqlite' ? /is in use by another server/ : /has tables/,
    );
    await expect(backUp(elsewhere, file('backup'))).rejects.toThrow(/already exists. Specify a new file/);
    expect((await fetch(`${restored.baseUrl}/readyz`)).status).toBe(200);
  });

  test('a damaged backup is refused and leaves no files behind', async () => {
    const { url, withStore } = await newHome(engine);
    await withStore((store) => store.ping());
    await backUp(url, file('backup'));
    const bytes = readFileSync(file('backup'));
    const middle = Math.floor(bytes.length / 2);
    const broken = Buffer.from(bytes).fill(255, middle, middle + 4096);
    const elsewhere = await newPlace(engine, url);
    // damage can also crash pg_restore itself
    const reason =
      engine === 'sqlite' ? /^The backup is damaged/ : /^pg_restore (failed with exit code 1|was ended by SIG)/;
    for (const damaged of [Buffer.alloc(0), Buffer.from('no backup'), bytes.subarray(0, middle), broken]) {
      writeFileSync(file('damaged'), damaged);
      await expect(restore(elsewhere, file('damaged')), `${damaged.length} bytes`).rejects.toThrow(reason);
    }
    // fails unless the place is still empty
    await restore(elsewhere, file('backup'));
  });
});

test('restoring never overwrites a database or a leftover log, even if no server uses it', async () => {
  const { url, withStore } = await newHome();
  await withStore((store) => store.ping());
  await backUp(url, file('backup'));
  await expect(restore(url, file('backup'))).rejects.toThrow(/ridehail\.db.*\. Move it away/);
  writeFileSync(file('new.db-wal'), 'a log');
  await expect(restore(`file:${file('new.db')}`, file('backup'))).rejects.toThrow(/new\.db-wal\. Move it away/);
});

test('a file with two names cannot be backed up or restored from, because each name has its own log', async () => {
  const { url, withStore } = await newHome();
  const [path, elsewhere] = [url.slice('file:'.length), `file:${file('elsewhere.db')}`];
  await withStore(async (store) => {
    await store.ping();
    linkSync(path, file('hard.db'));
    for (const name of [url, `file:${file('hard.db')}`]) {
      await expect(async () => backUp(name, file('backup'))).rejects.toThrow(/has 2 names/);
    }
    await expect(restore(elsewhere, file('hard.db'))).rejects.toThrow(/hard\.db has 2 names/);
    rmSync(file('hard.db'));
    await backUp(url, file('backup'));
    await store.ping();
  });
  expect(existsSync(file('elsewhere.db'))).toBe(false);
});

const file = (name: string) => join(folder, name);

async function succeed(name: 'backup' | 'restore', url: string) {
  expect(await runCommand([name, file('backup')], { DATABASE_URL: url })).toMatchObject({ code: 0 });
}

/** An empty place for a database. */
async function newPlace(engine: Engine, url: string): Promise<string> {
  if (engine === 'sqlite') return `file:${join(folder, randomUUID(), 'ridehail.db')}`;
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await query(`create database ${name}`);
  onTestFinished(async () => void (await query(`drop database ${name} with (force)`)));
  const place = new URL(url);
  place.pathname = name;
  return place.href;
}

/** Passengers who keep requesting and canceling rides until they are stopped. */
function sendTraffic(passengers: readonly Operations[]) {
  /** The rides with a response to their request, with the index of their passenger. */
  const acknowledged: (readonly [rideId: string, passenger: number])[] = [];
  let isOver = false;
  const senders = passengers.map(async (api, passenger) => {
    while (!isOver) {
      const rideId = await requestRideNow(api);
      acknowledged.push([rideId, passenger]);
      await api.cancelRide(pathTo(rideId));
    }
  });
  const stop = () => {
    isOver = true;
    return Promise.all(senders);
  };
  return { acknowledged, stop };
}

const pathTo = (rideId: string) => ({ params: { path: { ride_id: rideId } } });
