import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtCommand } from '../../scripts/support/built-server.ts';
import { everyEngine } from '../support/database.ts';
import { run } from '../support/run.ts';
import { until } from '../support/until.ts';
import { newHome, runCommand, runHere } from './support.ts';

const PRODUCTION = { NODE_ENV: 'production', PUBLIC_URL: 'https://rides.example.com', DRAIN_SECONDS: '0' };
const DANA = 'dana@example.com';
const WANTED = ['--name', 'Mine', '--redirect-uri', 'https://app.example.com/callback', '--developer', DANA];

type Command = 'developer' | 'application';

/** What a command that succeeds prints with --json. */
async function printed(url: string, command: Command, ...words: string[]) {
  const { code, stdout, stderr } = await runCommand(command, [...words, '--json'], {
    ...PRODUCTION,
    DATABASE_URL: url,
  });
  expect([code, stderr.includes('Error')]).toEqual([0, false]);
  return JSON.parse(stdout);
}

// first-steps.test.ts runs the commands on PostgreSQL
describe.each(run === 'long' ? everyEngine : (['sqlite'] as const))(
  'npm run developer and npm run app, on %s',
  (engine) => {
    test('create, change and delete with a running server, after it is killed, and without a server', async () => {
      const { url, start } = await newHome(engine);
      const { developer_id } = await printed(url, 'developer', 'create', '--email', DANA);
      if (engine === 'sqlite') {
        const file = url.slice('file:'.length);
        expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
      }
      const server = await start(PRODUCTION);
      if (engine === 'sqlite') expect(lstatSync(`${url.slice('file:'.length)}.operator`).mode & 0o777).toBe(0o600);
      const made = await printed(url, 'application', 'create', ...WANTED);
      expect(made).toMatchObject({
        developer_id,
        client_secret: expect.stringMatching(/^[\w-]{43}$/),
        webhook_url: null,
      });
      const id: string = made.client_id;
      await server.end('SIGKILL');
      const webhook = ['--webhook-url', 'https://hooks.example.com/a', '--rotate-refresh-tokens', 'on'];
      const set = await printed(url, 'application', 'set', id, ...webhook);
      expect(set).toMatchObject({ webhook_url: 'https://hooks.example.com/a', rotate_refresh_tokens: true });
      await start(PRODUCTION);
      const all = { applications: [{ client_id: id, webhook_url: set.webhook_url }], next: null };
      expect(await printed(url, 'application', 'list', '--developer', DANA)).toMatchObject(all);
      expect(await printed(url, 'application', 'delete', id)).toEqual({ client_id: id, name: 'Mine' });
      expect(await printed(url, 'developer', 'delete', DANA)).toEqual({ developer_id, email: DANA });
    });

    test('two commands at once without a server both succeed', async () => {
      const { url } = await newHome(engine);
      const emails = [DANA, 'eve@example.com'];
      await Promise.all(emails.map((email) => printed(url, 'developer', 'create', '--email', email)));
      const { developers } = await printed(url, 'developer', 'list');
      expect(developers.map(({ email }: { email: string }) => email).sort()).toEqual(emails);
    });
  },
);

test('a command that is killed saves all of its changes or none, and the next command succeeds', async () => {
  const { url } = await newHome();
  await printed(url, 'developer', 'create', '--email', DANA);
  const env = { ...process.env, ...PRODUCTION, DATABASE_URL: url };
  const line = [await builtCommand('application'), 'create', ...WANTED];
  const child = spawn(process.execPath, line, { env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  // it has opened the database
  await until(() => expect(existsSync(`${url.slice('file:'.length)}-wal`)).toBe(true)).finally(() =>
    child.kill('SIGKILL'),
  );
  await exited;
  const { applications } = await printed(url, 'application', 'list');
  expect(applications.length).toBeLessThan(2);
  await printed(url, 'application', 'create', ...WANTED);
  const { developers } = await printed(url, 'developer', 'list');
  expect(developers).toMatchObject([{ email: DANA, applications: applications.length + 1 }]);
});

test('commands need the settings that they use, and only create and invite create a database', async () => {
  const { url } = await newHome();
  const set = { ...PRODUCTION, DATABASE_URL: url };
  for (const [command, ...words] of [
    ['developer', 'list'],
    ['developer', 'delete', DANA],
    ['application', 'list'],
    ['application', 'create', ...WANTED],
  ] as [Command, ...string[]][]) {
    expect(await runHere(command, words, set)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No database found'),
    });
  }
  expect(existsSync(url.slice('file:'.length))).toBe(false);
  const nameless = { ...set, PUBLIC_URL: undefined };
  expect(await runHere('developer', ['create', '--email', DANA], nameless)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('PUBLIC_URL is not set'),
  });
  expect(await runHere('developer', ['list'], nameless)).toMatchObject({ code: 0, stdout: 'No results.' });
  const invite = ['invite', '--email', DANA];
  expect(await runHere('developer', invite, set)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('PORTAL_SIGN_UP is off'),
  });
  expect(await runCommand('developer', invite, { ...set, PORTAL_SIGN_UP: 'invite' })).toMatchObject({ code: 0 });
  expect(await runHere('developer', ['list'], { ...set, PUBLIC_URL: 'http://a' })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('PUBLIC_URL must be'),
  });
});

test.each<[Command, string, string[]]>([
  ['developer', 'Missing command.', []],
  ['developer', 'Unknown command: love.', ['love']],
  ['developer', 'Unknown command: toString.', ['toString']],
  ['developer', 'Missing option: --email E.', ['create']],
  ['developer', 'create takes no arguments.', ['create', DANA]],
  ['developer', 'Usage: delete EMAIL|ID', ['delete']],
  ['developer', 'list does not support --email.', ['list', '--email', DANA]],
  ['developer', '--limit must be a number', ['list', '--limit', '101']],
  ['developer', "Unknown option '--all'", ['list', '--all']],
  ['application', 'Missing option: --name N.', ['create', '--redirect-uri', 'https://a.example']],
  ['application', 'Missing option: --redirect-uri U.', ['create', '--name', 'Mine']],
  ['application', 'Missing option: --developer EMAIL|ID.', ['create', ...WANTED.slice(0, 4)]],
  ['application', '--limit must be a number', ['list', '--limit', '51']],
  ['application', 'Add either --live or --sandbox.', ['rotate', '1']],
  ['application', 'Add either --live or --sandbox.', ['rotate', '1', '--live', '--sandbox']],
  ['application', '--overlap-hours must be a number', ['rotate', '1', '--live', '--overlap-hours', 'a']],
  ['application', 'Add at least one option to change.', ['set', '1']],
  ['application', 'not both', ['set', '1', '--webhook-url', 'https://a.example', '--no-webhook-url']],
  ['application', '--webhook-url is empty.', ['set', '1', '--webhook-url', '']],
  ['application', 'on or off', ['set', '1', '--rotate-refresh-tokens', 'yes']],
  ['application', 'set does not support --yes.', ['set', '1', '--yes', '--name', 'A']],
])('the command %s prints "%s" and exits with code 2: %j', async (command, said, words) => {
  const { url } = await newHome();
  const { code, stdout, stderr } = await runHere(command, words, { ...PRODUCTION, DATABASE_URL: url });
  expect([code, stdout, existsSync(url.slice('file:'.length))]).toEqual([2, '', false]);
  expect(stderr).toContain(said);
  expect(stderr).toContain('Use --help for usage.');
});

test('a process exits with code 2 after an invalid command line, and prints the usage of each command with --help', async () => {
  expect(await runCommand('developer', [])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Missing command/),
  });
  const helps = [await runHere('developer', ['--help']), await runHere('application', ['--help'])];
  expect(helps.map(({ code, stderr }) => [code, stderr])).toEqual(Array(2).fill([0, '']));
  expect(helps[0]!.stdout).toContain('reset-password EMAIL|ID');
  expect(helps[1]!.stdout).toContain('rotate ID --live|--sandbox');
});
