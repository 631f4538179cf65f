import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { dereferenced } from '../../scripts/contract/dereferenced.ts';
import { announcedBreakages } from '../../scripts/diff/changelog.ts';
import { changesBetween } from '../../scripts/diff/compare.ts';
import { namesOf } from '../../scripts/diff/names.ts';
import { type Comparison, report, unannounced } from '../../scripts/diff/report.ts';
import { inWords } from '../../scripts/diff/words.ts';
import { withAbsoluteLinks } from '../../scripts/generate/bundle/links.ts';
import { inPlainWords } from '../../scripts/generate/bundle/plain.ts';

const BASE = 'released';
// biome-ignore lint/suspicious/noExplicitAny: the test edits the document at any path
type Document = any;

const base: Document = JSON.parse(readFileSync(`${BASE}/openapi.json`, 'utf8'));

/** Name of the edit, change class, expected message, pointer and new value. No value: the edit removes the node. */
type Edit<Words> = [name: string, change: string, told: Words, where: string, value?: unknown];
const NOTE = { type: 'string' };
const and = (item: string) => (list: readonly string[]) => [...list, item];

const BREAKING: Edit<RegExp>[] = [
  ['getProfile', 'a removed operation', /`GET .*profile` was removed/, ''],
  ['RideType', 'a removed field of an answer', /`seats` of `RideType` was removed/, 'properties.seats'],
  [
    'RideRequest',
    'a new required field of a request',
    /became required: `note`/,
    '',
    ({ properties, required, ...rest }: Document) => ({
      ...rest,
      properties: { ...properties, note: NOTE },
      required: [...required, 'note'],
    }),
  ],
  [
    'RatingRequest',
    'a narrower request',
    /`maxLength` .*changed from '\d+' to '9'/,
    'properties.feedback.maxLength',
    9,
  ],
  ['RideTypeKey', 'a list of values where there was none', /(`enum`|Enum) of `RideTypeKey`/, 'enum', ['svc']],
  [
    'AreaFailure',
    'a new code of a failure',
    /gained values: 'no_road'/,
    'allOf.1.properties.error.enum',
    and('no_road'),
  ],
  ['revokeRefreshToken', 'a lower limit on calls', /`limit` was 1000, and is 999/, 'x-rate-limit.limit', 999],
  [
    'estimateEta',
    'a longer window of a limit',
    /`window_seconds` was 60, and is 61/,
    'x-rate-limit.window_seconds',
    61,
  ],
  [
    'PayloadTooLarge',
    'a smaller count of bytes of a body',
    /`x-max-body-bytes` was \d+, and is 9/,
    'x-max-body-bytes',
    9,
  ],
  ['listRides', 'a further scope', /requires new scopes: 'profile'/, 'security.0.userToken', and('profile')],
  ['getReceipt', 'a removed status', /`404` was removed/, 'responses.404'],
  ['ride.receipt.ready', 'a removed webhook', /`ride.receipt.ready` was removed/, ''],
  ['RideStatusUpdated', 'a removed field of a webhook', /`event_type` was removed/, 'allOf.1.properties.event_type'],
];

const HARMLESS: Edit<string>[] = [
  ['RideRequest', 'a new optional field of a request', 'request, field `note` added', 'properties.note', NOTE],
  ['Profile', 'a new field of an answer', 'answer 200, field `note` added', 'properties.note', NOTE],
  [
    'listRides',
    'an optional header',
    'parameter `Note` added',
    'parameters',
    (all: Document[]) => [...all, { name: 'Note', in: 'header', schema: NOTE }],
  ],
  [
    'getRide',
    'a new status of a failure',
    'answer 410 added',
    'responses',
    (all: Document) => ({ ...all, '410': all['404'] }),
  ],
  ['estimateEta', 'a higher limit on calls', '`limit` of `x-rate-limit` changed', 'x-rate-limit.limit', 20_000],
  ['listDrivers', 'other words', '`description` changed', 'description', 'Cars.'],
];

function wayTo(name: string): string[] {
  const called = OPERATIONS[name as OperationId];
  if (called !== undefined) return ['paths', called.path, called.method];
  const kind = ['schemas', 'responses'].find((each) => name in base.components[each]);
  return kind === undefined ? ['webhooks', name] : ['components', kind, name];
}

function apply(contract: Document, [name, , , where, value]: Edit<unknown>): void {
  const way = [...wayTo(name), ...where.split('.').filter((key) => key !== '')];
  const last = way.pop()!;
  const around = way.reduce((part, key) => part[key], contract);
  around[last] = typeof value === 'function' ? value(around[last]) : value;
}

const folder = mkdtempSync(join(tmpdir(), 'contracts-'));
afterAll(() => rmSync(folder, { recursive: true }));

function compared(contract: Document): Comparison {
  cpSync(BASE, folder, { recursive: true });
  const written = JSON.stringify(contract);
  writeFileSync(join(folder, 'openapi.json'), written);
  return {
    changes: changesBetween(BASE, folder),
    contracts: [base, JSON.parse(written)].map(dereferenced),
    announced: new Set(),
  };
}

/** Compares the released contract with a copy that has all edits. */
function comparison(edits: readonly Edit<unknown>[]): Comparison {
  const contract = structuredClone(base);
  for (const edit of edits) apply(contract, edit);
  return compared(contract);
}

const changesOf = ({ changes, contracts }: Comparison, name: string) =>
  changes.filter((change) => namesOf(change, contracts).includes(name));

describe('a change that breaks a client', () => {
  let all: Comparison;
  beforeAll(() => {
    all = comparison(BREAKING);
  }, 60_000);

  test.each(BREAKING)('in %s: %s', (name, _, words) => {
    const own = changesOf(all, name).filter(({ impact }) => impact === 'major');
    expect(own.map(inWords)).toContainEqual(expect.stringMatching(words));
    expect(unannounced(all)).toEqual(expect.arrayContaining(own));
    const announced = { ...all, announced: new Set([name]) };
    expect(unannounced(announced).filter((change) => own.includes(change))).toEqual([]);
  });

  test('is let through by no other than its own name in the changelog', () => {
    expect(unannounced({ ...all, announced: new Set(['getRide']) })).toEqual(unannounced(all));
  });

  test('comes first in the report, which tells if the changelog is silent', () => {
    const lines = report({ ...all, announced: new Set(['listRides']) }).split('\n');
    expect(lines[0]).toMatch(/^Breaking \(\d+\)$/);
    expect(lines.find((line) => line.includes('new scopes'))).not.toContain('NOT IN THE CHANGELOG');
    expect(lines.find((line) => line.includes('window_seconds'))).toContain('NOT IN THE CHANGELOG');
  });
});

describe('a change that breaks nobody', () => {
  let all: Comparison;
  beforeAll(() => {
    all = comparison(HARMLESS);
  }, 60_000);

  test.each(HARMLESS)('in %s: %s', (name, _, words) => {
    expect(changesOf(all, name).map(inWords)).toContain(words);
    expect(report(all)).toContain(words);
  });

  test('asks nothing of the changelog', () => {
    expect(all.changes.filter(({ impact }) => impact === 'major')).toEqual([]);
    expect(unannounced(all)).toEqual([]);
  });
});

test('a contract that is the released one is reported as that', { timeout: 60_000 }, () => {
  expect(report(comparison([]))).toBe('Nothing changed.');
});

test('a contract that says the same in the words of more tools is no other', { timeout: 60_000 }, () => {
  const servers = base.servers.map((server: Document) => ({ ...server, description: 'Here' }));
  const plain = withAbsoluteLinks(inPlainWords({ ...base, servers }), servers[0].url);
  expect(plain).not.toEqual({ ...base, servers });
  expect(report(compared(plain))).toBe('Nothing changed.');
});

describe('the changelog announces', () => {
  const changelog = (unreleased: string) =>
    `# Changelog\n\n## [Unreleased]\n\n${unreleased}\n\n## [1.0.0]\n\n### Breaking\n\n- \`Ride\``;

  test.each([
    ['what it names under Breaking', '### Breaking\n\n- `getRide` and `Tip`: gone.', ['getRide', 'Tip']],
    ['nothing under another heading', '### Changed\n\n- `getRide`', []],
    ['nothing after the next heading', '### Breaking\n\n- Words.\n\n### Fixed\n\n- `getRide`', []],
    ['nothing of an earlier version', '', []],
  ])('%s', (_, unreleased, names) => {
    expect([...announcedBreakages(changelog(unreleased))]).toEqual(names);
  });

  test('nothing without an unreleased part', () => {
    expect([...announcedBreakages('## [1.0.0]\n\n### Breaking\n\n- `Ride`')]).toEqual([]);
  });
});
