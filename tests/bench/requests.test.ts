import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { argumentsIn } from '../../scripts/bench/arguments.ts';
import { withPart } from '../../scripts/bench/page.ts';
import { flameGraph } from '../../scripts/bench/profile/flame.ts';
import { samplesIn } from '../../scripts/bench/profile/samples.ts';
import { fileOf, STAGES, stageOf, stageOfFile } from '../../scripts/bench/profile/stages.ts';
import { comparedWith } from '../../scripts/bench/ratios.ts';
import { AIMS, MEASURED, PEERS } from '../../scripts/bench/requests/operations.ts';
import { requestsPlot } from '../../scripts/bench/requests/plot.ts';
import { requestsTable } from '../../scripts/bench/requests/table.ts';
import { OWN, type RequestFigures, ratioIn } from '../../scripts/bench/requests.ts';

const NOTHING_ELSE = { engine: 'sqlite', quick: false, json: false, write: false, record: false, help: false };

test.each<[string, object]>([
  ['requests', { subject: 'requests', ...NOTHING_ELSE }],
  ['requests --engine postgres --json --quick', { engine: 'postgres', json: true, quick: true }],
  ['requests --write', { write: true }],
  ['profile', { subject: 'profile', operation: 'eta' }],
  ['profile rides --write', { subject: 'profile', operation: 'rides', write: true }],
  ['instances', { subject: 'instances', engine: 'postgres' }],
  ['profiles --write', { subject: 'profiles', write: true }],
  ['instances --engine postgres --write', { subject: 'instances', write: true }],
  ['ratios --record', { subject: 'ratios', record: true }],
  ['--help', { help: true }],
])('a command line is parsed: %s', (line, expected) => {
  expect(argumentsIn(line.split(' '))).toMatchObject(expected);
});

test.each([
  ['', 'Say what to measure'],
  ['speed', 'Say what to measure'],
  ['requests eta', 'requests does not take eta.'],
  ['profile etas', 'Unknown operation etas. Choose one of '],
  ['profile eta cost', 'profile does not take cost.'],
  ['requests --engine mysql', 'Unknown engine mysql'],
  ['instances --engine sqlite', 'instances needs PostgreSQL'],
  ['worlds --write', 'worlds has no option --write.'],
  ['requests --record', 'requests has no option --record.'],
  ['requests --fast', '--fast'],
])('an invalid command line is rejected: %s', (line, problem) => {
  expect(() => argumentsIn(line.split(' ').filter(Boolean))).toThrow(problem);
});

test('every module of the server, and every package that it uses, has a stage or counts for its caller', () => {
  const modules = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter((name) => /[^d]\.ts$/.test(name));
  const without = modules.map((name) => `server/${name}`).filter((file) => stageOfFile(file) === null);
  expect(without, 'add it to FILES in scripts/bench/profile/stages.ts').toEqual([]);
  const used = [
    'express',
    'express-openapi-validator',
    'ajv',
    'helmet',
    'cors',
    'kysely',
    'libsql',
    'pg',
    'pino',
    'luxon',
  ];
  const libraries = [...used, '@turf/distance', '@libsql/linux-x64-gnu'];
  expect(libraries.filter((name) => stageOfFile(`node_modules/${name}/index.js`) === null)).toEqual([]);
});

test.each([
  ['file:///a/dist/built-servers/server-x/server/http/body.js', 'server/http/body.js', 'body'],
  ['file:///srv/server/dist/server/store/rides.js', 'server/dist/server/store/rides.js', null],
  ['file:///a/node_modules/b/node_modules/kysely/dist/x.js', 'node_modules/kysely/dist/x.js', 'SQL'],
  ['node:internal/url', 'node:internal/url', null],
])('a file of a profile gets a readable path: %s', (url, file, stage) => {
  expect(fileOf(url)).toBe(file);
  expect(stageOfFile(file)).toBe(stage);
});

const frame = (functionName: string, file: string) => ({ functionName, file });
const inHandler = frame('estimateEta', 'server/http/operations/availability.js');

test.each([
  ['what a stage calls in Node', [frame('parse', 'node:internal/url'), inHandler], 'handler'],
  ['what a stage calls in a package', [frame('v7', 'node_modules/uuid/v7.js'), inHandler], 'handler'],
  ['a query of the handler', [frame('all', 'node_modules/libsql/index.js'), inHandler], 'SQL'],
  ['the parser', [frame('onread', 'node:net'), frame('emit', 'node:events')], 'HTTP'],
  ['the collector', [frame('(garbage collector)', ''), inHandler], 'garbage collection'],
  ['the program', [frame('(program)', '')], 'rest'],
])('%s counts for its stage', (_, stack, stage) => {
  expect(stageOf(stack)).toBe(stage);
});

const PROFILE = {
  startTime: 1000,
  nodes: [
    { id: 1, callFrame: callFrame('(root)', ''), children: [2, 4] },
    { id: 2, callFrame: callFrame('handle', 'file:///a/node_modules/router/index.js'), children: [3] },
    { id: 3, callFrame: callFrame('<"&>', 'file:///a/dist/server/rides/load.js') },
    { id: 4, callFrame: callFrame('(idle)', '') },
  ],
  samples: [3, 4, 3, 2],
  timeDeltas: [100, 100, 100, 500],
};

function callFrame(functionName: string, url: string) {
  return { functionName, url, lineNumber: 0 };
}

test('the samples of a span end within it, without idle time', () => {
  const times = (from: number, to: number) => samplesIn(PROFILE, from, to).map(({ time }) => time);
  expect(times(1000, 1400)).toEqual([200]);
  expect(times(1300, 2000)).toEqual([100, 500]);
});

const spread = (median: number) => ({ median, lowest: median / 2, highest: median * 2 });
const FIGURES: RequestFigures = {
  engine: 'sqlite',
  quick: false,
  machine: { cores: 4, node: 'v20', load: 1, durableWritesPerSecond: 1000 },
  date: '2026-11-23',
  minutes: 4,
  size: { applications: 50, passengers: 1000, riding: 50, history: 100, fresh: 10 },
  rounds: 5,
  rows: [
    { server: 'express', operation: 'eta', rate: spread(5000), cpu: spread(200) },
    { server: OWN, operation: 'eta', rate: spread(500), cpu: spread(2000) },
  ],
  verdicts: [
    { operation: 'eta', against: 'express', byRate: 0.1, byCpu: 0.1, aim: { ratio: 1, by: 'cpu' }, isMet: false },
  ],
};

test('the table has each server with its spread, and says whether each aim is met', () => {
  const table = requestsTable(FIGURES);
  expect(table).toContain('| stock Express | 5,000 (2,500–10,000) | 200 (100–400) | 1.00 |');
  expect(table).toContain('| GET eta | 500 (250–1,000) | 2,000 (1,000–4,000) | 0.10 |');
  expect(table).toContain('| GET eta | stock Express | 1.0 | 0.10 by CPU | not met |');
});

test.each([
  ['the plot', requestsPlot(FIGURES)],
  ['the flame graph', flameGraph(samplesIn(PROFILE, 0, 2000), 'an <operation>')],
])('%s is well-formed SVG that follows the color scheme and loads nothing', (_, svg) => {
  expect(svg).toContain('@media (prefers-color-scheme:dark)');
  expect(svg).not.toMatch(/NaN|undefined|Infinity|<script|href/);
  const open: string[] = [];
  // text between tags contains neither < nor >
  for (const [, end, name, self] of svg.matchAll(/<(\/?)(\w+)(?:\s[\w:-]+="[^"<&]*(?:&\w+;[^"<&]*)*")*(\/?)>/g)) {
    if (end) expect(open.pop()).toBe(name);
    else if (!self) open.push(name!);
  }
  expect(open).toEqual([]);
  expect(svg.match(/</g)!.length).toBe([...svg.matchAll(/<\/?\w[^<>]*>/g)].length);
});

test('a ratio compares the rounds pairwise, so a round that is slow for both servers does not count', () => {
  const take = (server: typeof OWN | 'express', cpus: number[]) => ({
    server,
    operation: 'eta' as const,
    spans: cpus.map((cpu) => ({ requests: 10, milliseconds: 5, cpu })),
  });
  const takes = [take('express', [10, 90, 20]), take(OWN, [100, 900, 200])];
  const ratio = { operation: 'eta', against: 'express' } as const;
  expect(ratioIn(takes, ratio)).toEqual({ ...ratio, byCpu: 0.1, byRate: 1 });
  expect(ratioIn(takes, { operation: 'cost', against: 'express' })).toBeNull();
});

test.each([
  [0.1, true],
  [0.14, true],
  [0.15, false],
])('a ratio of 0.1, compared with a recorded ratio of %s, is within its bound: %s', (recorded, isWithinBound) => {
  const now = { operation: 'eta', ratio: { express: 0.1, prism: 0.1 } } as const;
  expect(comparedWith({ express: recorded, prism: recorded }, now)).toMatchObject({ isWithinBound });
  expect(comparedWith(null, now)).toMatchObject({ isWithinBound: true });
  // another machine may slow down one of the references only
  expect(comparedWith({ express: recorded, prism: 0.1 }, now)).toMatchObject({ isWithinBound: true });
  expect(comparedWith({ express: 0.1, prism: recorded }, now)).toMatchObject({ isWithinBound: true });
});

test('results go between the two comments with their name', () => {
  const page = 'a\n<!-- bench: x -->\nold\n<!-- end -->\nb\n<!-- bench: y -->\n<!-- end -->\n';
  const written = withPart(page, 'x', 'new');
  expect(written).toBe('a\n<!-- bench: x -->\n\nnew\n\n<!-- end -->\nb\n<!-- bench: y -->\n<!-- end -->\n');
  expect(withPart(written, 'x', 'new')).toBe(written);
  expect(() => withPart(page, 'z', 'new')).toThrow('lacks the comments for z');
});

test('each aim refers to a measured operation and a measured server', () => {
  const others = [...Object.keys(PEERS), 'bare'];
  for (const { operation, against } of AIMS) {
    expect(Object.keys(MEASURED)).toContain(operation);
    expect(others).toContain(against);
  }
  expect(new Set(STAGES).size).toBe(STAGES.length);
});

test('the docs name each command that benchmarks requests, and have a place for its results', () => {
  const docs = readFileSync('docs/performance.md', 'utf8');
  for (const command of ['requests', 'profile', 'ratios']) expect(docs).toContain(`npm run -s bench -- ${command}`);
  for (const engine of ['sqlite', 'postgres']) expect(docs).toContain(`<!-- bench: requests ${engine} -->`);
  for (const operation of ['eta', 'drivers']) expect(docs).toContain(`<!-- bench: profile ${operation} sqlite -->`);
});
