import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { seedLiveWorld } from '../../server/demo.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { openStore } from '../../server/store/engine/open.ts';
import { insertPassengerIfAbsent } from '../../server/store/passengers.ts';
import { passenger } from '../store/samples.ts';
import { engines, everyEngine } from '../support/database.ts';
import { run as runName } from '../support/run.ts';
import { until } from '../support/until.ts';
import { auditedIn, newHome, PASSWORD, PRODUCTION, runCommand, withPassword } from './support.ts';

const CANARY = 'c4nary-ada-lovelace';

/** A module that crashes the server on a signal, with an error like those of libraries. */
const CRASH = `data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => {
  const { CANARY: detail } = process.env;
  throw Object.assign(new Error('invalid input: "' + detail + '"'), { detail, parameters: [detail] });
})`)}`;

const event = (name: string, result: string) => ({ event: name, result, requestId: null });

// only the URL of PostgreSQL has a password
describe.each(runName === 'long' ? everyEngine : engines)('on %s', (engine) => {
  test('a production server logs a crash without any secret', async () => {
    const { url, start } = await newHome(engine);
    const settings = { ...PRODUCTION, LOG_LEVEL: 'trace', DATABASE_URL: withPassword(url) };
    const crashing = await start({ ...settings, NODE_OPTIONS: `--import ${CRASH}`, CANARY });
    crashing.child.kill('SIGUSR2');
    expect(await crashing.exitCode).toBe(1);
    await until(() => expect(crashing.output()).toContain('the server is stopping because of an unexpected error'));
    expect(crashing.output()).toContain('"message":"invalid input: \\"…\\""');
    for (const secret of [PASSWORD, CANARY]) expect(crashing.output()).not.toContain(secret);
  });

  test('backup, restore and a change of a passenger are logged to standard error without any secret', async () => {
    const { url, withStore } = await newHome(engine);
    const ada = { worldId: LIVE_WORLD.id, id: 'ada-1', email: `${CANARY}@example.com` };
    await withStore(async (store) => {
      await seedLiveWorld(store, Date.now());
      await insertPassengerIfAbsent(store.db, passenger(ada));
    });
    const folder = mkdtempSync(join(tmpdir(), 'ridehail-audit-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const told = async (command: 'backup' | 'restore' | 'passenger', ...words: string[]) => {
      const { stdout, stderr } = await runCommand([command, ...words], { DATABASE_URL: withPassword(url) });
      expect(stdout + stderr).not.toContain(PASSWORD);
      expect(stderr).not.toContain(CANARY);
      expect(auditedIn(stdout)).toEqual([]);
      return auditedIn(stderr);
    };
    expect(await told('passenger', 'suspend', ada.email)).toEqual([event('passenger_changed', 'suspended')]);
    const file = join(folder, 'backup');
    expect(await told('backup', file)).toEqual([event('backup', 'succeeded')]);
    expect(await told('backup', file)).toEqual([event('backup', 'failed')]);
    expect(await told('restore', file)).toEqual([event('restore', 'failed')]);
    if (engine === 'postgres') return;
    for (const end of ['', '-wal', '-shm']) rmSync(url.slice('file:'.length) + end, { force: true });
    expect(await told('restore', file)).toEqual([event('restore', 'succeeded')]);
  });

  test('a production server logs its start, its commands and its stop without secrets, which only commands print', async () => {
    const { url, start } = await newHome(engine);
    const settings = { ...PRODUCTION, LOG_LEVEL: 'trace', DATABASE_URL: withPassword(url) };
    const server = await start(settings);
    const said: string[] = [];
    const ask = async (command: 'developer' | 'app', ...words: string[]) => {
      const { stdout, stderr } = await runCommand([command, ...words, '--json'], settings);
      said.push(stderr);
      return JSON.parse(stdout) as Record<string, string>;
    };
    const email = `${CANARY}@example.com`;
    const made = await ask('developer', 'create', '--email', email);
    const words = ['--name', CANARY, '--redirect-uri', 'https://app.example.com/', '--developer', email];
    const hook = ['--webhook-url', `https://hooks.example.com/?key=${CANARY}`];
    const application = await ask('app', 'create', ...words, ...hook);
    const rotated = await ask('app', 'rotate', application.client_id!, '--sandbox', '--overlap-hours', '1');
    const reset = await ask('developer', 'reset-password', email);
    const secrets = [application, rotated].flatMap((one) =>
      Object.entries(one).flatMap(([name, value]) => (/secret$|token$/.test(name) ? [value] : [])),
    );
    expect(secrets).toHaveLength(6);
    const links = [made, reset].map(({ password_link: link }) => link!.split('=')[1]!);
    const page = `${server.baseUrl}/portal/set-password?link=${links[1]}`;
    expect((await fetch(page, { headers: { Accept: 'text/html' } })).status).toBe(200);
    await server.end('SIGTERM');
    await until(() => expect(auditedIn(server.output()).at(-1)).toEqual(event('server', 'stopping')));
    expect(auditedIn(server.output())).toContainEqual(event('server', 'started'));
    const told = server.output() + said.join('');
    expect(told).toContain('"event":"application_created"');
    for (const secret of [...secrets, ...links, PASSWORD, CANARY]) expect(told).not.toContain(secret);
  });
});

test('a server that cannot reach its database exits without printing the password', async () => {
  const { start } = await newHome();
  const DATABASE_URL = `postgres://me:${PASSWORD}@127.0.0.1:1/ridehail`;
  const started = start({ ...PRODUCTION, LOG_LEVEL: 'trace', DATABASE_URL }).catch(String);
  expect(await started).toMatch(/The server exited with code 1: ./);
  expect(await started).not.toContain(PASSWORD);
});

// a server that does not start prints only the message of the error
test.each([
  ['with an unknown scheme', `mysql://ridehail:${PASSWORD}@127.0.0.1/ridehail`],
  ['without a host', `postgres://ridehail:${PASSWORD}@`],
  ['with an invalid port', `postgres://ridehail:${PASSWORD}@127.0.0.1:port/ridehail`],
  ['with a percent sign', `postgres://ridehail:${PASSWORD}%zz@127.0.0.1:1/ridehail`],
  ['with an invalid schema', `postgres://ridehail:${PASSWORD}@127.0.0.1:1/ridehail?schema=A-B`],
])('a DATABASE_URL %s is an error without its password', async (_, url) => {
  const open = async () => openStore(readConfig({ ...PRODUCTION, DATABASE_URL: url }).databaseUrl);
  const message = await open().then(() => '', String);
  expect(message).not.toBe('');
  expect(message).not.toContain(PASSWORD);
});
