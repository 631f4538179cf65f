import { pino } from 'pino';
import { beforeEach, expect, test, vi } from 'vitest';
import { type BatchWriter, openBatchWriter } from '../../server/webhooks/delivery/batch-writer.ts';
import { newOutages } from '../../server/webhooks/delivery/outages.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { newLatch } from '../support/latch.ts';
import { until } from '../support/until.ts';

const AWAY = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
const BAD = new Error('cannot be stored');
const MANY = Array.from({ length: 300 }, (_, n) => `${n}`);
const OUTAGE = ['webhooks are waiting for the database', 'webhooks continue'];

let written: string[][];
let lost: string[];
let logged: string[];
/** The results of the next writes; null: success, as of all later ones. */
let failures: (Error | null)[];
/** The items that cannot be written yet. */
const locked = new Set<string>();

beforeEach(() => {
  // fake timers, because a slow machine could split or merge the groups
  fakeTimers(['setTimeout', 'clearTimeout']);
  written = [];
  lost = [];
  logged = [];
  failures = [];
});

const outagesHere = () =>
  newOutages(pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) }));

function openWriter() {
  const write = async (group: readonly string[]) => {
    await null;
    const error = failures.shift();
    if (error) throw error;
    const [now, later] = [group.filter((item) => !locked.has(item)), group.filter((item) => locked.has(item))];
    written.push(now);
    return later;
  };
  return openBatchWriter<string>(outagesHere(), write, (item) => void lost.push(item));
}

const settled = (writer: BatchWriter<string>) => Promise.all([writer.settled(), vi.runAllTimersAsync()]);

test('items that arrive before a group is written join it', async () => {
  const writer = openWriter();
  writer.add('a');
  // responses to several attempts arrive like this, each in its own turn of the event loop
  await new Promise(setImmediate);
  for (const item of 'bcd') writer.add(item);
  await settled(writer);
  expect(written).toEqual([['a', 'b', 'c', 'd']]);
});

test('items that cannot be written yet are written later, and hold up no others', async () => {
  const writer = openWriter();
  locked.add('a');
  for (const item of 'ab') writer.add(item);
  await until(() => expect(written.flat()).toEqual(['b']));
  writer.add('c');
  await until(() => expect(written.flat()).toEqual(['b', 'c']));
  locked.clear();
  await settled(writer);
  expect(written.flat()).toEqual(['b', 'c', 'a']);
});

test.each<[what: string, groups: Iterable<string>[], failing: typeof failures, stored: string[][], logs?: string[]]>([
  ['no group is larger than one statement can hold', [MANY], [], [MANY.slice(0, 256), MANY.slice(256)]],
  ['a group waits while the database is unavailable', ['abc', 'd'], [AWAY, AWAY], [['a', 'b', 'c'], ['d']], OUTAGE],
  ['each outage and its end are logged once', ['a', 'b'], [AWAY, null, AWAY], [['a'], ['b']], [...OUTAGE, ...OUTAGE]],
  ['only an item that cannot be written is lost', ['abcd'], [BAD, null, null, BAD], [['a'], ['b'], ['d']]],
  ['items that are written one by one also wait', ['abc'], [BAD, null, AWAY], [['a'], ['b'], ['c']], OUTAGE],
])('%s', async (_, groups, failing, stored, logs = []) => {
  failures = [...failing];
  const writer = openWriter();
  for (const group of groups) {
    for (const item of group) writer.add(item);
    await settled(writer);
  }
  expect([written, logged]).toEqual([stored, logs]);
  expect(lost).toEqual([...groups].flatMap((group) => [...group]).filter((item) => !stored.flat().includes(item)));
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

test('a writer that is stopped while the database is unavailable gives up', async () => {
  failures = [AWAY, AWAY];
  const writer = openWriter();
  writer.add('a');
  writer.stop();
  await settled(writer);
  expect([written, lost]).toEqual([[], []]);
});
