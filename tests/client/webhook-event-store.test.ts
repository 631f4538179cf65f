import { expect, test } from 'vitest';
import { memoryEventStore } from '../../client/webhooks/event-store.ts';

const HOUR_MS = 60 * 60 * 1000;

test('the store in memory gives an event to one at a time', async () => {
  const store = memoryEventStore();
  expect([await store.claim('a'), await store.claim('a'), await store.claim('b')]).toEqual([
    'claimed',
    'busy',
    'claimed',
  ]);
});

test('it remembers what was handled, for 24 hours', async () => {
  let now = 0;
  const store = memoryEventStore({ now: () => now });
  await store.claim('a');
  await store.confirm('a');
  now = 24 * HOUR_MS - 1;
  expect(await store.claim('a')).toBe('done');
  now = 24 * HOUR_MS;
  expect(await store.claim('a')).toBe('claimed');
});

test('it remembers 10,000 events unless told otherwise', async () => {
  const store = memoryEventStore();
  for (let n = 0; n < 10_000; n++) await store.confirm(`event ${n}`);
  expect(await store.claim('event 0')).toBe('done');
  await store.confirm('one more');
  expect(await store.claim('event 0')).toBe('claimed');
});

test('it forgets the oldest beyond its limit, and nothing that is being handled', async () => {
  const store = memoryEventStore({ limit: 2 });
  await store.claim('under way');
  for (const eventId of ['a', 'b', 'c']) {
    await store.claim(eventId);
    await store.confirm(eventId);
  }
  const claims = ['c', 'b', 'a', 'under way'].map((eventId) => store.claim(eventId));
  expect(await Promise.all(claims)).toEqual(['done', 'done', 'claimed', 'busy']);
});
