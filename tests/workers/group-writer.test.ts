import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { openGroupWriter } from '../../server/workers/group-writer.ts';
import { newOutages } from '../../server/workers/outages.ts';

const AWAY = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });

let written: string[][];
let lost: string[];
let logged: string[];
let failure: (group: readonly string[]) => Error | null;

beforeEach(() => {
  written = [];
  lost = [];
  logged = [];
  failure = () => null;
});

function openWriter() {
  const outages = newOutages(
    pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) }),
  );
  const write = async (group: readonly string[]) => {
    await null;
    const error = failure(group);
    if (error) throw error;
    written.push([...group]);
  };
  return openGroupWriter<string>(outages, write, (item) => void lost.push(item));
}

test('what comes in before a group is written is written with it', async () => {
  const writer = openWriter();
  writer.add('a');
  // as the answers to several attempts do, each in a turn of its own
  await new Promise(setImmediate);
  for (const item of 'bcd') writer.add(item);
  await writer.settled();
  writer.add('e');
  await writer.settled();
  expect(written).toEqual([['a', 'b', 'c', 'd'], ['e']]);
});

test('a group waits while the database is away, and that is said once, as is its return', async () => {
  const writer = openWriter();
  let failures = 2;
  failure = () => (failures-- > 0 ? AWAY : null);
  for (const item of 'abc') writer.add(item);
  await writer.settled();
  expect(written).toEqual([['a', 'b', 'c']]);
  expect(lost).toEqual([]);
  writer.add('d');
  await writer.settled();
  expect(logged).toEqual(['webhooks wait for the database', 'webhooks go on']);
});

test('what cannot be written is lost, and nothing else of its group', async () => {
  const writer = openWriter();
  failure = (group) => (group.includes('c') ? new Error('cannot be stored') : null);
  for (const item of 'abcd') writer.add(item);
  await writer.settled();
  expect(written).toEqual([['a'], ['b'], ['d']]);
  expect(lost).toEqual(['c']);
});

test('what is written one by one waits for the database as well', async () => {
  const writer = openWriter();
  const failures = [new Error('cannot be stored'), null, AWAY];
  failure = () => failures.shift() ?? null;
  for (const item of 'abc') writer.add(item);
  await writer.settled();
  expect(written).toEqual([['a'], ['b'], ['c']]);
  expect(lost).toEqual([]);
});

test('a group is no larger than what one statement can hold', async () => {
  const writer = openWriter();
  for (let n = 0; n < 300; n++) writer.add(`${n}`);
  await writer.settled();
  expect(written.map((group) => group.length)).toEqual([256, 44]);
});

test('a writer that is stopped while the database is away gives up', async () => {
  const writer = openWriter();
  failure = () => AWAY;
  writer.add('a');
  writer.stop();
  await writer.settled();
  expect([written, lost]).toEqual([[], []]);
});
