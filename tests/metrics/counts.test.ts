import { describe, expect, test } from 'vitest';
import type { WorldKind } from '../../server/domain/worlds/clock.ts';
import { DEFAULT_SETTINGS, SOUND_WEBHOOKS, type WebhookSettings } from '../../server/domain/worlds/settings.ts';
import { engines } from '../support/database.ts';
import type { Answer } from '../support/receiver.ts';
import { LIVE } from '../support/server.ts';
import { receiverForEach, testServer } from '../support/started.ts';
import { newEvent, newReceiving } from '../support/webhook-events.ts';
import { testMeter } from './support.ts';

describe.each(engines)('on %s', (engine) => {
  const { meter, counted, countedSince } = testMeter();
  const server = testServer(engine, { meter });
  const receiver = receiverForEach();

  /** What `work` adds to the counts. */
  const countedOf = async (work: () => Promise<unknown>) => {
    const before = await counted('ridehail_webhook_attempts_total');
    await work();
    return countedSince('ridehail_webhook_attempts_total', before);
  };
  const newWorld = (applicationId: string, webhooks: Partial<WebhookSettings>) => {
    const at = server.parts.now();
    const clock = { realAnchor: at, worldAnchor: at, running: true };
    const settings = { ...DEFAULT_SETTINGS, webhooks: { ...SOUND_WEBHOOKS, ...webhooks } };
    return server.newWorld({ applicationId, clock, settings });
  };

  test.each<[what: string, kind: WorldKind, Answer, Partial<WebhookSettings>, expected: Record<string, number>]>([
    ['accepts', 'live', 204, {}, { 'live delivered': 1 }],
    ['refuses', 'live', 500, {}, { 'live refused': 1 }],
    ['hangs up', 'live', 'hang up', {}, { 'live failed': 1 }],
    ['accepts it and its repeats', 'sandbox', 200, { duplicates: 2 }, { 'sandbox delivered': 3 }],
    ['gets nothing because of a sandbox setting', 'sandbox', 200, { dropFirst: 1 }, { 'sandbox dropped': 1 }],
  ])('an attempt is counted if its receiver %s', async (_, kind, answer, webhooks, expected) => {
    receiver.answerWith(() => answer);
    const applicationId = await newReceiving(server.store, receiver.url);
    const world = kind === 'live' ? LIVE : await newWorld(applicationId, webhooks);
    await newEvent(server, applicationId, { world });
    expect(await countedOf(server.runDeliveries)).toEqual(expected);
  });

  test('an attempt made by advancing a clock is counted too', async () => {
    const applicationId = await newReceiving(server.store, receiver.url);
    const world = await newWorld(applicationId, {});
    await newEvent(server, applicationId, { world });
    expect(await countedOf(() => server.advance(world, 1))).toEqual({ 'sandbox delivered': 1 });
  });

  test('an attempt that another worker took over is not counted', async () => {
    const applicationId = await newReceiving(server.store, receiver.url);
    const eventId = await newEvent(server, applicationId);
    receiver.answerWith(async () => {
      const of = server.store.db.updateTable('deliveries').where('eventId', '=', eventId);
      await of.set({ leaseOwner: 'another' }).execute();
      return 204;
    });
    expect(await countedOf(server.runDeliveries)).toEqual({});
  });
});

test('a request counts in each duration bucket that is at least as long, and an unknown code counts as `other`', async () => {
  const { meter, counted } = testMeter();
  const ended = { operation: 'getRide', status: 500, code: 'made up', isSimulated: false } as const;
  for (const ms of [0, 7, 60_000]) meter.request({ ...ended, ms });
  const buckets = await counted('ridehail_http_request_duration_seconds');
  expect(buckets).toMatchObject({ '0.001 getRide': 1, '0.005 getRide': 1, '0.01 getRide': 2, '+Inf getRide': 3 });
  expect(await counted('ridehail_http_requests_total')).toEqual({ 'getRide 500 other false': 3 });
});
