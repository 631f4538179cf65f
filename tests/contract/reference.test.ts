import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operationsOf, webhooksOf } from '../../scripts/contract/bundle.ts';
import { contract, webhookContract } from '../../scripts/contract/read.ts';
import { referencePage } from '../../scripts/docs/reference.ts';

/** The contract ends its prose early, so that a reader who opens the file soon sees an operation. */
const MOST_LINES_BEFORE_PATHS = 400;

/** The sources, and what servers serve. */
const CONTRACTS = [
  ...['openapi.yaml', 'webhooks.yaml'],
  ...readdirSync('generated')
    .filter((name) => name.endsWith('.json'))
    .map((name) => `generated/${name}`),
];

test('the first path of the contract comes early', () => {
  const [prose] = readFileSync('openapi.yaml', 'utf8').split(/^ {2}\//m);
  expect(prose!.split('\n').length).toBeLessThanOrEqual(MOST_LINES_BEFORE_PATHS);
});

test('one page explains every extension of the contract, and no other', () => {
  const found = CONTRACTS.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/(?<![\w/-])(x-[\w-]+)"?:/g)]).map(
    ([, name]) => name!,
  );
  const explained = [...referencePage('extensions').description.matchAll(/^\| `(x-[\w-]+)` \|/gim)];
  const names = new Set(explained.map(([, name]) => name!));
  expect([...names].sort()).toEqual([...new Set(found)].sort());
});

/** What an operator sets, and no client sees. */
const SETTING = /^(X-Forwarded-Host|[A-Z_]+(=\w+)?)$/;
/** A decision about several operations is kept at one of them and at another place. */
const MOST_PLACES = 2;

const inOneLine = (text: string) => text.replace(/\s+/g, ' ');

/** The texts of the sections, tags, operations and webhooks of the contract, with everything that they refer to. */
const PLACES: readonly string[] = [
  ...contract.info.description.split(/^# /m),
  ...contract.tags!.map(({ description }) => description),
  ...[...operationsOf(contract), ...webhooksOf(webhookContract)].map(
    (located) => `${located.method.toUpperCase()} ${located.path} ${textIn(located)}`,
  ),
].map(inOneLine);

function textIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  return entries.map(([key, inner]) => `${key} ${textIn(inner)}`).join(' ');
}

/** The terms that no place has, after the places that have most of them. */
function withoutPlace(terms: readonly string[]): readonly string[] {
  let left = terms;
  for (let count = 0; count < MOST_PLACES && left.length > 0; count += 1) {
    const missing = PLACES.map((place) => left.filter((term) => !place.includes(term)));
    left = missing.reduce((fewest, one) => (one.length < fewest.length ? one : fewest));
  }
  return left;
}

test('the contract keeps the terms of each decision at the place that it concerns', () => {
  const decisions = referencePage('decisions')
    .description.split(/^- (?=\*\*)/m)
    .slice(1);
  expect(decisions.length).toBeGreaterThan(100);
  const lost = decisions.flatMap((decision) => {
    const [, question = '', answer = ''] = /^\*\*(.+?)\.\*\* (.*?)\*Why:\*/s.exec(decision)!;
    const terms = [...answer.matchAll(/`([^`]+)`/g)].flatMap(([, term]) => inOneLine(term!).split(': '));
    const missing = withoutPlace(terms.filter((term) => !SETTING.test(term)));
    return missing.length > 0 ? [`${question}: ${missing.join(', ')}`] : [];
  });
  expect(lost).toEqual([]);
});
