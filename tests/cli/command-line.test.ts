import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newUrl } from '../support/started.ts';
import { INHERITED } from '../tools/values/sound.ts';
import { runHere } from './support.ts';

const PRODUCTION = { NODE_ENV: 'production', PUBLIC_URL: 'https://rides.example.com' };
const DANA = 'dana@example.com';
const WANTED = ['--name', 'Mine', '--redirect-uri', 'https://app.example.com/callback', '--developer', DANA];
const PASSWORD = 's3cret-password';
const SERVER = `postgres://ridehail:${PASSWORD}@localhost:1/ridehail`;

test.each<[string, string[]]>([
  ['Missing command.', []],
  ['Unknown command: love.', ['love']],
  ['Unknown command: --all.', ['--all']],
  ['Missing command.', ['developer']],
  ['Unknown command: love.', ['developer', 'love']],
  ...INHERITED.flatMap((name) =>
    [[name], ['developer', name]].map((words): [string, string[]] => [`Unknown command: ${name}.`, words]),
  ),
  ['Missing option: --email E.', ['developer', 'create']],
  [`Unknown argument: ${DANA}.`, ['developer', 'create', DANA]],
  ['Missing argument: EMAIL|ID.', ['developer', 'delete']],
  ['list does not support --email.', ['developer', 'list', '--email', DANA]],
  ['--limit must be a whole number from 1 to 100.', ['developer', 'list', '--limit', '101']],
  ["Unknown option '--all'", ['developer', 'list', '--all']],
  ['Missing option: --name N.', ['app', 'create', '--redirect-uri', 'https://a.example']],
  ['Missing option: --redirect-uri U.', ['app', 'create', '--name', 'Mine']],
  ['Missing option: --developer EMAIL|ID.', ['app', 'create', ...WANTED.slice(0, 4)]],
  ['--limit must be a whole number from 1 to 50.', ['app', 'list', '--limit', '51']],
  ['Add either --live or --sandbox.', ['app', 'rotate', '1']],
  ['Add either --live or --sandbox.', ['app', 'rotate', '1', '--live', '--sandbox']],
  ['--overlap-hours must be a number', ['app', 'rotate', '1', '--live', '--overlap-hours', 'a']],
  ['Add at least one option to change.', ['app', 'set', '1']],
  ['not both', ['app', 'set', '1', '--webhook-url', 'https://a.example', '--no-webhook-url']],
  ['--webhook-url is empty.', ['app', 'set', '1', '--webhook-url', '']],
  ['must be on or off', ['app', 'set', '1', '--rotate-refresh-tokens', 'yes']],
  ['set does not support --yes.', ['app', 'set', '1', '--yes', '--name', 'A']],
  ['Missing argument: EMAIL|ID.', ['passenger', 'show']],
  ['Unknown argument: b.', ['passenger', 'show', 'a', 'b']],
  ['--limit must be a whole number', ['passenger', 'list', '--limit', '0']],
  ['show does not support --limit.', ['passenger', 'show', DANA, '--limit', '1']],
  ['Missing argument: EMAIL|ID.', ['passenger', 'driver-mode', DANA]],
  ['must be on or off', ['passenger', 'driver-mode', 'maybe', DANA]],
  ['Missing argument: FILE.', ['backup']],
  ['Unknown argument: b.', ['restore', 'a', 'b']],
  ['Unknown argument: now.', ['start', 'now']],
  ['--data is empty.', ['start', '--data', '']],
  ['--port is empty.', ['start', '--port', '']],
  ['Missing option: --to postgres://', ['copy-to-postgres']],
  ['--to must be postgres://', ['copy-to-postgres', '--to', 'file:a.db']],
  ['--to must be postgres://', ['copy-to-postgres', '--to', 'mysql://db']],
  ['--to is invalid: Invalid URL', ['copy-to-postgres', '--to', 'postgres://[/db']],
  ['The schema in --to may contain only', ['copy-to-postgres', '--to', `${SERVER}?schema=A-b`]],
  ['--from or DATABASE_URL must be file:', ['copy-to-postgres', '--from', SERVER, '--to', SERVER]],
  ['Unknown argument: now.', ['copy-to-postgres', 'now', '--to', SERVER]],
  ['Use --client or --user, not both.', ['token', '--client', '--user', 'maya@example.com']],
  ["Unknown option '--too'", ['copy-to-postgres', '--too', SERVER]],
])('the command prints "%s", exits with code 2 and creates no database: %j', async (said, words) => {
  const url = await newUrl('sqlite');
  const { code, stdout, stderr } = await runHere(words, { ...PRODUCTION, DATABASE_URL: url });
  expect([code, stdout, existsSync(url.slice('file:'.length))]).toEqual([2, '', false]);
  expect(stderr).toContain(said);
  expect(stderr).toMatch(/\n\nUse --help for usage\.\n$/);
  expect(stderr).not.toContain(PASSWORD);
});

test.each([
  [[], 'ridehail-server copy-to-postgres   Copy an SQLite database to PostgreSQL.'],
  [['start'], '--data DIR'],
  [['app'], 'rotate ID --live|--sandbox'],
  [['app', 'create'], 'rotate ID --live|--sandbox'],
  [['developer'], 'reset-password EMAIL|ID'],
  [['passenger'], 'driver-mode on|off'],
  [['backup'], 'ridehail-server backup FILE'],
  [['restore'], 'ridehail-server restore FILE'],
  [['token'], 'ridehail-server token ['],
  [['demo'], '--webhook-url URL'],
  [['copy-to-postgres'], 'Copies an SQLite database to an empty PostgreSQL database.'],
])('ridehail-server %j --help prints the help and the exit codes', async (words, said) => {
  const { code, stdout, stderr } = await runHere([...words, '--help']);
  expect(await runHere([...words, '-h'])).toEqual({ code, stdout, stderr });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(said);
  expect(stdout).toMatch(words[0] === 'start' ? /exits with code 1/ : /^Exit codes: 0 success, 1 failure, 2 invalid/m);
});

test.each<[words: string[], database: string, said: RegExp]>([
  [['backup', 'a-backup'], 'file:./absent.db', /^There is no database at .*absent\.db/m],
  [['backup', 'a-backup'], 'mysql://db', /DATABASE_URL must be/],
  [['copy-to-postgres', '--to', SERVER], 'file:./absent.db', /^There is no database at .*absent\.db/m],
])('without a database, %j is an error and creates no file', async (words, database, said) => {
  const { code, stdout, stderr } = await runHere(words, { DATABASE_URL: database });
  expect([code, stdout, existsSync('absent.db'), existsSync('a-backup')]).toEqual([1, '', false, false]);
  expect(stderr).toMatch(said);
  expect(stderr).not.toContain(PASSWORD);
});

test('commands need the settings that they use, and only create and invite create a database', async () => {
  const url = await newUrl('sqlite');
  const set = { ...PRODUCTION, DATABASE_URL: url };
  for (const words of [
    ['developer', 'list'],
    ['developer', 'delete', DANA],
    ['app', 'list'],
    ['app', 'create', ...WANTED],
    ['passenger', 'list'],
  ]) {
    const stderr = expect.stringMatching(/^No database found at .*\. Check DATABASE_URL\.\n$/);
    expect(await runHere(words, set)).toMatchObject({ code: 1, stderr });
  }
  expect(existsSync(url.slice('file:'.length))).toBe(false);
  const failing = async (words: string[], environment: typeof set, said: string) =>
    expect(await runHere(words, environment)).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
  const nameless = { ...set, PUBLIC_URL: undefined as unknown as string };
  await failing(['developer', 'create', '--email', DANA], nameless, 'PUBLIC_URL is not set');
  expect(await runHere(['developer', 'list'], nameless)).toMatchObject({ code: 0, stdout: 'No results.\n' });
  await failing(['developer', 'invite', '--email', DANA], set, 'PORTAL_SIGN_UP is off');
  await failing(['developer', 'list'], { ...set, PUBLIC_URL: 'http://a' }, 'PUBLIC_URL must be');
  await failing(['passenger', 'show', 'eve'], set, 'No passenger found for eve.');
  for (const name of ['token', 'demo']) await failing([name], set, 'The demo application is for development,');
});
