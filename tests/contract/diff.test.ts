import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { dereferenced } from '../../scripts/contract/dereferenced.ts';
import { announcedBreakages } from '../../scripts/diff/changelog.ts';
import { changesBetween } from '../../scripts/diff/compare.ts';
import { namesOf } from '../../scripts/diff/names.ts';
import { type Comparison, report, unannounced } from '../../scripts/diff/report.ts';
import { inWords } from '../../scripts/diff/words.ts';

const BASE = 'released';
// biome-ignore lint/suspicious/noExplicitAny: the test edits the document at any path
type Document = any;

const base: Document = JSON.parse(readFileSync(`${BASE}/openapi.json`, 'utf8'));

/** Name, change class, expected message, pointer and new value of an edit. Without a value, it removes the node. */
type Edit<Words> = [name: string, change: string, told: Words, where: string, value?: unknown];
const NOTE = { type: 'string' };
const A_HEADER = { name: 'Note', in: 'header', schema: NOTE };
const RATE_WINDOW = 'x-rate-limit.window_seconds';
const and = (item: unknown) => (list: readonly unknown[]) => [...list, item];

function requiringNote({ properties, required, ...rest }: Document): Document {
  return { ...rest, properties: { ...properties, note: NOTE }, required: [...required, 'note'] };
}

function reworded(all: readonly Document[]): Document[] {
  return all.map((one) => (one.name === 'limit' ? { ...one, description: 'Rides.' } : one));
}

const BREAKING: Edit<RegExp>[] = [
  ['listPickupEtas', 'a removed operation', /`GET .*pickup-etas` was removed/, ''],
  ['OfferedRideType', 'a removed field of a response', /`seats` of `OfferedRideType` was removed/, 'properties.seats'],
  ['RideRequest', 'a new required field of a request', /became required: `note`/, '', requiringNote],
  ['RatingRequest', 'a narrower request', /`maxLength` .* from '\d+' to '9'/, 'properties.feedback.maxLength', 9],
  ['RideTypeKey', 'a new list of allowed values', /(`enum`|Enum) of `RideTypeKey`/, 'enum', ['svc']],
  ['AreaFailure', 'a new error code', /gained values: 'no_road'/, 'allOf.1.properties.error.enum', and('no_road')],
  ['revokeRefreshToken', 'a lower rate limit', /`limit` was 1000 and is now 999/, 'x-rate-limit.limit', 999],
  ['estimateEta', 'a longer rate limit window', /`window_seconds` was 60 and is now 61/, RATE_WINDOW, 61],
  ['PayloadTooLarge', 'a lower limit of a body', /`x-max-body-bytes` was \d+ and is now 9/, 'x-max-body-bytes', 9],
  ['listRides', 'an additional scope', /requires new scopes: 'profile'/, 'security.0.userToken', and('profile')],
  ['getReceipt', 'a removed status', /`404` was removed/, 'responses.404'],
  ['ride.receipt.ready', 'a removed webhook', /`ride.receipt.ready` was removed/, ''],
  ['WebhookFacts', 'a removed field of a webhook', /`occurred_at` .* was removed/, 'properties.occurred_at'],
];

const HARMLESS: Edit<string>[] = [
  ['RideRequest', 'a new optional field of a request', 'request, field `mood` added', 'properties.mood', NOTE],
  ['Profile', 'a new field of a response', 'response 200, field `note` added', 'properties.note', NOTE],
  ['listRides', 'an optional header', 'parameter `Note` added', 'parameters', and(A_HEADER)],
  ['getRide', 'a new error status', 'response 410 added', 'responses', (all: Document) => ({ ...all, 410: all[404] })],
  ['estimateEta', 'a higher rate limit', '`limit` of `x-rate-limit` changed', 'x-rate-limit.limit', 20_000],
  ['listRides', 'a new wording of a parameter', '`description` of parameter `limit` changed', 'parameters', reworded],
  ['listDrivers', 'a new wording', '`description` changed', 'description', 'Cars.'],
];

/** A new required field is also a new field, and a tag has a new description. */
const SIDE_EFFECTS = ['request, field `note` added', '`description` of tag `Rides` changed'];

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

/** The released contract with all edits and a new description of a tag, in other JSON Schema keywords. */
function edited(): Document {
  const servers = base.servers.map((server: Document) => ({ ...server, description: 'Here' }));
  const contract = JSON.parse(JSON.stringify({ ...base, servers }).replaceAll(/"enum":\["([^"]+)"\]/g, '"const":"$1"'));
  expect(contract).not.toEqual({ ...base, servers });
  for (const edit of [...BREAKING, ...HARMLESS]) apply(contract, edit);
  contract.tags.find((tag: Document) => tag.name === 'Rides').description += ' New.';
  return contract;
}

/** One comparison for all tests, because each one takes seconds. */
let all: Comparison;
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'contracts-'));
  cpSync(BASE, folder, { recursive: true });
  const contract = edited();
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(contract));
  all = { changes: changesBetween(BASE, folder), contracts: [base, contract].map(dereferenced), announced: new Set() };
  rmSync(folder, { recursive: true });
}, 60_000);

const changesOf = ({ changes, contracts }: Comparison, name: string) =>
  changes.filter((change) => namesOf(change, contracts).includes(name));

describe('a change that breaks a client', () => {
  test.each(BREAKING)('in %s: %s', (name, _, words) => {
    const own = changesOf(all, name).filter(({ impact }) => impact === 'major');
    expect(own.map(inWords)).toContainEqual(expect.stringMatching(words));
    expect(unannounced(all)).toEqual(expect.arrayContaining(own));
    const announced = { ...all, announced: new Set([name]) };
    expect(unannounced(announced).filter((change) => own.includes(change))).toEqual([]);
  });

  test('counts as announced only if the changelog names it', () => {
    expect(unannounced({ ...all, announced: new Set(['getRide']) })).toEqual(unannounced(all));
  });

  test('comes first in the report, marked if it is not in the changelog', () => {
    const lines = report({ ...all, announced: new Set(['listRides']) }).split('\n');
    expect(lines[0]).toMatch(/^Breaking \(\d+\)$/);
    expect(lines.find((line) => line.includes('new scopes'))).not.toContain('NOT IN THE CHANGELOG');
    expect(lines.find((line) => line.includes('window_seconds'))).toContain('NOT IN THE CHANGELOG');
  });
});

describe('a change that breaks no client', () => {
  test('needs no changelog entry', () => {
    const told = unannounced(all).map(inWords);
    expect(told.filter((words) => !BREAKING.some(([, , expected]) => expected.test(words)))).toEqual([]);
  });
});

test('a contract that says the same with other JSON Schema keywords has not changed', () => {
  expect(report(all)).toContain(`Breaking (${BREAKING.length})\n`);
  const told = all.changes.filter(({ impact }) => impact !== 'major').map(inWords);
  const expected = [...HARMLESS.map(([, , words]) => words), ...SIDE_EFFECTS];
  expect(told.sort()).toEqual(expected.sort());
  expect(report({ ...all, changes: [] })).toBe('Nothing changed.');
});

describe('the changelog announces', () => {
  const BREAKING_ENTRY = '- **Breaking:** `getRide` and\n  `Tip`: gone.';
  const changelog = (unreleased: string) =>
    `# Changelog\n\n## [Unreleased]\n\n${unreleased}\n\n## [1.0.0]\n\n### Changed\n\n- **Breaking:** \`Ride\``;

  test.each([
    ['the names in its breaking entries', `### Changed\n\n${BREAKING_ENTRY}\n- \`Ride\``, ['getRide', 'Tip']],
    ['nothing in other entries', '### Changed\n\n- `getRide`', []],
    ['nothing after the next heading', '### Changed\n\n- **Breaking:** Words.\n\n### Fixed\n\n`getRide`', []],
    ['nothing of an earlier version', '', []],
  ])('%s', (_, unreleased, names) => {
    expect([...announcedBreakages(changelog(unreleased))]).toEqual(names);
  });
});
