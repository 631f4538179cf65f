import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { testWith } from './support/programs.ts';

const test = testWith('systemd-analyze');
const UNITS = ['deploy/ridehail.service', 'deploy/ridehail.socket'];
/** How open a service is to attack, from 0 to 100: systemd calls up to 20 safe. */
const MOST_EXPOSED = 20;

const service = readFileSync(UNITS[0]!, 'utf8');
const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(service)![1]!;

test('systemd finds no fault in the units', () => {
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...UNITS], { encoding: 'utf8' });
  // a word that it does not know is a warning
  const ofOurs = stderr.split('\n').filter((line) => line.includes('ridehail'));
  expect([status, ...ofOurs]).toEqual([0]);
});

test('systemd calls the service safe', () => {
  const analyze = ['security', '--offline=true', `--threshold=${MOST_EXPOSED}`, UNITS[0]!];
  expect(() => execFileSync('systemd-analyze', analyze, { stdio: 'pipe' })).not.toThrow();
});

test('the service has longer to stop than a server takes', () => {
  const { drainMs } = readConfig({ NODE_ENV: 'production', PUBLIC_URL: 'https://rides.example.com' });
  const closingMs = 15_000;
  expect(Number(setting('TimeoutStopSec')) * 1000).toBeGreaterThan(drainMs + closingMs);
});
