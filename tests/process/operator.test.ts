import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, lstatSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { builtCommand } from '../../scripts/support/built-server.ts';
import { freePort } from '../../scripts/support/free-port.ts';
import { seedDemo, seedLiveWorld } from '../../server/demo.ts';
import { runHere } from '../cli/support.ts';
import { everyEngine } from '../support/database.ts';
import { run } from '../support/run.ts';
import { until } from '../support/until.ts';
import { newHome, PRODUCTION, runCommand } from './support.ts';

const DANA = 'dana@example.com';
const MAYA = 'maya@example.com';
const WANTED = ['--name', 'Mine', '--redirect-uri', 'https://app.example.com/callback', '--developer', DANA];

type Command = 'app' | 'developer' | 'passenger';

/** What a command that succeeds prints with --json. @param run runs it in this process, or in one of its own */
const printedBy =
  (run: typeof runHere) =>
  async (url: string, command: Command, ...words: string[]) => {
    const { code, stdout, stderr } = await run([command, ...words, '--json'], { ...PRODUCTION, DATABASE_URL: url });
    expect([code, stderr.includes('Error')]).toEqual([0, false]);
    return JSON.parse(stdout);
  };
const [printed, printedApart] = [printedBy(runHere), printedBy(runCommand)];

// first-steps.test.ts runs the commands on PostgreSQL
describe.each(run === 'long' ? everyEngine : (['sqlite'] as const))(
  'ridehail-server developer and app, on %s',
  (engine) => {
    test('create, change and delete without a server, with a running one, and after it is killed', async () => {
      const { url, start } = await newHome(engine);
      const { developer_id } = await printedApart(url, 'developer', 'create', '--email', DANA);
      const server = await start(PRODUCTION);
      if (engine === 'sqlite') {
        const file = url.slice('file:'.length);
        const modes = [file, dirname(file), `${file}.operator`].map((path) => lstatSync(path).mode & 0o777);
        expect(modes).toEqual([0o600, 0o700, 0o600]);
      }
      const made = await printedApart(url, 'app', 'create', ...WANTED);
      const client_secret = expect.stringMatching(/^[\w-]{43}$/);
      expect(made).toMatchObject({ developer_id, client_secret, webhook_url: null });
      const id: string = made.client_id;
      await server.end('SIGKILL');
      const webhook = ['--webhook-url', 'https://hooks.example.com/a', '--rotate-refresh-tokens', 'on'];
      const set = await printedApart(url, 'app', 'set', id, ...webhook);
      expect(set).toMatchObject({ webhook_url: 'https://hooks.example.com/a', rotate_refresh_tokens: true });
      const all = { applications: [{ client_id: id, webhook_url: set.webhook_url }], next: null };
      expect(await printed(url, 'app', 'list', '--developer', DANA)).toMatchObject(all);
      expect(await printed(url, 'app', 'delete', id)).toEqual({ client_id: id, name: 'Mine' });
      expect(await printed(url, 'developer', 'delete', DANA)).toEqual({ developer_id, email: DANA });
    });

    test('two commands at once without a server both succeed', async () => {
      const { url } = await newHome(engine);
      const emails = [DANA, 'eve@example.com'];
      await Promise.all(emails.map((email) => printedApart(url, 'developer', 'create', '--email', email)));
      const { developers } = await printed(url, 'developer', 'list');
      expect(developers.map(({ email }: { email: string }) => email).sort()).toEqual(emails);
    });
  },
);

test('a command that is killed saves all of its changes or none, and the next command succeeds', async () => {
  const { url } = await newHome();
  await printedApart(url, 'developer', 'create', '--email', DANA);
  const log = `${url.slice('file:'.length)}-wal`;
  expect(existsSync(log)).toBe(false);
  const env = { ...process.env, ...PRODUCTION, DATABASE_URL: url };
  const line = [await builtCommand(), 'app', 'create', ...WANTED];
  const child = spawn(process.execPath, line, { env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  // it has opened the database
  await until(() => expect(existsSync(log)).toBe(true)).finally(() => child.kill('SIGKILL'));
  await exited;
  const { applications } = await printed(url, 'app', 'list');
  expect(applications.length).toBeLessThan(2);
  await printed(url, 'app', 'create', ...WANTED);
  const { developers } = await printed(url, 'developer', 'list');
  expect(developers).toMatchObject([{ email: DANA, applications: applications.length + 1 }]);
});

test('a passenger is suspended and restored without a server and with a running production server', async () => {
  const { url, start, withStore } = await newHome();
  await withStore(async (store) => {
    await seedLiveWorld(store, Date.now());
    await seedDemo(store, Date.now(), PRODUCTION.PUBLIC_URL);
  });
  const settings = { NODE_ENV: 'production', DATABASE_URL: url };
  /** @param audited what the command writes to the audit trail; a server that does the work writes it itself */
  const isSuspended = async (verb: string, audited: readonly string[] = []) => {
    const { code, stdout, stderr } = await runCommand(['passenger', verb, MAYA, '--json'], settings);
    const lines = stderr.split('\n').filter((line) => line !== '');
    expect([code, lines.map((line) => JSON.parse(line).result)]).toEqual([0, audited]);
    return JSON.parse(stdout).account_disabled;
  };
  expect(await isSuspended('suspend', ['suspended'])).toBe(true);
  await start(PRODUCTION);
  expect(await isSuspended('show')).toBe(true);
  expect(await isSuspended('restore')).toBe(false);
  const page = await runHere(['passenger', 'list', '--limit', '2'], settings);
  expect(page).toMatchObject({ code: 0, stdout: expect.stringContaining('--after') });
  const { stdout } = await runHere(['passenger', 'driver-mode', 'on', MAYA], settings);
  expect(stdout).toContain('Cannot request rides: user_in_driver_mode.');
});

test('ridehail-server start serves at the port and from the folder of its options, until a signal stops it', async () => {
  const { url } = await newHome();
  const folder = dirname(url.slice('file:'.length));
  const port = String(await freePort());
  const line = [await builtCommand(), 'start', '--port', port, '--data', folder];
  const child = spawn(process.execPath, line, { env: { ...process.env, NODE_ENV: 'development' }, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await until(async () => expect((await fetch(`http://localhost:${port}/readyz`)).status).toBe(200));
  expect(existsSync(join(folder, 'ridehail.db'))).toBe(true);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

/** Runs a command whose output goes nowhere. @returns its exit code and what it says */
async function unheard(stdout: 'pipe' | number) {
  const child = spawn(process.execPath, [await builtCommand(), '--help'], { stdio: ['ignore', stdout, 'pipe'] });
  child.stdout?.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
  return [code, stderr];
}

test('a command whose reader has ended, such as head, ends without a message', async () => {
  expect(await unheard('pipe')).toEqual([0, '']);
});

test.runIf(existsSync('/dev/full'))('a command that cannot write its output says so in a line and fails', async () => {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  expect(await unheard(full)).toEqual([1, expect.stringMatching(/^Cannot write the output: ENOSPC.*\n$/)]);
});
