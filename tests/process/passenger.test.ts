import { execFile } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { builtCommand } from '../../scripts/support/built-server.ts';
import { everyEngine } from '../support/database.ts';
import { newHome } from './support.ts';

const MAYA = 'maya@example.com';
/** What a server needs to start in production. */
const PRODUCTION = { NODE_ENV: 'production', PUBLIC_URL: 'https://rides.example.com', DRAIN_SECONDS: '0' };

/** Runs the command to its end. */
async function passenger(url: string, ...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, NODE_ENV: 'production', DATABASE_URL: url };
  const file = await builtCommand('passenger');
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...words], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

describe.each(everyEngine)('npm run passenger, on %s', (engine) => {
  test('suspends and restores with a running production server, after it is killed, and without a server', async () => {
    const { url, start } = await newHome(engine);
    await (await start()).end('SIGTERM');
    /** @param audited what the command writes to the audit trail; a server that does the work writes it itself */
    const isSuspended = async (verb: string, audited: readonly string[] = []) => {
      const { code, stdout, stderr } = await passenger(url, verb, MAYA, '--json');
      const lines = stderr.split('\n').filter((line) => line !== '');
      expect([code, lines.map((line) => JSON.parse(line).result)]).toEqual([0, audited]);
      return JSON.parse(stdout).account_disabled;
    };
    const byServer = (result: string) => (engine === 'sqlite' ? [] : [result]);
    expect(await isSuspended('suspend', ['suspended'])).toBe(true);
    const server = await start(PRODUCTION);
    expect(await isSuspended('show')).toBe(true);
    expect(await isSuspended('restore', byServer('restored'))).toBe(false);
    await server.end('SIGKILL');
    expect(await isSuspended('suspend', ['suspended'])).toBe(true);
    await start(PRODUCTION);
    expect(await isSuspended('restore', byServer('restored'))).toBe(false);
  });
});

test('prints its usage, results and errors, and exits with code 0, 1 or 2', async () => {
  const { url, start } = await newHome();
  expect(await passenger(url, 'list')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No database found at'),
  });
  await start();
  expect(await passenger(url, '--help')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('driver-mode on|off'),
  });
  expect(await passenger(url, 'list', '--limit', '2')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('--after'),
  });
  expect(await passenger(url, 'driver-mode', 'on', MAYA)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Cannot request rides: user_in_driver_mode.'),
  });
  expect(await passenger(url, 'show', 'eve')).toMatchObject({ code: 1, stderr: 'No passenger found for eve.\n' });
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
    expect([words, (await passenger(url, ...words)).code]).toEqual([words, 2]);
  }
});
