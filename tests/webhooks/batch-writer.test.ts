import { pino } from 'pino';
import { beforeEach, expect, test, vi } from 'vitest';
import { type BatchWriter, openBatchWriter } from '../../server/webhooks/delivery/batch-writer.ts';
import { newOutages } from '../../server/webhooks/delivery/outages.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { newLatch } from '../support/latch.ts';

const AWAY = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });

let written: string[][];
let lost: string[];
let logged: string[];
let failure: (group: readonly string[]) => Error | null;

beforeEach(() => {
  // fake timers, because a slow machine could split or merge the groups
  fakeTimers(['setTimeout', 'clearTimeout']);
  written = [];
  lost = [];
  logged = [];
  failure = () => null;
});

const outagesHere = () =>
  newOutages(pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) }));

function openWriter() {
  const outages = outagesHere();
  const write = async (group: readonly string[]) => {
    await null;
    const error = failure(group);
    if (error) throw error;
    written.push([...group]);
  };
  return openBatchWriter<string>(outages, write, (item) => void lost.push(item));
}

const settled = (writer: BatchWriter<string>) => Promise.all([writer.settled(), vi.runAllTimersAsync()]);

test('items that arrive before a group is written join it', async () => {
  const writer = openWriter();
  writer.add('a');
  // responses to several attempts arrive like this, each in its own turn of the event loop
  await new Promise(setImmediate);
  for (const item of 'bcd') writer.add(item);
  await settled(writer);
  writer.add('e');
  await settled(writer);
  expect(written).toEqual([['a', 'b', 'c', 'd'], ['e']]);
});

test('a group waits while the database is unavailable, and each outage and its end are logged once', async () => {
  const writer = openWriter();
  const failures = [AWAY, AWAY, null, null, AWAY];
  failure = () => failures.shift() ?? null;
  for (const group of ['abc', 'd', 'e']) {
    for (const item of group) writer.add(item);
    await settled(writer);
  }
  expect(written).toEqual([['a', 'b', 'c'], ['d'], ['e']]);
  expect(lost).toEqual([]);
  const outage = ['webhooks are waiting for the database', 'webhooks continue'];
  expect(logged).toEqual([...outage, ...outage]);
});

test('a query that began before an outage does not end it', async () => {
  const outages = outagesHere();
  const held = newLatch();
  const early = outages.unlessAway(held.promise);
  await outages.unlessAway(Promise.reject(AWAY));
  held.open();
  await early;
  await outages.unlessAway(Promise.reject(AWAY));
  expect(logged).toEqual(['webhooks are waiting for the database']);
  await outages.unlessAway(Promise.resolve());
  expect(logged.slice(1)).toEqual(['webhooks continue']);
});

test('an item that cannot be written is lost, but the rest of its group is not', async () => {
  const writer = openWriter();
  failure = (group) => (group.includes('c') ? new Error('cannot be stored') : null);
  for (const item of 'abcd') writer.add(item);
  await settled(writer);
  expect(written).toEqual([['a'], ['b'], ['d']]);
  expect(lost).toEqual(['c']);
});

test('items that are written one by one also wait for the database', async () => {
  const writer = openWriter();
  const failures = [new Error('cannot be stored'), null, AWAY];
  failure = () => failures.shift() ?? null;
  for (const item of 'abc') writer.add(item);
  await settled(writer);
  expect(written).toEqual([['a'], ['b'], ['c']]);
  expect(lost).toEqual([]);
});

test('a group is no larger than one statement can hold', async () => {
  const writer = openWriter();
  for (let n = 0; n < 300; n++) writer.add(`${n}`);
  await settled(writer);
  expect(written.map((group) => group.length)).toEqual([256, 44]);
});

test('a writer that is stopped while the database is unavailable gives up', async () => {
  const writer = openWriter();
  failure = () => AWAY;
  writer.add('a');
  writer.stop();
  await settled(writer);
  expect([written, lost]).toEqual([[], []]);
});
