import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const BROKEN = 'tests/contract/fixtures/broken.yaml';

/** Where each of our lint rules reports a problem in the broken document. Other rules report nothing. */
const MISTAKES: Record<string, string> = {
  'description-sentence': 'tags.0.description',
  'named-parameter-examples': 'paths./things/{thing_id}.parameters.0',
  'operation-limit': 'paths./things/{thing_id}.get',
  'operation-id-verb-first': 'paths./things/{thing_id}.get.operationId',
  'summary-no-period': 'paths./things/{thing_id}.get.summary',
  'operation-scopes': 'paths./things/{thing_id}.get.security.0.userToken',
  'operation-failures': 'paths./things/{thing_id}.get.responses',
  'named-examples': 'paths./things/{thing_id}.get.responses.200.content.application/json',
  'failures-are-shared': 'paths./things/{thing_id}.get.responses.400',
  'closed-request-bodies': 'paths./things/{thing_id}.put.requestBody.content.application/json.schema',
  'shared-buckets-agree': 'paths./things/{thing_id}.delete.x-rate-limit',
  'request-id-header': 'paths./things/{thing_id}.delete.responses.204',
  'webhook-id-on-first': 'webhooks.thing.happened.post.operationId',
  'codes-have-examples': 'components.responses.Refused.content.application/json',
  'codes-have-recipes': 'components.responses.Unexplained.content.application/json.examples.bad_parameter',
  'codes-have-texts': 'x-errors',
  'property-description': 'components.schemas.Thing.properties.nameless',
  'number-unit': 'components.schemas.Thing.properties.height',
};

test('each of our rules finds its mistake in the broken document and nothing else', () => {
  const all = problemsIn(BROKEN).map(({ code, path }) => [code, path.join('.')] as const);
  const found = all.filter(([code]) => !/^(owasp:|ibm-)/.test(code));
  const others = all.filter((one) => !found.includes(one)).map(([code]) => code);
  expect(others).toEqual(
    expect.arrayContaining(['owasp:api4:2023-rate-limit-retry-after', 'ibm-required-enum-properties-in-response']),
  );
  expect(Object.fromEntries(found)).toEqual(MISTAKES);
  expect(found).toHaveLength(Object.keys(MISTAKES).length);
});

test('every one of our rules is tested', () => {
  const { rules } = parse(readFileSync('.spectral.yaml', 'utf8')) as { rules: Record<string, unknown> };
  const ours = Object.keys(rules).filter((name) => rules[name] !== 'off' && rules[name] !== false);
  expect(ours.sort()).toEqual(Object.keys(MISTAKES).sort());
});

const isReason = (line = '') => /^\s*# Off: /.test(line);

test('a comment gives the reason for each disabled rule', () => {
  for (const file of ['.spectral.yaml', 'redocly.yaml']) {
    const lines = readFileSync(file, 'utf8').split('\n');
    const isOff = (line = '') => /: off$/.test(line);
    // neighbors share the reason above the first
    const starts = lines.filter((line, at) => isOff(line) && !isOff(lines[at - 1]) && !isReason(lines[at - 1]));
    expect(starts, file).toEqual([]);
  }
});

function problemsIn(document: string): { code: string; path: (string | number)[] }[] {
  const spectral = spawnSync('node_modules/.bin/spectral', ['lint', document, '--quiet', '--format', 'json'], {
    encoding: 'utf8',
  });
  return JSON.parse(spectral.stdout);
}
