import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { builtServer } from '../../scripts/support/built-server.ts';
import { freePort } from '../../scripts/support/free-port.ts';
import { newDatabase } from '../../scripts/support/temporary-database.ts';
import { backUp, restore } from '../../server/store/backup/backup.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { demoToken } from '../support/demo-caller.ts';
import { rawCall } from '../support/raw-call.ts';
import { run } from '../support/run.ts';
import { type SilentProxy, silentProxy } from '../support/silent-proxy.ts';
import { until } from '../support/until.ts';
import { newHome } from './support.ts';

const UNAVAILABLE = failure(503, 'temporarily_unavailable');

describe.runIf(engines.includes('postgres'))('while PostgreSQL does not respond', () => {
  /** Starts a server on a database that may stop responding before the server is ready. */
  async function starting(): Promise<{ readonly proxy: SilentProxy; start(): Promise<ChildProcess> }> {
    const { url, drop } = await newDatabase('postgres');
    onTestFinished(drop);
    const proxy = await silentProxy(url);
    onTestFinished(proxy.close);
    const start = async () => {
      const environment = { DATABASE_URL: proxy.url, PORT: String(await freePort()), LOG_LEVEL: 'silent' };
      const child = spawn(process.execPath, [await builtServer()], {
        env: { ...process.env, NODE_ENV: 'development', ...environment },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      return child;
    };
    return { proxy, start };
  }

  const STEPS: readonly [string, string | null][] = [
    ['connects', null],
    ['makes the tables', 'create table passengers'],
    ['adds the demo', 'insert into "applications"'],
    ['looks for the tables', 'kysely_migration'],
    ['waits for another server that makes them', 'pg_advisory_lock'],
    ['reads its keys', 'price-tokens'],
    ['adds the live world', 'insert into "worlds"'],
  ];

  // until a server is ready, a signal ends it in the same way at every step
  test.each(run === 'long' ? STEPS : STEPS.slice(1, 2))('a server that %s stops on a signal', async (_, statement) => {
    const { proxy, start } = await starting();
    const silent = statement === null ? proxy.silenceAll() : proxy.silenceAt(statement);
    const child = await start();
    const output = text(child.stdout!);
    await silent;
    await proxy.lost(1);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await output).not.toContain('ready');
  });

  test('a server reconnects, returns 503 and is unhealthy, and stops on a signal; a second signal changes nothing', async () => {
    const home = await newHome('postgres');
    const proxy = await silentProxy(home.url);
    onTestFinished(proxy.close);
    const server = await home.start({ DATABASE_URL: proxy.url });
    // one for each silence, because the server remembers a token that it has read
    const [first, second] = [await demoToken(server.baseUrl), await demoToken(server.baseUrl)];
    const read = async (token: string) => rawAnswerOf(await rawCall(server.baseUrl, 'getProfile', { token }));
    const before = proxy.opened();
    // the connections that it closes stay half open, and must not delay its exit
    proxy.silence();
    expect(await read(first)).toEqual(UNAVAILABLE);
    expect((await read(first)).status).toBe(200);
    await until(async () => expect((await fetch(`${server.baseUrl}/readyz`)).status).toBe(200));
    expect(proxy.opened()).toBeGreaterThan(before);

    proxy.silenceAll();
    const [refused, ...health] = await Promise.all([
      read(second),
      ...['/healthz', '/readyz'].map(async (path) => (await fetch(server.baseUrl + path)).status),
    ]);
    expect(refused).toEqual(UNAVAILABLE);
    expect(health).toEqual([503, 503]);
    const last = read(second);
    server.child.kill('SIGTERM');
    server.child.kill('SIGTERM');
    expect(await last).toEqual(UNAVAILABLE);
    expect([0, 1]).toContain(await server.exitCode);
  });

  test('a backup and a restore fail', async () => {
    const { proxy } = await starting();
    proxy.silenceAll();
    const file = join(tmpdir(), randomUUID());
    await expect(backUp(proxy.url, file)).rejects.toThrow('pg_dump failed with exit code 1');
    await expect(restore(proxy.url, file)).rejects.toThrow('timeout');
    expect(existsSync(file)).toBe(false);
  });
});
