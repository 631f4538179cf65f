import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { announcedBreakages } from '../../scripts/diff/changelog.ts';
import { changesBetween } from '../../scripts/diff/compare.ts';
import { namesOf } from '../../scripts/diff/names.ts';
import { type Comparison, report, unannounced } from '../../scripts/diff/report.ts';
import { inWords } from '../../scripts/diff/words.ts';

const BASE = 'released';
// biome-ignore lint/suspicious/noExplicitAny: a document that is taken apart
type Document = any;
type Edit = (contract: Document) => void;

const base: Document = JSON.parse(readFileSync(`${BASE}/openapi.json`, 'utf8'));
const operation = (contract: Document, id: OperationId) => contract.paths[OPERATIONS[id].path][OPERATIONS[id].method];
const schema = (contract: Document, name: string) => contract.components.schemas[name];

/** What it is called by, what becomes of it, and in which words it is told. */
const BREAKING: [string, string, RegExp, Edit][] = [
  [
    'getProfile',
    'a removed operation',
    /`GET .*profile` was removed/,
    (contract) => {
      delete contract.paths[OPERATIONS.getProfile.path].get;
    },
  ],
  [
    'RideType',
    'a removed field of an answer',
    /`seats` of `RideType` was removed/,
    (contract) => {
      delete schema(contract, 'RideType').properties.seats;
    },
  ],
  [
    'RideRequest',
    'a new required field of a request',
    /became required: `note`/,
    (contract) => {
      schema(contract, 'RideRequest').properties.note = { type: 'string' };
      schema(contract, 'RideRequest').required.push('note');
    },
  ],
  [
    'RatingRequest',
    'a narrower limit of a request',
    /`maxLength` .*changed from '\d+' to '9'/,
    (contract) => {
      schema(contract, 'RatingRequest').properties.feedback.maxLength = 9;
    },
  ],
  [
    'RideTypeKey',
    'a list of values where there was none',
    /`enum` of `RideTypeKey`|Enum of `RideTypeKey`/,
    (contract) => {
      schema(contract, 'RideTypeKey').enum = ['svc'];
    },
  ],
  [
    'AreaFailure',
    'a new code of a failure, on which a client branches',
    /gained values: 'no_road'/,
    (contract) => {
      schema(contract, 'AreaFailure').allOf[1].properties.error.enum.push('no_road');
    },
  ],
  [
    'revokeRefreshToken',
    'a lower limit on calls',
    /`limit` was 1000, and is 999/,
    (contract) => {
      operation(contract, 'revokeRefreshToken')['x-rate-limit'].limit = 999;
    },
  ],
  [
    'estimateEta',
    'a longer window of a limit on calls',
    /`window_seconds` was 60, and is 61/,
    (contract) => {
      operation(contract, 'estimateEta')['x-rate-limit'].window_seconds = 61;
    },
  ],
  [
    'PayloadTooLarge',
    'a smaller count of bytes of a body',
    /`x-max-body-bytes` was \d+, and is 9/,
    (contract) => {
      contract.components.responses.PayloadTooLarge['x-max-body-bytes'] = 9;
    },
  ],
  [
    'listRides',
    'a further scope',
    /requires new scopes: 'profile'/,
    (contract) => {
      operation(contract, 'listRides').security[0].userToken.push('profile');
    },
  ],
  [
    'getReceipt',
    'a removed status',
    /`404` was removed/,
    (contract) => {
      delete operation(contract, 'getReceipt').responses['404'];
    },
  ],
  [
    'ride.receipt.ready',
    'a removed webhook',
    /`ride.receipt.ready` was removed/,
    (contract) => {
      delete contract.webhooks['ride.receipt.ready'];
    },
  ],
  [
    'RideStatusUpdated',
    'a removed field of a webhook',
    /`event_type` was removed/,
    (contract) => {
      delete schema(contract, 'RideStatusUpdated').allOf[1].properties.event_type;
    },
  ],
];

const HARMLESS: [string, string, string, Edit][] = [
  [
    'RideRequest',
    'a new optional field of a request',
    'request, field `note` added',
    (contract) => {
      schema(contract, 'RideRequest').properties.note = { type: 'string' };
    },
  ],
  [
    'Profile',
    'a new field of an answer',
    'answer 200, field `note` added',
    (contract) => {
      schema(contract, 'Profile').properties.note = { type: 'string' };
    },
  ],
  [
    'listRides',
    'an optional header',
    'parameter `Note` added',
    (contract) => {
      operation(contract, 'listRides').parameters.push({ name: 'Note', in: 'header', schema: { type: 'string' } });
    },
  ],
  [
    'getRide',
    'a new status of a failure',
    'answer 410 added',
    (contract) => {
      const { responses } = operation(contract, 'getRide');
      responses['410'] = responses['404'];
    },
  ],
  [
    'estimateEta',
    'a higher limit on calls',
    '`limit` of `x-rate-limit` changed',
    (contract) => {
      operation(contract, 'estimateEta')['x-rate-limit'].limit = 20_000;
    },
  ],
  [
    'listDrivers',
    'other words',
    '`description` changed',
    (contract) => {
      operation(contract, 'listDrivers').description = 'Cars.';
    },
  ],
];

const folder = mkdtempSync(join(tmpdir(), 'contracts-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The released contract against one with all of the edits; only the first document differs. */
function comparison(edits: readonly Edit[], announced: ReadonlySet<string> = new Set()): Comparison {
  const contract = structuredClone(base);
  for (const edit of edits) edit(contract);
  cpSync(BASE, folder, { recursive: true });
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(contract));
  return { changes: changesBetween(BASE, folder), contracts: [base, contract], announced };
}

const changesOf = ({ changes, contracts }: Comparison, name: string) =>
  changes.filter((change) => namesOf(change, contracts).includes(name));

describe('a change that breaks a client', () => {
  let all: Comparison;
  beforeAll(() => {
    all = comparison(BREAKING.map(([, , , edit]) => edit));
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
    all = comparison(HARMLESS.map(([, , , edit]) => edit));
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
