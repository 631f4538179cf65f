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

function parametersIn(change: Partial<Exchange>): string[] {
  return see(exchange(change)).facts.filter((fact) => fact.startsWith('parameter: '));
}

const ABOVE = 'parameter: query limit above the maximum value';
const limited = (limit: number) => ({ target: `${listRides.path}?limit=${limit}` });

describe('an exchange shows', () => {
  test('the status with its code, headers and media type', () => {
    const { part, facts } = see(exchange({ ...refusal('bad_parameter'), headers: { 'X-Surprise': '1' } }));
    expect(part).toBe('listRides');
    expect(facts.slice(0, 4)).toEqual([
      'response: 400 bad_parameter',
      'header: 400 content-type',
      'header: 400 x-surprise',
      'media type: 400 application/json',
    ]);
  });

  test('an accepted parameter at its limit, and a refused one above it', () => {
    const maximum = 'parameter: query limit at the maximum value';
    const refused = refusal('bad_parameter', 'limit');
    expect(parametersIn(limited(50))).toContain(maximum);
    expect(parametersIn({ ...limited(50), ...refused })).not.toContain(maximum);
    expect(parametersIn({ ...limited(51), ...refused })).toContain(ABOVE);
  });

  test('no parameter above its limit if the request passed or failed for another reason', () => {
    for (const answer of [refusal('bad_parameter', 'start_time'), {}, { status: 429 }, { status: 500 }]) {
      expect(parametersIn({ ...limited(51), ...answer })).not.toContain(ABOVE);
    }
  });

  test('nested fields, and mistakes in the body as a whole', () => {
    const sent = (body: unknown) => ({
      method: 'POST',
      target: requestRide.path,
      sent: { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    });
    const maximum = 'parameter: body origin.lat at the maximum value';
    const unknown = 'parameter: body with an unknown field';
    expect(parametersIn(sent({ origin: { lat: 90, lng: 0 } }))).toContain(maximum);
    expect(parametersIn({ ...sent({ why: 1 }), ...refusal('bad_parameter', 'why') })).toContain(unknown);
    expect(parametersIn({ ...sent({ why: 1 }), ...refusal('bad_parameter', 'origin') })).not.toContain(unknown);
  });

  test('no other parameter if the request names a sandbox scenario', () => {
    const asking = (code: string) => ({ sent: { headers: { 'svc-sandbox-scenario': code }, body: '' } });
    const refused = refusal('bad_parameter', 'limit');
    const given = ['parameter: header Svc-Sandbox-Scenario given'];
    expect(parametersIn({ ...asking('bad_parameter'), ...limited(51), ...refused })).toEqual(given);
    expect(parametersIn({ ...asking('made_up'), ...refusal('bad_parameter', 'Svc-Sandbox-Scenario') })).toEqual([]);
  });

  test('an error outside of all operations', () => {
    const failed = (status: number, error: string) => ({ status, body: JSON.stringify({ error }) });
    expect(see(exchange({ ...failed(405, 'method_not_allowed'), method: 'HEAD' }))).toEqual({
      part: NO_CALL,
      facts: ['response: 405 method_not_allowed'],
    });
    expect(see(exchange(failed(408, 'request_timeout'))).part).toBe(NO_CALL);
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

  test('a fact that was never seen is a problem', () => {
    expect(problemsWith((seen) => delete seen.requestRide!['header: 201 deprecation'])).toEqual([
      'requestRide: never seen: header: 201 deprecation',
    ]);
  });

  test('an undeclared status, code, header or body is a problem', () => {
    const body = `media type: ${deleteWorld.successStatus} application/json`;
    const surprises = ['response: 418', 'response: 409 made_up', 'header: 200 x-surprise', body];
    const problems = problemsWith((seen) => Object.assign(seen.deleteWorld!, seenOnce(surprises)));
    expect(problems).toEqual(surprises.map((one) => `deleteWorld: not declared: ${one}`));
  });

  test('a fact listed as unseen must not be seen', () => {
    const fact = 'parameter: header Svc-Sandbox-Scenario at the maximum length';
    expect(problemsWith((seen) => Object.assign(seen.getRide!, { [fact]: 1 }))).toEqual([
      `getRide: listed as unseen, but seen or not declared: ${fact}`,
    ]);
  });
});
