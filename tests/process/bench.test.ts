import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { engines, everyEngine } from '../support/database.ts';

const bench = (...options: string[]) =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/bench.ts', ...options]);

const a = (kind: 'rate' | 'latency') =>
  expect.toSatisfy((value) => value > 0 && value < Number.POSITIVE_INFINITY, kind);
const SPEED = { rate: a('rate'), p50: a('latency'), p99: a('latency') };
const SPEEDS = { saturated: SPEED, halfLoaded: SPEED, cpuPerEvent: a('rate') };

test.each(engines)(
  'how fast webhooks are delivered can be measured on %s, without and with receivers that hang, and with a backlog',
  async (engine) => {
    const { stdout } = await bench('webhooks', '--engine', engine, '--quick', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      engine,
      quick: true,
      oneReceiver: SPEEDS,
      hundredReceivers: {
        endpoints: 20,
        hanging: 2,
        allHealthy: SPEEDS,
        someHang: SPEEDS,
        ratio: a('rate'),
        ratioByCpu: a('rate'),
      },
      backlog: { events: 500, drainRate: a('rate'), newcomers: SPEED },
      repeated: 0,
    });
  },
);

test.each(everyEngine)('how long it takes to reset and to delete a world can be measured on %s', async (engine) => {
  const { stdout } = await bench('worlds', '--engine', engine, '--quick', '--json');
  const durations = { median: a('latency'), longest: a('latency'), cpu: a('latency') };
  expect(JSON.parse(stdout)).toMatchObject({ engine, quick: true, reset: durations, deletion: durations });
});

test('what an empty route costs can be measured by stock Express', async () => {
  const { stdout } = await bench('requests', '--quick', '--json');
  const cpuPerRequest = { 'node:http': a('latency'), 'stock Express': a('latency'), ridehail: a('latency') };
  expect(JSON.parse(stdout)).toMatchObject({ quick: true, cpuPerRequest, ratio: a('rate') });
});

test.each(engines)('how long the built server takes to start on %s can be measured', async (engine) => {
  const { stdout } = await bench('start', '--engine', engine, '--quick', '--json');
  const [own, other] = engine === 'sqlite' ? ['libsql', 'pg'] : ['pg', 'libsql'];
  const figures = JSON.parse(stdout);
  expect(figures).toMatchObject({ engine, quick: true, server: a('latency'), script: a('latency'), ratio: a('rate') });
  expect(figures.packages).toEqual(expect.arrayContaining(['express', own]));
  // these are loaded when they are needed
  expect(figures.packages).not.toEqual(expect.arrayContaining([expect.stringMatching(`^(${other}|undici|zod)$`)]));
});

test('as a table it says what the figures hang on', async () => {
  const { stdout } = await bench('webhooks', '--quick');
  expect(stdout).toMatch(/^sqlite, quick: these figures mean nothing; \d+ cores, load .* fsyncs\/s, node v\d/);
  expect(stdout).toContain('| 18 of 20 receivers, saturated |');
});

test('what cannot be measured is said in a line', async () => {
  await expect(bench('nothing')).rejects.toMatchObject({
    code: 1,
    stderr: 'Say what to measure: npm run bench -- webhooks, worlds, requests or start\n',
  });
});
