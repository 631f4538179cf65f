import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { builtCommand } from '../../scripts/support/built-server.ts';
import { query } from '../../scripts/support/temporary-database.ts';
import { DEMO_PASSENGERS } from '../../server/demo.ts';
import { everyEngine } from '../support/database.ts';
import { demoToken } from '../support/demo-caller.ts';
import { fillEveryTable } from '../support/every-table.ts';
import { requestRideNow } from '../support/request-ride-now.ts';
import { newUrl } from '../support/started.ts';
import { until } from '../support/until.ts';
import { auditedIn, newHome, PASSWORD, runCommand, withPassword } from './support.ts';

/** Several pages, so that a signal can end the process between two of them. */
const MANY = 10_000;
const SOME = 3;

const run = (words: readonly string[], environment?: Record<string, string>) =>
  runCommand(['copy-to-postgres', ...words], environment);

describe.runIf(everyEngine.includes('postgres'))('ridehail-server copy-to-postgres', () => {
  test('moves a server to PostgreSQL, where the same tokens are valid and the same ride continues', async () => {
    const [home, to] = [await newHome('sqlite'), await newHome('postgres')];
    const words = ['--to', withPassword(to.url)];
    const before = await home.start({ SIMULATION_SPEED: '300' });
    const token = await demoToken(before.baseUrl, DEMO_PASSENGERS[0]!.email);
    const rider = createClient({ baseUrl: before.baseUrl, token });
    const params = { path: { ride_id: await requestRideNow(rider) } };

    const audit = (result: string) => [{ event: 'migrate_to_postgres', result, requestId: null }];
    const early = await run(words, { DATABASE_URL: home.url });
    expect([early.code, auditedIn(early.stderr)]).toEqual([1, audit('failed')]);
    expect(early.stderr).toMatch(/is in use by a server\. Stop it first/);
    await before.end('SIGTERM');

    const { code, stdout, stderr } = await run(words, { DATABASE_URL: home.url });
    expect([code, auditedIn(stderr)]).toEqual([0, audit('succeeded')]);
    expect(stdout).toMatch(/^rides +1 {2}[0-9a-f]{16}$/m);
    expect(stdout).toMatch(/^Start the server with DATABASE_URL=postgres:\/\/.*:PASSWORD@.*\?schema=/m);
    expect(stderr).toMatch(/^copying rides: 1 of 1 rows$/m);
    expect(stdout + stderr + early.stderr).not.toContain(PASSWORD);

    const { baseUrl } = await to.start({ RATE_LIMIT_MULTIPLIER: '10000' });
    const again = createClient({ baseUrl, token });
    expect((await again.getProfile()).data?.id).toBe(DEMO_PASSENGERS[0]!.id);
    const statusOf = async () => (await again.getRide({ params })).data?.status;
    await until(async () => expect(['droppedOff', 'canceled']).toContain(await statusOf()));
  });

  test('leaves nothing behind when a signal ends it, and then succeeds once', async () => {
    const [from, to] = [await newUrl('sqlite'), await newUrl('postgres')];
    await fillEveryTable(from, (table) => (table === 'rides' ? MANY : SOME));
    const words = ['--from', from, '--to', to, '--json'];
    const line = [await builtCommand(), 'copy-to-postgres', ...words];
    const schema = new URL(to).searchParams.get('schema');
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const ended = spawn(process.execPath, line, { stdio: ['ignore', 'ignore', 'pipe'] });
      ended.stderr.on('data', (chunk) => void (String(chunk).includes('copying rides') && ended.kill(signal)));
      expect(await once(ended, 'exit')).toEqual([null, signal]);
      expect(await query(`select 1 from pg_namespace where nspname = '${schema}'`)).toEqual([]);
    }

    const { code, stdout, stderr } = await run(words);
    expect([code, stderr.includes('Error')]).toEqual([0, false]);
    expect(stderr).toMatch(/^copying rides: 1000 of 10000 rows$/m);
    expect(stderr).toMatch(/^checking rides: 10000 of 10000 rows$/m);
    const rowsOf = (table: string, rows: number) => expect.objectContaining({ table, rows });
    expect(JSON.parse(stdout).tables).toEqual(expect.arrayContaining([rowsOf('rides', MANY), rowsOf('events', SOME)]));
    const again = expect.stringMatching(/of the target already has tables\. Specify an empty database in --to/);
    expect(await run(words)).toEqual({ code: 1, stdout: '', stderr: again });
  });
});
