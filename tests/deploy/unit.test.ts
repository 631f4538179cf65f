import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { MOST_CLOSING_MS, MOST_ENDING_MS, readConfig } from '../../server/config.ts';
import { testWith } from './support/programs.ts';

const test = testWith('systemd-analyze');
const UNITS = ['deploy/ridehail.service', 'deploy/ridehail.socket'];
/** How exposed a service is to attacks, from 0 to 100. systemd considers up to 20 safe. */
const MOST_EXPOSED = 20;

const service = readFileSync(UNITS[0]!, 'utf8');
const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(service)![1]!;

/** The result of `systemd-analyze verify`: the exit code and the messages about our units. */
function verify(...units: string[]): (string | number | null)[] {
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' });
  // an unknown setting is only a warning
  return [status, ...stderr.split('\n').filter((line) => line.includes('ridehail'))];
}

test('systemd finds no problem in the units', () => {
  expect(verify(...UNITS)).toEqual([0]);
});

test('systemd finds no problem in the units of a second server, created as the docs describe', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ridehail-units-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lines = readFileSync('docs/deploy.md', 'utf8').match(/^ *sed "s\/.* deploy\/ridehail\.(socket|service) .*$/gm)!;
  expect(lines).toHaveLength(2);
  for (const line of lines) execFileSync('sh', ['-c', line.replace('sudo tee /etc/systemd/system/', `tee ${folder}/`)]);
  const [socket, own] = ['socket', 'service'].map((kind) => join(folder, `ridehail-2.${kind}`)) as [string, string];
  expect(verify(own, socket)).toEqual([0]);
  expect(readFileSync(socket, 'utf8')).toContain('ListenStream=127.0.0.1:8081');
  expect(readFileSync(own, 'utf8')).toMatch(/^Requires=ridehail-2\.socket$/m);
});

test('systemd considers the service safe', () => {
  const analyze = ['security', '--offline=true', `--threshold=${MOST_EXPOSED}`, UNITS[0]!];
  expect(() => execFileSync('systemd-analyze', analyze, { stdio: 'pipe' })).not.toThrow();
});

test('a service whose database is away starts again until it is back', () => {
  expect([setting('Restart'), setting('StartLimitIntervalSec')]).toEqual(['always', '0']);
});

test('the service has more time to stop than a server needs', () => {
  const { drainMs } = readConfig({ NODE_ENV: 'production', PUBLIC_URL: 'https://rides.example.com' });
  expect(Number(setting('TimeoutStopSec')) * 1000).toBeGreaterThan(drainMs + MOST_CLOSING_MS + MOST_ENDING_MS);
});
