import { spawnSync } from 'node:child_process';
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

const promtool = (words: readonly string[], input = '') => {
  const { status, stdout, stderr } = spawnSync('promtool', words, { encoding: 'utf8', input });
  return { status, output: stdout + stderr };
};

/** Runs promtool on a file with this content. */
function promtoolOn(content: object, ...words: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'ridehail-alerts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'input.json');
  // JSON is valid YAML
  writeFileSync(file, JSON.stringify(content));
  return promtool([...words, file]);
}

/** Expects promtool to find these alerts or values in series of one sample a minute. */
function expectToPass(...trials: readonly (readonly [lines: Series, expected: object])[]): void {
  const tests = trials.map(([lines, expected]) => ({ interval: '1m', input_series: series(lines), ...expected }));
  const result = promtoolOn({ rule_files: [resolve(RULES)], evaluation_interval: '1m', tests }, 'test', 'rules');
  expect(result).toEqual({ status: 0, output: expect.stringContaining('SUCCESS') });
}

test('promtool finds no problem in the rules', () => {
  expect(promtool(['check', 'rules', '--lint-fatal', RULES])).toMatchObject({ status: 0 });
});

test('every query of the dashboard parses', () => {
  const rules = queries.map(({ expr }, n) => ({ record: `query${n}`, expr }));
  const result = promtoolOn({ groups: [{ name: 'dashboard', rules }] }, 'check', 'rules');
  expect(result).toEqual({ status: 0, output: expect.stringContaining(`${queries.length} rules found`) });
});

const DOCUMENT = readFileSync('docs/operate.md', 'utf8');

test('docs/operate.md explains each alert, and no others', () => {
  const headings = [...DOCUMENT.matchAll(/^### (Ridehail\w+)$/gm)].map(([, name]) => name);
  expect(headings.sort()).toEqual(rules.map(({ alert }) => alert).sort());
});

/** Series in promtool's notation: a name, perhaps labels, and samples. Those without labels are of the instance `a`. */
type Series = readonly string[];

const series = (lines: Series) =>
  lines.map((line) => {
    const [, name, labels = 'instance="a"', values] = /^(\w+)(?:\{(.*)\})? (.*)$/.exec(line)!;
    return { series: `${name}{job="ridehail", ${labels}}`, values };
  });
const requests = (status: number, values: string, simulated = false) =>
  `ridehail_http_requests_total{operation="getRide", status="${status}", simulated="${simulated}"} ${values}`;
const attempts = (result: string, values: string) =>
  `ridehail_webhook_attempts_total{world="live", result="${result}"} ${values}`;
const within = (le: string, values: string) =>
  `ridehail_http_request_duration_seconds_bucket{operation="getRide", le="${le}"} ${values}`;
const late = (what: string, seconds: number, world = 'live') =>
  `ridehail_${what}_oldest_due_age_seconds{world="${world}"} ${seconds}x20`;
const waiting = (values: string) => `ridehail_database_waiting_queries{purpose="requests"} ${values}`;
const version = (instance: string, name: string) =>
  `ridehail_build_info{instance="${instance}", version="${name}"} 1x90`;
const started = (values: string) => `process_start_time_seconds ${values}`;
const lag = (seconds: number) => `nodejs_eventloop_lag_p99_seconds ${seconds}x20`;
const open = (count: number) => [`process_open_fds ${count}x20`, 'process_max_fds 1024x20'];

/**
 * For each alert: after how many minutes it is checked, series for which it fires, and series for which it does not.
 */
const CASES: Readonly<Record<string, readonly [minutes: number, firing: Series, quiet: Series]>> = {
  RidehailDown: [5, ['up 1 1 0x10'], ['up 1x10']],
  RidehailDatabaseDown: [5, ['ridehail_database_up 0x10'], ['ridehail_database_up 1 0 1x10']],
  RidehailFailures: [
    15,
    [requests(200, '0+980x20'), requests(500, '0+20x20')],
    [requests(200, '0+980x20'), requests(500, '0+20x20', true), requests(404, '0+20x20')],
  ],
  RidehailSlow: [
    20,
    [within('1', '0+90x30'), within('2.5', '0+100x30'), within('+Inf', '0+100x30')],
    [within('1', '0+100x30'), within('2.5', '0+100x30'), within('+Inf', '0+100x30')],
  ],
  RidehailTimersLate: [10, [late('timers', 61)], [late('timers', 61, 'sandbox')]],
  RidehailDeliveriesLate: [10, [late('deliveries', 121)], [late('deliveries', 119)]],
  RidehailDeliveriesFail: [
    40,
    [attempts('delivered', '0+4x60'), attempts('failed', '0+3x60'), attempts('refused', '0+3x60')],
    [attempts('delivered', '0+6x60'), attempts('failed', '0+2x60'), attempts('refused', '0+2x60')],
  ],
  RidehailQueriesWait: [10, [waiting('3x20')], [waiting('3 0 3 0 3 0 3 0 3 0 3')]],
  RidehailBusy: [15, [lag(0.3)], [lag(0.1)]],
  RidehailFilesRunOut: [10, open(900), open(500)],
  RidehailRestarts: [14, [started('1 1 2 2 3 3 4 4x10')], [started('1x7 2x20')]],
  RidehailVersionsDiffer: [70, [version('a', '1'), version('b', '2')], [version('a', '1'), version('b', '1')]],
};

test('each alert has a case', () => {
  expect(Object.keys(CASES)).toEqual(rules.map(({ alert }) => alert));
});

test.each(Object.entries(CASES))('%s fires for its series, and not for the others', (alert, [at, firing, quiet]) => {
  const expr = `count(ALERTS{alertname="${alert}", alertstate="firing"})`;
  const counted = (...exp_samples: object[]) => ({ promql_expr_test: [{ expr, eval_time: `${at}m`, exp_samples }] });
  expectToPass([firing, counted({ labels: '{}', value: 1 })], [quiet, counted()]);
});

test.each([
  ['the server', ['up 0x10'], { instance: 'a' }, 'a'],
  ['any server if Prometheus has no target', [], {}, 'any server'],
])('RidehailDown names %s', (_, lines, labels, server) => {
  const down = rules.find(({ alert }) => alert === 'RidehailDown')!;
  const description = `Prometheus has had no metrics from ${server} for two minutes.`;
  const exp_labels = { ...down.labels, job: 'ridehail', ...labels };
  const exp_alerts = [{ exp_labels, exp_annotations: { ...down.annotations, description } }];
  expectToPass([lines, { alert_rule_test: [{ alertname: down.alert, eval_time: '5m', exp_alerts }] }]);
});

/** The page at the metrics port of a server that has handled a request. Only PostgreSQL has connection pools. */
async function scrape(): Promise<string> {
  const { url, drop } = await newDatabase(everyEngine.at(-1)!);
  const port = await freePort();
  const server = await startServerProcess({ DATABASE_URL: url, METRICS_PORT: String(port) });
  const scraped = until(async () => {
    await fetch(`${server.baseUrl}/openapi.json`).then((response) => response.text());
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    // absent until V8 has reported its first garbage collection
    expect(text).toContain('nodejs_gc_duration_seconds_sum');
    return text;
  });
  return scraped.finally(() => server.end('SIGTERM')).finally(drop);
}

let page: string;
beforeAll(async () => {
  page = await scrape();
});

test('docs/operate.md lists each of our metrics', () => {
  const own = [...page.matchAll(/^# TYPE (ridehail_\S+) /gm)].map(([, name]) => name);
  expect(own.filter((name) => !DOCUMENT.includes(`\`${name}\``))).toEqual([]);
});

test('promtool finds no problem in our metrics', () => {
  const own = page.split('\n').filter((line) => / ridehail_|^ridehail_/.test(line));
  expect(promtool(['check', 'metrics'], `${own.join('\n')}\n`)).toEqual({ status: 0, output: '' });
});

/** SQLite has no pool, so its servers do not have these metrics. */
const OF_POOLS = /\bridehail_database_(?:idle_)?(?:connections|waiting)/;
const isMeasured = ([, expr]: readonly [string, string]) => everyEngine.at(-1) !== 'sqlite' || !OF_POOLS.test(expr);

describe.each([
  ['alert', rules.map(({ alert, expr }) => [alert, expr] as const)],
  ['query of the dashboard', queries.map(({ title, expr }) => [title, expr] as const)],
])('each %s', (_, all) => {
  test.each(all.filter(isMeasured))('%s: a server exports its metrics with these labels', (_, expr) => {
    const used = [...expr.matchAll(/\b((?:ridehail|nodejs|process)_\w+)\b(?:\{([^}]*)\})?|\bup\b/g)];
    expect(used.length).toBeGreaterThan(0);
    // Prometheus adds `up` and two labels
    for (const [, name, matchers = ''] of used.filter(([, one]) => one !== undefined)) {
      const exported = [...page.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? `, 'gm'))].map(
        ([, labels = '']) => labels,
      );
      expect(exported, name).not.toEqual([]);
      const known = ['job', 'instance', ...exported.flatMap((labels) => labels.match(/\w+(?==")/g) ?? [])];
      for (const [, label] of matchers.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)) expect(known).toContain(label);
    }
  });
});

test.runIf(everyEngine.includes('postgres'))('every connection pool has metrics', () => {
  const purposes = [...page.matchAll(/^ridehail_database_connections\{purpose="(\w+)"\}/gm)].map(([, name]) => name);
  expect([...purposes, 'migrations'].sort()).toEqual(Object.keys(CONNECTION_BOUNDS).sort());
});
