import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { contract, webhookContract } from '../../scripts/contract/read.ts';
import { UNSEEN } from '../tools/coverage/beyond.ts';
import { declaredBy } from '../tools/coverage/declared.ts';
import { judge, problemsOf } from '../tools/coverage/judge.ts';
import { type Exchange, sightOf, sightOfWebhook } from '../tools/coverage/sight.ts';

const see = sightOf(contract);
const { listRides, requestRide, deleteWorld } = OPERATIONS;

/** A successful exchange with the given changes. */
function exchange({ headers = {}, ...change }: Partial<Exchange>): Exchange {
  return {
    method: 'GET',
    target: `${listRides.path}?start_time=2026-01-01T00:00:00Z`,
    sent: { headers: { 'content-type': 'application/json' }, body: '' },
    status: 200,
    body: '{}',
    ...change,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  };
}

function refusal(error: string, ...names: readonly string[]): Partial<Exchange> {
  return { status: 400, body: JSON.stringify({ error, error_detail: names.map((name) => ({ [name]: 'is wrong' })) }) };
}

const ABOVE = 'parameter: query limit above the maximum value';
const MAXIMUM = 'parameter: query limit at the maximum value';
const limited = (limit: number, change: Partial<Exchange> = {}) => ({
  ...change,
  target: `${listRides.path}?limit=${limit}`,
});
const WRONG_LIMIT = refusal('bad_parameter', 'limit');
const asking = (code: string) => ({ sent: { headers: { 'svc-sandbox-scenario': code }, body: '' } });
const requesting = (body: unknown, change: Partial<Exchange> = {}) => ({
  method: 'POST',
  target: requestRide.path,
  sent: { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  ...change,
});
const STRANGE = 'parameter: body with an unknown field';

describe('an exchange shows', () => {
  test.each<[string, boolean, string, Partial<Exchange>]>([
    ['an accepted parameter at its limit', true, MAXIMUM, limited(50)],
    ['one that was refused', false, MAXIMUM, limited(50, WRONG_LIMIT)],
    ['a refused one above it', true, ABOVE, limited(51, WRONG_LIMIT)],
    ['one above it that passed', false, ABOVE, limited(51)],
    ['one above it next to another mistake', false, ABOVE, limited(51, refusal('bad_parameter', 'start_time'))],
    ['one above it next to another error', false, ABOVE, limited(51, { status: 500 })],
    ['a mistake in the body', true, STRANGE, requesting({ why: 1 }, refusal('bad_parameter', 'why'))],
    ['another mistake in the body', false, STRANGE, requesting({ why: 1 }, refusal('bad_parameter', 'origin'))],
    ['an error that was asked for', false, ABOVE, limited(51, { ...WRONG_LIMIT, ...asking('bad_parameter') })],
  ])('%s: %s', (_, isSeen, fact, change) => {
    expect(see(exchange(change)).facts.includes(fact)).toBe(isSeen);
  });

  test('an undeclared header of a response or a webhook', () => {
    expect(see(exchange({ headers: { 'x-surprise': '1' } })).facts).toContain('header: 200 x-surprise');
    const body = JSON.stringify({ event_type: 'ride.receipt.ready', event: { status: 'canceled' } });
    const told = sightOfWebhook(webhookContract)({ 'x-surprise': '1' }, body);
    expect(told!.facts).toContain('webhook header: x-surprise');
  });
});

test('a fact that was never seen, is not declared, or is listed as unseen but seen is a problem', () => {
  const declared = declaredBy(contract, webhookContract);
  const seenOnce = (facts: readonly string[]) => Object.fromEntries(facts.map((fact) => [fact, 1]));
  const seen = Object.fromEntries(
    [...declared].map(([part, facts]) => {
      const unseen = UNSEEN.flatMap(([of, fact]) => (of === part || of === '*' ? [fact] : []));
      return [part, seenOnce(facts.filter((fact) => !unseen.includes(fact)))];
    }),
  );
  expect(problemsOf(judge(declared, seen))).toEqual([]);

  const surprises = ['response: 418', 'header: 200 x-surprise', `media type: ${deleteWorld.successStatus} text/html`];
  const hidden = 'parameter: header Svc-Sandbox-Scenario at the maximum length';
  delete seen.requestRide!['header: 201 deprecation'];
  // HTTP adds a header
  Object.assign(seen.deleteWorld!, seenOnce([...surprises, 'header: 204 connection']));
  Object.assign(seen.getRide!, seenOnce([hidden]));
  expect(problemsOf(judge(declared, seen)).sort()).toEqual(
    [
      'requestRide: never seen: header: 201 deprecation',
      ...surprises.map((one) => `deleteWorld: not declared: ${one}`),
      `getRide: listed as unseen, but seen or not declared: ${hidden}`,
    ].sort(),
  );
});
