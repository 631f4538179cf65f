import { expect, test } from 'vitest';
import { ATTACKS } from '../tools/chaos/noisy/attacks.ts';
import type { Call } from '../tools/chaos/noisy/others.ts';
import { playRound } from '../tools/chaos/noisy/round.ts';
import { type Bounds, figuresOf, problemsWith, type Round } from '../tools/chaos/noisy/verdict.ts';

const BOUNDS: Bounds = { name: 'crowd', mostP99Ms: 250, mostDescriptors: 100, mostMegabytes: 500 };

/** Calls 25 ms apart. */
const calls = (ms: number, count = 200): Call[] =>
  Array.from({ length: count }, (_, index) => ({ at: index * 25, ms, failure: null }));
const failed = (at: number): Call => ({ at, ms: 3, failure: 'returned 503' });

/** A round in which the others took twice as long as at rest. */
const SOUND: Round = {
  rest: calls(10),
  attack: calls(20),
  after: calls(10),
  answers: { 200: 5000 },
  attacker: { ms: 5000, cpuMs: 2500, bytesSent: 10_000_000 },
  descriptors: 90,
  megabytes: 300,
};
const threeOf = (change: Partial<Round>): Round[] => Array.from({ length: 3 }, () => ({ ...SOUND, ...change }));

test('a server within the limits has no problems, and only the median of three rounds counts', () => {
  expect(problemsWith(BOUNDS, threeOf({}))).toEqual([]);
  const spoiled = { ...SOUND, attack: calls(2000) };
  expect(problemsWith(BOUNDS, [SOUND, spoiled, SOUND])).toEqual([]);
  expect(problemsWith(BOUNDS, [spoiled, spoiled, SOUND])).not.toEqual([]);
});

test('failures within the forgiven time do not count, and neither do the durations in it', () => {
  const bounds = { ...BOUNDS, forgivenMs: 1000 };
  const attack = [failed(0), { at: 500, ms: 9000, failure: null }, ...calls(20).filter(({ at }) => at >= 1000)];
  expect(problemsWith(bounds, threeOf({ attack }))).toEqual([]);
});

test.each<[string, Partial<Round>, RegExp]>([
  ['a p99 of eleven times that at rest', { attack: calls(110) }, /^crowd: the others' p99 was 11.0 times/],
  ['one beyond the bound of the attack', { rest: calls(30), attack: calls(251) }, /p99 was 251 ms, above 250 ms/],
  ['a call that failed', { attack: [...calls(20), failed(0)] }, /3 calls .* during the attack: returned 503/],
  ['descriptors', { descriptors: 101 }, /used 101 file descriptors, more than 100/],
  ['memory', { megabytes: 501 }, /used 501 MB, more than 500 MB/],
  ['an attack without a response', { answers: {} }, /did not reach the server/],
  ['no calls at all', { rest: [] }, /no calls were measured/],
])('%s is a problem', (_, change, problem) => {
  expect(problemsWith(BOUNDS, threeOf(change))).toEqual([expect.stringMatching(problem)]);
});

test('the figures relate the attack to rest, and name what the attacker gets and spends', () => {
  const answers = { 201: 4000, '409 too_many_rides': 1000, 'closed by the server': 7 };
  expect(figuresOf(BOUNDS, threeOf({ answers }))).toMatchObject({
    ...{ ratio: 2, ratioP50: 2, answersPerSecond: 1000, attackerCores: 0.5, sentMegabytesPerSecond: 2 },
  });
});

const SHORT = { warmUpMs: 50, restMs: 200, attackMs: 200, settleMs: 0, afterMs: 200 };

test('a round measures the other users before, during and after an attack that reaches the server', async () => {
  const attack = ATTACKS.find(({ name }) => name === 'wrong-tokens')!;
  const { rest, attack: attacked, after, answers, attacker } = await playRound(attack, 'sqlite', SHORT);
  for (const calls of [rest, attacked, after]) {
    expect(calls.map(({ failure }) => failure)).toEqual(Array.from({ length: 8 }, () => null));
  }
  expect(answers[401]).toBeGreaterThan(0);
  expect(attacker).toEqual({ ms: expect.any(Number), cpuMs: expect.any(Number), bytesSent: expect.any(Number) });
  expect(attacker.bytesSent).toBeGreaterThan(answers[401]! * 100);
});
