import { expect, test } from 'vitest';
import { commandIn } from '../../bench/options.ts';
import { isWithinBound } from '../../bench/ratios.ts';
import { type Compared, OWN, ratioTo } from '../../bench/requests/measure.ts';
import { tablesOf } from '../../bench/requests.ts';

test.each<[string, object]>([
  ['requests', { name: 'requests', engine: 'sqlite', quick: false, record: false, sizes: {} }],
  ['requests --engine postgres --quick', { name: 'requests', engine: 'postgres', quick: true }],
  ['instances', { name: 'instances', engine: 'postgres' }],
  ['scale --rides 5000 --connections 100', { name: 'scale', sizes: { rides: 5000, connections: 100 } }],
  ['ratios --record', { name: 'ratios', record: true }],
])('a command line is parsed: %s', (line, expected) => {
  expect(commandIn(line.split(' '))).toMatchObject(expected);
});

test.each([
  ['', 'Missing argument: NAME.'],
  ['speed', 'NAME must be requests, ratios, scale, instances, request-log, webhooks or start.'],
  ['requests eta', 'Unknown argument: eta.'],
  ['requests --engine mysql', '--engine must be sqlite or postgres.'],
  ['instances --engine sqlite', 'instances needs PostgreSQL'],
  ['requests --record', 'requests has no option --record.'],
  ['start --rides 5', 'start has no option --rides.'],
  ['scale --cars many', '--cars must be a whole number of at least 1.'],
  ['requests --fast', '--fast'],
])('an invalid command line is rejected: %s', (line, problem) => {
  expect(() => commandIn(line.split(' ').filter(Boolean))).toThrow(problem);
});

/** Rounds of ten requests. */
const take = <Server extends string>(server: Server, cpus: readonly number[]) => ({
  server,
  operation: 'eta' as const,
  spans: cpus.map((cpu) => ({ requests: 10, milliseconds: 5, cpu })),
});
const COMPARED: Compared = { ...take(OWN, [100, 900, 200]), others: [take('express', [10, 90, 20])] };

test('a ratio compares the rounds in pairs, so a round that is slow for both servers does not count', () => {
  expect(ratioTo(COMPARED, 'express')).toBe(0.1);
});

test('the tables have each server with its spread, and say whether each aim is met', () => {
  const [figures, aims] = tablesOf([COMPARED]);
  expect(figures).toContain('| stock Express | 2,000 (2,000–2,000) | 2 (1–9) | 1.00 |');
  expect(figures).toContain('| GET eta | 2,000 (2,000–2,000) | 20 (10–90) | 0.10 |');
  expect(aims).toContain('| GET eta | stock Express | 1.0 | 0.10 | not met |');
});

test.each([
  [0.1, true],
  [0.14, true],
  [0.15, false],
])('a ratio of 0.1, compared with a recorded ratio of %s, is within its bound: %s', (recorded, isWithin) => {
  const now = { express: 0.1, prism: 0.1 };
  expect(isWithinBound(now, { express: recorded, prism: recorded })).toBe(isWithin);
  expect(isWithinBound(now, undefined)).toBe(true);
  // another machine may slow down one of the references only
  expect(isWithinBound(now, { express: recorded, prism: 0.1 })).toBe(true);
  expect(isWithinBound(now, { express: 0.1, prism: recorded })).toBe(true);
});
