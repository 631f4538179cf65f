import { expect, test } from 'vitest';
import { memoryEventStore } from '../../client/webhooks/event-store.ts';

const HOUR_MS = 60 * 60 * 1000;

test('the memory store gives an event to one handler at a time', async () => {
  const store = memoryEventStore();
  expect([await store.claim('a'), await store.claim('a'), await store.claim('b')]).toEqual([
    'claimed',
    'busy',
    'claimed',
  ]);
});

test('it keeps handled events for 24 hours', async () => {
  let now = 0;
  const store = memoryEventStore({ now: () => now });
  await store.claim('a');
  await store.confirm('a');
  now = 24 * HOUR_MS - 1;
  expect(await store.claim('a')).toBe('done');
  now = 24 * HOUR_MS;
  expect(await store.claim('a')).toBe('claimed');
});

test('it keeps 10,000 events by default', async () => {
  const store = memoryEventStore();
  for (let n = 0; n < 10_000; n++) await store.confirm(`event ${n}`);
  expect(await store.claim('event 0')).toBe('done');
  await store.confirm('one more');
  expect(await store.claim('event 0')).toBe('claimed');
});

test('it removes the oldest events above its limit, except events in progress', async () => {
  const store = memoryEventStore({ limit: 2 });
  await store.claim('under way');
  for (const eventId of ['a', 'b', 'c']) {
    await store.claim(eventId);
    await store.confirm(eventId);
  }
  const claims = ['c', 'b', 'a', 'under way'].map((eventId) => store.claim(eventId));
  expect(await Promise.all(claims)).toEqual(['done', 'done', 'claimed', 'busy']);
});
