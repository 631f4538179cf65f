import { expect, test } from 'vitest';
import { newHome, runCommand, runHere } from './support.ts';

const MAYA = 'maya@example.com';
/** What a server needs to start in production. */
const PRODUCTION = { NODE_ENV: 'production', PUBLIC_URL: 'https://rides.example.com', DRAIN_SECONDS: '0' };

// operator.test.ts runs such commands after a kill, and first-steps.test.ts on PostgreSQL
test('npm run passenger suspends and restores without a server and with a running production server', async () => {
  const { url, start } = await newHome();
  const set = { NODE_ENV: 'production', DATABASE_URL: url };
  expect(await runCommand('passenger', ['list'], set)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No database found at'),
  });
  await (await start()).end('SIGTERM');
  /** @param audited what the command writes to the audit trail; a server that does the work writes it itself */
  const isSuspended = async (verb: string, audited: readonly string[] = []) => {
    const { code, stdout, stderr } = await runCommand('passenger', [verb, MAYA, '--json'], set);
    const lines = stderr.split('\n').filter((line) => line !== '');
    expect([code, lines.map((line) => JSON.parse(line).result)]).toEqual([0, audited]);
    return JSON.parse(stdout).account_disabled;
  };
  expect(await isSuspended('suspend', ['suspended'])).toBe(true);
  await start(PRODUCTION);
  expect(await isSuspended('show')).toBe(true);
  expect(await isSuspended('restore')).toBe(false);
  expect(await runHere('passenger', ['list', '--limit', '2'], set)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('--after'),
  });
  expect(await runHere('passenger', ['driver-mode', 'on', MAYA], set)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Cannot request rides: user_in_driver_mode.'),
  });
  expect(await runHere('passenger', ['show', 'eve'], set)).toMatchObject({
    code: 1,
    stderr: 'No passenger found for eve.',
  });
});

test('prints its usage, and exits with code 2 after an invalid command line', async () => {
  expect(await runHere('passenger', ['--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('driver-mode on|off'),
  });
  const misuses = [
    [],
    ['love'],
    ['show'],
    ['show', 'a', 'b'],
    ['list', MAYA],
    ['list', '--limit', '0'],
    ['show', MAYA, '--limit', '1'],
  ];
  for (const words of [...misuses, ['driver-mode', MAYA], ['list', '--all']]) {
    expect([words, (await runHere('passenger', words)).code]).toEqual([words, 2]);
  }
});
