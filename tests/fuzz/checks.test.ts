import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_BODY_BYTES, REQUEST_LIMITS } from '../../generated/server.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { forAll } from '../support/started.ts';
import type { Attack, Draft, Expected } from '../tools/fuzz/attack.ts';
import { longAttacksOn } from '../tools/fuzz/attacks.ts';
import { costProblems, costsLittle, MOST_CPU_MS } from '../tools/fuzz/cost.ts';
import { misjudgments } from '../tools/fuzz/judge.ts';
import { roundOfPipelines } from '../tools/fuzz/pipelines.ts';
import { brokenPromises } from '../tools/fuzz/promises.ts';
import { openRange } from '../tools/fuzz/run-attacks.ts';
import { type Answer, requestOf, type Sent } from '../tools/fuzz/send.ts';

const SOUND: Draft = {
  operation: 'listRideTypes',
  stage: 'pending',
  who: 'an application',
  path: {},
  query: Object.entries({ lat: '37.7955', lng: '-122.3937' }),
  headers: {},
};
const NO_LAT: Draft = { ...SOUND, query: [['lng', '-122.3937']] };
const REFUSED: Expected = { kind: 'refused', name: 'lat' };

const range = forAll(() => openRange('sqlite'));

/** Sends a draft, changes the response, and returns what the checks report. */
async function judged(draft: Draft, expected: Expected, change: (answer: Answer) => Partial<Answer> = () => ({})) {
  const request: Sent = await requestOf(draft, range.cast, await range.cast.roomOf(draft));
  const answer = await range.line.send(request);
  const changed = { ...answer, ...change(answer) };
  const attack: Attack = { draft, expected, what: 'a test' };
  return [...misjudgments(attack, changed), ...brokenPromises(draft.operation, request, changed)];
}

const withHeader = (name: string, value: string | undefined) => (answer: Answer) => {
  const { [name]: _, ...others } = answer.headers;
  return { headers: value === undefined ? others : { ...others, [name]: value } };
};
const withText = (from: string | RegExp, to: string) => (answer: Answer) => {
  if (!answer.text.match(from)) throw new Error(`${answer.text} has no ${from}`);
  return { text: answer.text.replace(from, to) };
};

describe('the checks of a response', () => {
  test('accept the responses of the server', async () => {
    expect(await judged(SOUND, { kind: 'valid' })).toEqual([]);
    expect(await judged(NO_LAT, REFUSED)).toEqual([]);
  });

  const SOUND_CALL = [SOUND, { kind: 'valid' }] as const;
  const withoutLimit = withHeader('x-ratelimit-limit', undefined);
  const manyLeft = withHeader('x-ratelimit-limit', 'many');
  const noSeats = withText(/"seats":\d/, '"seats":0');
  const asText = withHeader('content-type', 'text/plain');
  const noService = withText('bad_parameter', 'no_service_in_area');
  const as = (status: number) => () => ({ status });

  test.each<[string, Draft, Expected, (answer: Answer) => Partial<Answer>, RegExp]>([
    ['a server error', ...SOUND_CALL, as(500), /server error: 500/],
    ['a status that is not declared', ...SOUND_CALL, as(206), /undeclared status 206/],
    ['a header that is not declared', ...SOUND_CALL, withHeader('x-more', '1'), /undeclared header x-more/],
    ['a header that is missing', ...SOUND_CALL, withoutLimit, /missing header X-RateLimit-Limit/],
    ['a header of another type', ...SOUND_CALL, manyLeft, /invalid header X-RateLimit-Limit: many/],
    ['another media type', ...SOUND_CALL, asText, /undeclared media type text\/plain/],
    ['a body that breaks its schema', ...SOUND_CALL, noSeats, /seats must be >= 1/],
    ['a body that is not JSON', ...SOUND_CALL, () => ({ text: 'ok' }), /not valid JSON/],
    ['a refused valid call', NO_LAT, { kind: 'valid' }, () => ({}), /bad_parameter for a valid call/],
    ['an accepted broken call', SOUND, REFUSED, () => ({}), /got 200 without a code, expected 400 bad_parameter/],
    ['another code', NO_LAT, REFUSED, noService, /got 400 no_service_in_area, expected/],
    ['a code that is not declared', NO_LAT, REFUSED, withText('bad_parameter', 'bad_luck'), /undeclared code bad_luck/],
    ['another parameter', NO_LAT, REFUSED, withText('"lat"', '"lng"'), /in error_detail is \["lng"\]/],
  ])('find %s', async (_, draft, expected, change, problem) => {
    expect((await judged(draft, expected, change)).join('\n')).toMatch(problem);
  });
});

describe('the check of CPU time', () => {
  test.each([
    [[5, 1, 9, 5, 5, 5, 5, 5, 5, 5], 'a finding', 10],
    [[5, 1, 9, 5, 0], 'none', 5],
    [[5, 0], 'none', 2],
    [[0], 'none', 1],
  ])('reports %j ms beyond the limit as %s, after %i requests', async (beyond, finding, requests) => {
    const costs = beyond.map((ms) => MOST_CPU_MS + ms);
    const [first = 0, ...others] = costs;
    const measure = async () => ({ cpuMs: others.shift()! });
    const problems = await costProblems(measure, first);
    expect(problems).toEqual(finding === 'none' ? [] : [expect.stringContaining(`${MOST_CPU_MS + 1} ms of CPU time`)]);
    expect(costs.length - others.length).toBe(requests);
  });

  test('does not count work that a call asks for, only the handling of its request', () => {
    expect(costsLittle('advanceClock', { status: 200 })).toBe(false);
    expect(costsLittle('advanceClock', { status: 400 })).toBe(true);
    expect(costsLittle('listRides', { status: 200 })).toBe(true);
  });
});

test.each(OPERATION_IDS)('the long requests to %s are within the size limits, and close to them', async (operation) => {
  const most = await Promise.all(
    fc.sample(longAttacksOn(operation), { seed: 1, numRuns: 60 }).map(async ({ draft }) => {
      const { target, headers, body } = await requestOf(draft, range.cast, await range.cast.roomOf(draft));
      const head = [target, ...Object.entries(headers).flat()].join(' ').length;
      expect(head).toBeLessThan(REQUEST_LIMITS.headBytes);
      expect(body?.length ?? 0).toBeLessThanOrEqual(MAX_BODY_BYTES);
      return Math.max(head / REQUEST_LIMITS.headBytes, (body?.length ?? 0) / MAX_BODY_BYTES);
    }),
  );
  expect(Math.max(...most)).toBeGreaterThan(0.75);
});

test.each([1, 2, 3])(
  'pipelined requests get their responses in order even if the client reads late, with seed %i',
  async (seed) => {
    expect(await roundOfPipelines(range, seed)).toBeNull();
  },
);
