import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { STAGES } from '../../scripts/bench/profile/stages.ts';
import { AIMS, BARE, MEASURED, PEERS } from '../../scripts/bench/requests/operations.ts';
import { OWN } from '../../scripts/bench/requests.ts';
import { engines, everyEngine } from '../support/database.ts';

const bench = (...options: string[]) =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/bench.ts', ...options]);

const a = (kind: 'rate' | 'latency') =>
  expect.toSatisfy((value) => value > 0 && value < Number.POSITIVE_INFINITY, kind);
const SPEED = { rate: a('rate'), p50: a('latency'), p99: a('latency') };
const SPEEDS = { saturated: SPEED, halfLoaded: SPEED, cpuPerEvent: a('rate') };

test.each(engines)(
  'the bench measures webhook deliveries on %s, without and with hanging receivers, and with a backlog',
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

test.each(everyEngine)('the bench measures resets and deletions of a world on %s', async (engine) => {
  const { stdout } = await bench('worlds', '--engine', engine, '--quick', '--json');
  const durations = { median: a('latency'), longest: a('latency'), cpu: a('latency') };
  expect(JSON.parse(stdout)).toMatchObject({ engine, quick: true, reset: durations, deletion: durations });
});

test.each(engines)('the bench compares requests on %s with other servers', async (engine) => {
  const { stdout } = await bench('requests', '--engine', engine, '--quick', '--json');
  const { rows, verdicts, ...figures } = JSON.parse(stdout);
  expect(figures).toMatchObject({ engine, quick: true, rounds: 1 });
  const bare = engine === 'sqlite' ? [BARE] : [];
  const measured = [...Object.keys(PEERS), ...Object.keys(MEASURED).map(() => OWN), ...bare];
  expect(rows.map(({ server }: { server: string }) => server).sort()).toEqual(measured.sort());
  for (const row of rows) expect(row).toMatchObject({ rate: { median: a('rate') }, cpu: { median: a('rate') } });
  expect(verdicts).toHaveLength(engine === 'sqlite' ? AIMS.length : AIMS.length - 1);
});

test('the bench profiles an operation by stages', async () => {
  const { stdout } = await bench('profile', 'cost', '--quick', '--json');
  const { shares, ...figures } = JSON.parse(stdout);
  expect(figures).toMatchObject({ operation: 'cost', requests: a('rate'), perRequest: a('latency') });
  expect(Object.keys(shares)).toEqual([...STAGES]);
  expect(readFileSync(figures.flame, 'utf8')).toContain('estimateCost');
});

test('the bench measures how the number of cars in a city affects an estimate', async () => {
  const { stdout } = await bench('cars', '--quick', '--json');
  const figures = { estimate: a('latency'), estimateAMinuteLater: a('latency') };
  const cities = [1000, 100_000].map((cars) => ({ cars, ...figures }));
  expect(JSON.parse(stdout)).toMatchObject({ quick: true, cities, ratio: a('rate') });
});

test.each(engines)('the bench measures the start of the built server on %s', async (engine) => {
  const { stdout } = await bench('start', '--engine', engine, '--quick', '--json');
  const [own, other] = engine === 'sqlite' ? ['libsql', 'pg'] : ['pg', 'libsql'];
  const figures = JSON.parse(stdout);
  expect(figures).toMatchObject({ engine, quick: true, server: a('latency'), script: a('latency'), ratio: a('rate') });
  expect(figures.packages).toEqual(expect.arrayContaining(['express', own]));
  // these packages are loaded on first use
  expect(figures.packages).not.toEqual(expect.arrayContaining([expect.stringMatching(`^(${other}|undici|zod)$`)]));
});

const ratio = { median: a('rate'), lowest: a('rate'), highest: a('rate') };
const pace = { rate: a('rate'), cpuMs: expect.any(Number) };

test.each(engines)('the bench compares requests with many rides to those with few on %s', async (engine) => {
  const { stdout } = await bench('scale', '--engine', engine, '--quick', '--json');
  const figures = JSON.parse(stdout);
  expect(figures).toMatchObject({ engine, quick: true, sizes: { small: { rides: 100 }, large: { rides: 1000 } } });
  const names = ['ride details', 'first page of history', 'last page of history', 'eta'];
  const operations = names.map((operation) => ({ operation, paces: { small: pace, large: pace }, ratio }));
  expect(figures.operations).toMatchObject(operations);
});

test.runIf(engines.includes('postgres'))('the bench measures requests on several instances', async () => {
  const { stdout } = await bench('instances', '--quick', '--json');
  const { operations, ...figures } = JSON.parse(stdout);
  expect(figures).toMatchObject({ quick: true, rounds: 1, resting: { serverMs: expect.any(Number) } });
  expect(operations).toHaveLength(4);
  for (const { figures: ofEach } of operations) {
    // the result can be negative, because the idle cost is subtracted and there are few requests
    const figure = { serverMs: expect.any(Number), postgresMs: expect.any(Number), statements: expect.any(Number) };
    expect(ofEach).toMatchObject([1, 2, 2, 4, 4].map((instances) => ({ instances, ...figure })));
  }
});

test.runIf(engines.includes('postgres'))(
  'the bench measures requests with few and with many connections to PostgreSQL',
  async () => {
    const { stdout } = await bench('pool', '--quick', '--json');
    const paces = [1, 10].map((connections) => ({ connections, rate: a('rate'), ratio }));
    expect(JSON.parse(stdout)).toMatchObject({ quick: true, operations: Array(3).fill({ paces }) });
  },
);

test('the bench compares requests on many connections to those on few', async () => {
  const { stdout } = await bench('connections', '--quick', '--json');
  const [few, many] = [4, 40].map((connections) => ({ connections, ...pace }));
  expect(JSON.parse(stdout)).toMatchObject({ quick: true, few, many, ratio });
});

test('the bench measures the memory of a server', async () => {
  const { stdout } = await bench('memory', '--quick', '--json');
  const figures = { idle: a('rate'), loaded: a('rate'), growth: expect.any(Number), requests: a('rate') };
  expect(JSON.parse(stdout)).toMatchObject({ quick: true, ...figures });
});

test('the table names the machine that the figures depend on', async () => {
  const { stdout } = await bench('worlds', '--quick');
  expect(stdout).toMatch(/^sqlite, quick: these figures mean nothing; \d+ cores, load .* fsyncs\/s, node v\d/);
  expect(stdout).toContain('| median ms | longest ms |');
});

test('an unknown bench is an error of one line', async () => {
  await expect(bench('nothing')).rejects.toMatchObject({
    code: 1,
    stderr:
      'Say what to measure: npm run bench -- webhooks, worlds, requests, scale, instances, pool, connections, memory, cars, start, profile, profiles or ratios\n',
  });
});
