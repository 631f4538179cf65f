import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { MOST_STEPS_AT_ONCE, newStepGate } from '../../server/workers/step-gate.ts';
import { newLatch } from '../support/latch.ts';

test('sandboxes take turns, and the live world gets every second turn, no matter how many sandboxes wait', async () => {
  const gate = newStepGate(() => 0);
  const order: string[] = [];
  const flows = ['a', 'a', 'b', 'c', 'live', 'live', 'live', 'd'];
  await Promise.all(flows.map((flow) => gate.run(flow, async () => void order.push(flow))));
  expect(order).toEqual(['live', 'a', 'live', 'b', 'live', 'c', 'd', 'a']);
});

test.each([
  { stepMs: 10, othersMs: 3, turnsBetween: 4, what: 'until it has had as much time as the step' },
  { stepMs: 10, othersMs: 25, turnsBetween: 1, what: 'for one turn that is longer than the step' },
  { stepMs: 10, othersMs: 0, turnsBetween: 1, what: 'for one turn, in which it does nothing' },
])('after a step of $stepMs ms, other work gets the process $what', async ({ stepMs, othersMs, turnsBetween }) => {
  let clock = 0;
  const gate = newStepGate(() => clock);
  const turnOfStep: number[] = [];
  let turns = 0;
  const steps = ['a', 'b', 'a', 'c', 'a'].map((flow) =>
    gate.run(flow, async () => {
      turnOfStep.push(turns);
      clock += stepMs;
    }),
  );
  while (turnOfStep.length < steps.length) {
    await nextTurn();
    turns += 1;
    clock += othersMs;
  }
  const between = turnOfStep.slice(1).map((turn, i) => turn - turnOfStep[i]!);
  expect(between).toEqual(between.map(() => turnsBetween));
  expect(gate.spentMs()).toBe(stepMs * steps.length);
});

test('a live step does not wait until other work has had as much time as a sandbox step', async () => {
  let clock = 0;
  const gate = newStepGate(() => clock);
  const order: string[] = [];
  const step = (flow: string) =>
    gate.run(flow, async () => {
      order.push(flow);
      if (flow !== 'live') clock += 100;
    });
  const steps = ['sandbox', 'sandbox'].map(step);
  while (order.length < 4) {
    await nextTurn();
    clock += 1;
    if (order.length === 1 && steps.length === 2) steps.push(step('live'), step('live'));
  }
  expect(order).toEqual(['sandbox', 'live', 'live', 'sandbox']);
  await Promise.all(steps);
});

test('steps that wait for the database delay those of their sandbox, and of others when there are several, but no live one', async () => {
  const gate = newStepGate();
  const answered = newLatch();
  const begun: string[] = [];
  const flows = ['a', 'a', 'a', 'b', 'c', 'd', 'live'];
  const steps = flows.map((flow) =>
    gate.run(flow, () => {
      begun.push(flow);
      return answered.promise;
    }),
  );
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  expect(begun.toSorted()).toEqual(['a', 'b', 'c', 'live']);
  expect(begun).toHaveLength(MOST_STEPS_AT_ONCE);
  answered.open();
  await Promise.all(steps);
  expect(begun).toHaveLength(flows.length);
});

test('a step that fails does not affect the next one', async () => {
  const gate = newStepGate();
  const failing = gate.run('world', async () => {
    throw new Error('This step fails');
  });
  const next = gate.run('world', async () => 'done');
  await expect(failing).rejects.toThrow('This step fails');
  expect(await next).toBe('done');
});
