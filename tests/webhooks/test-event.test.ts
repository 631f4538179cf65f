import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { TEST_EVENT, type WebhookEvent } from '../../generated/webhooks.ts';
import type { Application, Environment } from '../../server/domain/application.ts';
import { Refusal } from '../../server/domain/refusal.ts';
import { DAY_MS, HOUR_MS } from '../../server/domain/time.ts';
import type { SenderOptions } from '../../server/webhooks/delivery/send.ts';
import { signatureOf } from '../../server/webhooks/delivery/signature.ts';
import { MOST_TEST_EVENTS, openTestEvents } from '../../server/webhooks/delivery/test-event.ts';
import { checkEvent } from '../../server/webhooks/validate.ts';
import { application } from '../store/samples.ts';
import { heldAnswer } from '../support/receiver.ts';
import { receiverForEach } from '../support/started.ts';
import { NOW, newSender } from './support/sender.ts';

const PUBLIC_URL = 'https://rides.example.com';
const TOKENS = { production: 'key of live', sandbox: 'key of sandbox' };
const ENVIRONMENTS = [
  { environment: 'live', spelled: 'production' },
  { environment: 'sandbox', spelled: 'sandbox' },
] as const;

const receiver = receiverForEach();

const opened = (options: Partial<SenderOptions> = {}) =>
  openTestEvents({ randomBytes, publicUrl: PUBLIC_URL }, newSender(options));

/** An application whose webhooks go to the receiver. */
const newTested = (traits: Partial<Application> = {}): Application =>
  application({
    ...{ webhookUrl: `${receiver.url}/live`, verificationToken: TOKENS.production },
    ...{ sandboxWebhookUrl: `${receiver.url}/sandbox`, sandboxVerificationToken: TOKENS.sandbox },
    ...traits,
  });

const refusalOf = (sent: Promise<unknown>) =>
  sent.then(
    () => 'nothing was refused',
    (error: unknown) => (error instanceof Refusal ? error.code : error),
  );

describe('a test event', () => {
  test.each(ENVIRONMENTS)('for $environment webhooks has both signatures for a day after a change', async (to) => {
    const before: Record<Environment, Partial<Application>> = {
      live: { previousVerificationToken: 'before', verificationTokenChangedAt: NOW - DAY_MS + 1 },
      sandbox: { previousSandboxVerificationToken: 'before', sandboxVerificationTokenChangedAt: NOW - DAY_MS + 1 },
    };
    await opened()(newTested(before[to.environment]), to.environment);
    const { body, headers } = receiver.received[0]!;
    const both = [TOKENS[to.spelled], 'before'].map((token) => signatureOf(body, token));
    expect(headers['x-svc-signatures']).toBe(both.join(', '));
  });

  test('is the example of the contract, with the current time, links to this server and a new id', async () => {
    const send = opened();
    for (let n = 0; n < 2; n++) await send(newTested(), 'live');
    const [first, second] = receiver.received.map(({ body }) => JSON.parse(body) as WebhookEvent);
    expect(second!.event_id).not.toBe(first!.event_id);
    const { body: example } = TEST_EVENT;
    expect(first!.event.ride_id).toBe(example.event.ride_id);
    expect(first!.href).toBe(`${PUBLIC_URL}${new URL(example.href).pathname}`);
    expect(Date.parse(first!.occurred_at)).toBe(NOW);
    expect(Date.parse(first!.event.generated_at)).toBe(NOW);
    const requestedAgoMs = Date.parse(example.occurred_at) - Date.parse(example.event.requested_at);
    expect(Date.parse(first!.event.requested_at)).toBe(NOW - requestedAgoMs);
    expect(JSON.stringify(first)).not.toContain('localhost');
    checkEvent({ contractBreach: 'fail', logger: pino({ level: 'silent' }) }, first!);
  });

  test('can be recognized by its ride, as the contract says', () => {
    const { post } = parse(readFileSync('webhooks.yaml', 'utf8')).webhooks['ride.status.updated'];
    expect(post.description).toContain(`example \`${post['x-test-event']}\``);
    expect(post.description).toContain(`\`${TEST_EVENT.body.event.ride_id}\``);
  });

  test('that fails is not sent again, and returns the same error as an attempt', async () => {
    receiver.answerWith(() => ({ status: 503, body: 'Try later' }));
    const tested = newTested();
    expect(await opened()(tested, 'live')).toMatchObject({ status: 503, answer: 'Try later', delivered: false });
    expect(receiver.received).toHaveLength(1);
    const inside = await opened({ allowPrivate: false })(tested, 'live');
    const error = 'The webhook URL must point to a public address, but 127.0.0.1 is not public (loopback).';
    expect(inside).toMatchObject({ status: null, answer: null, error, delivered: false });
    expect(receiver.received).toHaveLength(1);
  });

  test.each<[string, Partial<Application>]>([
    ['a URL', { webhookUrl: null, sandboxWebhookUrl: null }],
    ['a key', { verificationToken: '', sandboxVerificationToken: '' }],
  ])('without %s is refused', async (_, traits) => {
    for (const { environment } of ENVIRONMENTS) {
      expect(await refusalOf(opened()(newTested(traits), environment))).toBe('bad_parameter');
    }
    expect(receiver.received).toEqual([]);
  });
});

describe('while receivers hang', () => {
  /** Sends a test event of each application at once. @returns how many are in progress */
  async function underWay(applications: readonly Application[]) {
    const held = heldAnswer();
    receiver.answerWith(() => held.answer);
    const send = opened({ timeoutMs: HOUR_MS });
    const sent = applications.map((one) => refusalOf(send(one, 'live')));
    const refused = (await Promise.all(sent.map((one) => Promise.race([one, nextTurn()])))).filter(
      (code) => code === 'rate_limit_exceeded',
    );
    const count = applications.length - refused.length;
    await receiver.arrived(count);
    held.give(204);
    await Promise.all(sent);
    // events that have ended make room again
    receiver.answerWith(() => 204);
    expect(await send(applications[0]!, 'live')).toMatchObject({ delivered: true });
    return count;
  }
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  const many = (traits: (n: number) => Partial<Application>) =>
    Array.from({ length: 100 }, (_, n) => newTested(traits(n)));

  test.each<[string, number, (n: number) => Partial<Application>]>([
    ['an application', MOST_TEST_EVENTS.application, () => ({ id: 'one' })],
    ['a developer', MOST_TEST_EVENTS.developer, (n) => ({ id: `${n}`, developerId: 'ada' })],
    ['the process', MOST_TEST_EVENTS.process, (n) => ({ id: `${n}`, developerId: `${n}` })],
  ])('%s has at most %i test events in progress, and any more are refused', async (_, most, traits) => {
    expect(await underWay(many(traits))).toBe(most);
  });
});
