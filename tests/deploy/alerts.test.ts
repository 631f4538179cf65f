import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../../scripts/support/free-port.ts';
import { startServerProcess } from '../../scripts/support/server-process.ts';
import { newDatabase } from '../../scripts/support/temporary-database.ts';
import { CONNECTION_BOUNDS } from '../../server/store/engine/connections.ts';
import { everyEngine } from '../support/database.ts';
import { until } from '../support/until.ts';
import { testWith } from './support/programs.ts';

const test = testWith('promtool');
const RULES = 'docs/operate/alerts.yaml';
const DASHBOARD = 'docs/operate/ridehail-dashboard.json';
/** Prometheus adds this metric; the server does not export it. */
const OF_PROMETHEUS = 'up';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: { readonly summary: string; readonly description: string };
}
const rules: readonly Rule[] = parse(readFileSync(RULES, 'utf8')).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
);

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}
const panels: readonly Panel[] = JSON.parse(readFileSync(DASHBOARD, 'utf8')).panels;
/** Grafana fills in the variables. */
const queries = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => {
    const filled = expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');
    return { title, expr: filled };
  }),
);

/** Writes files for promtool and deletes them when the test ends. @returns their folder */
function folderWith(files: Readonly<Record<string, object>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'ridehail-alerts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // JSON is valid YAML
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content));
  return folder;
}

const promtool = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync('promtool', words, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
};

/** Expects promtool to find these alerts or values in series of one sample a minute. */
function expectToPass(...trials: readonly { readonly series: Series; readonly expected: object }[]): void {
  const tests = trials.map(({ series, expected }) => ({
    interval: '1m',
    input_series: Object.entries(series).map(([series, values]) => ({ series, values })),
    ...expected,
  }));
  const folder = folderWith({ 'test.json': { rule_files: [resolve(RULES)], evaluation_interval: '1m', tests } });
  const { status, output } = promtool('test', 'rules', join(folder, 'test.json'));
  expect([status, output]).toEqual([0, expect.stringContaining('SUCCESS')]);
}

test('promtool finds no problem in the rules', () => {
  expect(promtool('check', 'rules', '--lint-fatal', RULES)).toMatchObject({ status: 0 });
});

test('every query of the dashboard parses', () => {
  const rules = queries.map(({ expr }, n) => ({ record: `query${n}`, expr }));
  const folder = folderWith({ 'queries.json': { groups: [{ name: 'dashboard', rules }] } });
  const { status, output } = promtool('check', 'rules', join(folder, 'queries.json'));
  expect([status, output]).toEqual([0, expect.stringContaining(`${queries.length} rules found`)]);
});

describe('docs/operate.md', () => {
  const page = readFileSync('docs/operate.md', 'utf8');

  test('explains each alert, and no others', () => {
    const headings = [...page.matchAll(/^### (Ridehail\w+)$/gm)].map(([, name]) => name);
    expect(headings.sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });

  test('lists each of our metrics', async () => {
    const own = [...(await scraped).types.keys()].filter((name) => name.startsWith('ridehail_'));
    expect(own.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

/** Samples of `name{labels}`, one a minute, in promtool's notation. */
type Series = Readonly<Record<string, string>>;

const OF_A = 'job="ridehail", instance="a"';
const requests = (labels: string, values: string) => ({ [`ridehail_http_requests_total{${OF_A}, ${labels}}`]: values });
const attempts = (result: string, values: string) => ({
  [`ridehail_webhook_attempts_total{${OF_A}, world="live", result="${result}"}`]: values,
});
const bucket = (le: string, values: string) => ({
  [`ridehail_http_request_duration_seconds_bucket{${OF_A}, operation="getRide", le="${le}"}`]: values,
});
const gauge = (name: string, values: string, labels = '') => ({ [`${name}{${OF_A}${labels}}`]: values });

/**
 * For each alert: after how many minutes it is checked, series for which it fires, and series for which it does not.
 */
const CASES: Readonly<Record<string, readonly [minutes: number, firing: Series, quiet: Series]>> = {
  RidehailDown: [5, gauge('up', '1 1 0x10'), gauge('up', '1x10')],
  RidehailDatabaseDown: [5, gauge('ridehail_database_up', '0x10'), gauge('ridehail_database_up', '1 0 1x10')],
  RidehailFailures: [
    15,
    {
      ...requests('operation="getRide", status="200", simulated="false"', '0+980x20'),
      ...requests('operation="getRide", status="500", simulated="false"', '0+20x20'),
    },
    {
      ...requests('operation="getRide", status="200", simulated="false"', '0+980x20'),
      ...requests('operation="getRide", status="500", simulated="true"', '0+20x20'),
      ...requests('operation="getRide", status="404", simulated="false"', '0+20x20'),
    },
  ],
  RidehailSlow: [
    20,
    { ...bucket('1', '0+90x30'), ...bucket('2.5', '0+100x30'), ...bucket('+Inf', '0+100x30') },
    { ...bucket('1', '0+100x30'), ...bucket('2.5', '0+100x30'), ...bucket('+Inf', '0+100x30') },
  ],
  RidehailTimersLate: [
    10,
    gauge('ridehail_timers_oldest_due_age_seconds', '61x20', ', world="live"'),
    gauge('ridehail_timers_oldest_due_age_seconds', '61x20', ', world="sandbox"'),
  ],
  RidehailDeliveriesLate: [
    10,
    gauge('ridehail_deliveries_oldest_due_age_seconds', '121x20', ', world="live"'),
    gauge('ridehail_deliveries_oldest_due_age_seconds', '119x20', ', world="live"'),
  ],
  RidehailDeliveriesFail: [
    40,
    { ...attempts('delivered', '0+4x60'), ...attempts('failed', '0+3x60'), ...attempts('refused', '0+3x60') },
    { ...attempts('delivered', '0+6x60'), ...attempts('failed', '0+2x60'), ...attempts('refused', '0+2x60') },
  ],
  RidehailQueriesWait: [
    10,
    gauge('ridehail_database_waiting_queries', '3x20', ', purpose="requests"'),
    gauge('ridehail_database_waiting_queries', '3 0 3 0 3 0 3 0 3 0 3', ', purpose="requests"'),
  ],
  RidehailBusy: [
    15,
    gauge('nodejs_eventloop_lag_p99_seconds', '0.3x20'),
    gauge('nodejs_eventloop_lag_p99_seconds', '0.1x20'),
  ],
  RidehailFilesRunOut: [
    10,
    { ...gauge('process_open_fds', '900x20'), ...gauge('process_max_fds', '1024x20') },
    { ...gauge('process_open_fds', '500x20'), ...gauge('process_max_fds', '1024x20') },
  ],
  RidehailRestarts: [
    14,
    gauge('process_start_time_seconds', '1 1 2 2 3 3 4 4x10'),
    gauge('process_start_time_seconds', '1x7 2x20'),
  ],
  RidehailVersionsDiffer: [
    70,
    {
      ...gauge('ridehail_build_info', '1x90', ', version="1.0.0"'),
      'ridehail_build_info{job="ridehail", instance="b", version="1.1.0"}': '1x90',
    },
    {
      ...gauge('ridehail_build_info', '1x90', ', version="1.0.0"'),
      'ridehail_build_info{job="ridehail", instance="b", version="1.0.0"}': '1x90',
    },
  ],
};

test('each alert has a case', () => {
  expect(Object.keys(CASES)).toEqual(rules.map(({ alert }) => alert));
});

test.each(Object.entries(CASES))(
  '%s fires for its series, and not for the others',
  (alert, [minutes, firing, quiet]) => {
    const expr = `count(ALERTS{alertname="${alert}", alertstate="firing"})`;
    const counted = (...exp_samples: object[]) => ({
      promql_expr_test: [{ expr, eval_time: `${minutes}m`, exp_samples }],
    });
    expectToPass(
      { series: firing, expected: counted({ labels: '{}', value: 1 }) },
      { series: quiet, expected: counted() },
    );
  },
);

test.each([
  ['the server', gauge('up', '0x10'), { instance: 'a' }, 'a'],
  ['any server if Prometheus has no target', {}, {}, 'any server'],
])('RidehailDown names %s', (_, series, labels, server) => {
  const down = rules.find(({ alert }) => alert === 'RidehailDown')!;
  const description = `Prometheus has had no metrics from ${server} for two minutes.`;
  const exp_labels = { ...down.labels, job: 'ridehail', ...labels };
  const exp_alerts = [{ exp_labels, exp_annotations: { ...down.annotations, description } }];
  expectToPass({ series, expected: { alert_rule_test: [{ alertname: down.alert, eval_time: '5m', exp_alerts }] } });
});

/** What a server returns at its metrics port. */
interface Scrape {
  readonly page: string;
  /** By the name of a series, so a histogram has one entry each for `_bucket`, `_sum` and `_count`. */
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>;
  readonly types: ReadonlyMap<string, string>;
}

/**
 * Scrapes a server that has handled a request. Uses PostgreSQL if available, because SQLite has no connection pools.
 */
async function scrape(): Promise<Scrape> {
  const { url, drop } = await newDatabase(everyEngine.at(-1)!);
  const port = await freePort();
  const server = await startServerProcess({ DATABASE_URL: url, METRICS_PORT: String(port) });
  try {
    const page = await until(async () => {
      await fetch(`${server.baseUrl}/openapi.json`).then((response) => response.text());
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      // absent until V8 has reported its first garbage collection
      expect(text).toContain('nodejs_gc_duration_seconds_sum');
      return text;
    });
    const labels = new Map<string, Set<string>>();
    for (const [, name, list = ''] of page.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? \S+$/gm)) {
      const known = labels.get(name!) ?? new Set();
      for (const [, label] of list.matchAll(/(\w+)="/g)) known.add(label!);
      labels.set(name!, known);
    }
    const types = new Map([...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]));
    return { page, labels, types };
  } finally {
    await server.end('SIGTERM');
    await drop();
  }
}

let scraped: Promise<Scrape>;
beforeAll(async () => {
  scraped = scrape();
  await scraped;
});

test('promtool finds no problem in our metrics', async () => {
  const { page } = await scraped;
  const own = page.split('\n').filter((line) => / ridehail_|^ridehail_/.test(line));
  expect(() =>
    execFileSync('promtool', ['check', 'metrics'], { input: `${own.join('\n')}\n`, stdio: 'pipe' }),
  ).not.toThrow();
});

/** SQLite has no pool, so its servers do not have these metrics. */
const OF_POOLS = /\bridehail_database_(?:idle_)?(?:connections|waiting)/;
const isMeasured = ([, expr]: readonly [string, string]) => everyEngine.at(-1) !== 'sqlite' || !OF_POOLS.test(expr);

describe.each([
  ['alert', rules.map(({ alert, expr }) => [alert, expr] as const)],
  ['query of the dashboard', queries.map(({ title, expr }) => [title, expr] as const)],
])('each %s', (_, all) => {
  test.each(all.filter(isMeasured))('%s: a server exports its metrics with these labels', async (_, expr) => {
    const { labels } = await scraped;
    const used = [...expr.matchAll(/\b((?:ridehail|nodejs|process)_\w+|up)\b(?:\{([^}]*)\})?/g)];
    expect(used.length).toBeGreaterThan(0);
    for (const [, name, matchers = ''] of used) {
      if (name === OF_PROMETHEUS) continue;
      const known = [...(labels.get(name!) ?? ['no such metric']), 'job', 'instance'];
      for (const [, label] of matchers.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)) expect(known).toContain(label);
      expect(labels.has(name!), name).toBe(true);
    }
  });
});

test('every connection pool has metrics', async () => {
  const { page } = await scraped;
  if (everyEngine.at(-1) === 'sqlite') return;
  const purposes = [...page.matchAll(/^ridehail_database_connections\{purpose="(\w+)"\}/gm)].map(([, name]) => name);
  expect([...purposes, 'migrations'].sort()).toEqual(Object.keys(CONNECTION_BOUNDS).sort());
});
