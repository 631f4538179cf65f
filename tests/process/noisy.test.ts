import { expect, test } from 'vitest';
import { ATTACKS } from '../tools/chaos/noisy/attacks.ts';
import { playRound } from '../tools/chaos/noisy/round.ts';

const SHORT = { warmUpMs: 50, restMs: 200, attackMs: 200, settleMs: 0, afterMs: 200 };

test('a round measures the other users before, during and after an attack that reaches the server', async () => {
  const attack = ATTACKS.find(({ name }) => name === 'wrong-tokens')!;
  const { rest, attack: attacked, after, answers } = await playRound(attack, 'sqlite', SHORT);
  for (const calls of [rest, attacked, after]) {
    expect(calls.map(({ failure }) => failure)).toEqual(Array.from({ length: 8 }, () => null));
  }
  expect(answers[401]).toBeGreaterThan(0);
});
