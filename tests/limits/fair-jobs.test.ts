import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import { fairJobs, TooManyJobs } from '../../server/limits/fair-jobs.ts';

test('so many jobs run at once, flows take turns, and a flow has a limited number of waiting jobs', async () => {
  const [begun, ends] = [[] as string[], [] as (() => void)[]];
  const inOrder = fairJobs(2, { waiting: 2 });
  const job = (flow: string, name: string) =>
    inOrder(flow, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const jobs = [job('a', 'a1'), job('a', 'a2'), job('a', 'a3'), job('a', 'a4'), job('b', 'b1')];
  await expect(job('a', 'a5')).rejects.toThrow(TooManyJobs);
  expect(begun).toEqual(['a1', 'a2']);
  for (let ended = 0; ended < jobs.length; ended++) {
    ends[ended]!();
    await jobs[['a1', 'a2', 'a3', 'a4', 'b1'].indexOf(begun[ended]!)];
  }
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
  // a job that fails makes room too
  await expect(inOrder('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await inOrder('a', async () => 'next')).toBe('next');
  // a flow does not get all of the room
  const sharing = fairJobs(2, { ofAFlow: 1 });
  const done: string[] = [];
  const gate = new EventEmitter();
  const first = sharing('a', async () => void (await once(gate, 'open')));
  const second = sharing('a', async () => void done.push('a'));
  await sharing('b', async () => void done.push('b'));
  gate.emit('open');
  await Promise.all([first, second]);
  expect(done).toEqual(['b', 'a']);
});
