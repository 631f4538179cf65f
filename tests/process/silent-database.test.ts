import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { builtServer } from '../../scripts/support/built-server.ts';
import { startServerProcess } from '../../scripts/support/server-process.ts';
import { newDatabase } from '../../scripts/support/temporary-database.ts';
import { backUp, restore } from '../../server/store/backup/backup.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { demoToken } from '../support/demo-caller.ts';
import { rawCall } from '../support/raw-call.ts';
import { run } from '../support/run.ts';
import { type SilentProxy, silentProxy } from '../support/silent-proxy.ts';
import { until } from '../support/until.ts';

const UNAVAILABLE = failure(503, 'temporarily_unavailable');

describe.runIf(engines.includes('postgres'))('while PostgreSQL does not respond', () => {
  /** A proxy to a new database. */
  async function newProxy(): Promise<SilentProxy> {
    const { url, drop } = await newDatabase('postgres');
    onTestFinished(drop);
    const proxy = await silentProxy(url);
    onTestFinished(proxy.close);
    return proxy;
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
    const proxy = await newProxy();
    const silent = statement === null ? proxy.silenceAll() : proxy.silenceAt(statement);
    const settings = { NODE_ENV: 'development', DATABASE_URL: proxy.url, LOG_LEVEL: 'silent' };
    const env = { ...process.env, ...settings };
    const child = spawn(process.execPath, [await builtServer()], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const output = text(child.stdout);
    await silent;
    await proxy.lost(1);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await output).not.toContain('ready');
  });

  test('a server reconnects, returns 503 and is unhealthy, and stops on a signal; a second signal changes nothing', async () => {
    const proxy = await newProxy();
    const server = await startServerProcess({ DATABASE_URL: proxy.url });
    onTestFinished(async () => void (await server.end('SIGKILL')));
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
    const proxy = await newProxy();
    proxy.silenceAll();
    const file = join(tmpdir(), randomUUID());
    await expect(backUp(proxy.url, file)).rejects.toThrow('pg_dump failed with exit code 1');
    await expect(restore(proxy.url, file)).rejects.toThrow('timeout');
    expect(existsSync(file)).toBe(false);
  });
});
