import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { contract, webhookContract } from '../../scripts/contract/read.ts';
import { UNSEEN } from '../tools/coverage/beyond.ts';
import { declaredBy, NO_CALL } from '../tools/coverage/declared.ts';
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
  test('the status with its code, headers and media type', () => {
    const { part, facts } = see(exchange({ ...refusal('bad_parameter'), headers: { 'X-Surprise': '1' } }));
    expect([part, ...facts.slice(0, 4)]).toEqual([
      'listRides',
      'response: 400 bad_parameter',
      'header: 400 content-type',
      'header: 400 x-surprise',
      'media type: 400 application/json',
    ]);
  });

  test.each<[string, boolean, string, Partial<Exchange>]>([
    ['an accepted parameter at its limit', true, MAXIMUM, limited(50)],
    ['one that was refused', false, MAXIMUM, limited(50, WRONG_LIMIT)],
    ['a refused one above it', true, ABOVE, limited(51, WRONG_LIMIT)],
    ['one above it that passed', false, ABOVE, limited(51)],
    ['one above it next to another mistake', false, ABOVE, limited(51, refusal('bad_parameter', 'start_time'))],
    ['one above it next to another error', false, ABOVE, limited(51, { status: 500 })],
    ['a nested field', true, 'parameter: body origin.lat at the maximum value', requesting({ origin: { lat: 90 } })],
    ['a mistake in the body', true, STRANGE, requesting({ why: 1 }, refusal('bad_parameter', 'why'))],
    ['another mistake in the body', false, STRANGE, requesting({ why: 1 }, refusal('bad_parameter', 'origin'))],
    ['an error that was asked for', false, ABOVE, limited(51, { ...WRONG_LIMIT, ...asking('bad_parameter') })],
  ])('%s: %s', (_, isSeen, fact, change) => {
    expect(see(exchange(change)).facts.includes(fact)).toBe(isSeen);
  });

  test('an error outside of all operations', () => {
    const failed = { status: 405, body: JSON.stringify({ error: 'method_not_allowed' }), method: 'HEAD' };
    expect(see(exchange(failed))).toEqual({ part: NO_CALL, facts: ['response: 405 method_not_allowed'] });
    expect(see(exchange({ target: '/docs' })).facts).toEqual([]);
  });

  test('an event with its headers', () => {
    const told = sightOfWebhook(webhookContract)(
      { 'svc-environment': 'sandbox', 'x-surprise': '1' },
      JSON.stringify({ event_type: 'ride.receipt.ready', event: { status: 'canceled' } }),
    );
    expect(told).toEqual({
      part: 'ride.receipt.ready',
      facts: expect.arrayContaining([
        'event: canceled',
        'webhook header: x-surprise',
        'parameter: header Svc-Environment with the value sandbox',
        'parameter: header X-Svc-Signatures left out',
      ]),
    });
  });
});

describe('the declared facts are compared with the seen facts', () => {
  const declared = declaredBy(contract, webhookContract);
  const seenOnce = (facts: readonly string[]) => Object.fromEntries(facts.map((fact) => [fact, 1]));
  const problemsWith = (change: (seen: Record<string, Record<string, number>>) => void) => {
    const unseen = (part: string) => UNSEEN.flatMap(([of, fact]) => (of === part || of === '*' ? [fact] : []));
    const inSight = ([part, facts]: readonly [string, readonly string[]]) =>
      [part, seenOnce(facts.filter((fact) => !unseen(part).includes(fact)))] as const;
    const seen = Object.fromEntries([...declared].map(inSight));
    change(seen);
    return problemsOf(judge(declared, seen));
  };

  test('there is no problem if all facts were seen, even with headers that HTTP adds', () => {
    expect(problemsWith((seen) => Object.assign(seen.deleteWorld!, { 'header: 204 connection': 1 }))).toEqual([]);
  });

  test('a fact that was never seen, is not declared, or is listed as unseen but seen is a problem', () => {
    const surprises = ['response: 418', 'header: 200 x-surprise', `media type: ${deleteWorld.successStatus} text/html`];
    const hidden = 'parameter: header Svc-Sandbox-Scenario at the maximum length';
    const problems = problemsWith((seen) => {
      delete seen.requestRide!['header: 201 deprecation'];
      Object.assign(seen.deleteWorld!, seenOnce(surprises));
      Object.assign(seen.getRide!, seenOnce([hidden]));
    });
    const expected = [
      'requestRide: never seen: header: 201 deprecation',
      ...surprises.map((one) => `deleteWorld: not declared: ${one}`),
      `getRide: listed as unseen, but seen or not declared: ${hidden}`,
    ];
    expect(problems.sort()).toEqual(expected.sort());
  });
});
