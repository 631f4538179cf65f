import { describe, expect, test } from 'vitest';
import { DAY_MS, SECOND_MS } from '../../server/domain/time.ts';
import { signatureOf } from '../../server/webhooks/delivery/signature.ts';
import { engines } from '../support/database.ts';
import { type Answer, heldAnswer } from '../support/receiver.ts';
import { receiverForEach } from '../support/started.ts';
import { listAttempts, newEvent, newReceiving, storedEvent } from '../support/webhook-events.ts';
import { deliverToTheEnd, expectNextAttemptAfter, patientServerForEach } from '../workers/support.ts';

const LEASE_MS = 15 * SECOND_MS;

describe.each(engines)('on %s', (engine) => {
  const server = patientServerForEach(engine);
  const receiver = receiverForEach();

  /** An event of a new application whose webhooks go to the receiver. */
  const eventToReceiver = async () => newEvent(server, await newReceiving(server.store, `${receiver.url}/hook`));

  const statusOf = async (eventId: string) => (await storedEvent(server, eventId)).status;
  const attemptsOf = (eventId: string) => listAttempts(server.store.db, eventId);

  /** What happens, the seconds that each attempt takes and the server is down after the first one, and their starts. */
  test.each<[what: string, lasts: number, down: number, starts: readonly number[]]>([
    ['is sent nine times, on schedule to the second, and then given up', 0, 0, [0, 2, 5, 10, 20, 35, 55, 85, 120]],
    ['is never sent while an attempt waits for its response', 9, 0, [0, 9, 18, 27, 36, 45, 55, 85, 120]],
    ['is sent later by the duration of a downtime', 0, 62, [0, 62, 65, 70, 80, 95, 115, 145, 180]],
  ])('an event that always fails %s', async (_, lasts, down, starts) => {
    const startedAt = server.parts.now();
    const seconds: number[] = [];
    const meanwhile: number[] = [];
    receiver.answerWith(async () => {
      seconds.push((server.parts.now() - startedAt) / SECOND_MS);
      server.passTime(lasts * SECOND_MS);
      meanwhile.push(await server.runDeliveries());
      return 500;
    });
    const eventId = await eventToReceiver();
    await server.runDeliveries();
    server.passTime(down * SECOND_MS);
    await deliverToTheEnd(server);
    expect(seconds).toEqual(starts);
    expect([meanwhile, receiver.mostAtOnce]).toEqual([Array(9).fill(0), 1]);
    expect(await storedEvent(server, eventId)).toMatchObject({ status: 'given_up', attempts: 9 });
    server.passTime(DAY_MS);
    expect(await server.runDeliveries()).toBe(0);
  });

  describe('an attempt', () => {
    test('sends the same bytes as the previous one, with the same event id', async () => {
      receiver.answerWith(() => (receiver.received.length < 4 ? 503 : 204));
      const eventId = await eventToReceiver();
      await deliverToTheEnd(server);
      const { body } = await storedEvent(server, eventId);
      expect(receiver.received.map((one) => one.body)).toEqual([body, body, body, body]);
      expect(JSON.parse(body).event_id).toBe(eventId);
      const headers = { 'x-svc-signature': signatureOf(body, 'first-token'), 'svc-environment': 'production' };
      expect(receiver.received.map((one) => one.headers)).toMatchObject(Array(4).fill(headers));
    });

    test.each<[string, Answer, object]>([
      ['a redirect', { status: 302, headers: { Location: '/elsewhere' } }, { status: 302 }],
      ['a failure', { status: 500, body: 'Try later' }, { status: 500, answer: 'Try later' }],
      ['no response', 'hang up', { status: null, error: expect.any(String) }],
      ['a response with NUL', { status: 500, body: 'a\0b' }, { status: 500 }],
    ])('that ends in %s is recorded, and repeated', async (_, answer, kept) => {
      receiver.answerWith(() => (receiver.received.length === 1 ? answer : 200));
      const eventId = await eventToReceiver();
      await deliverToTheEnd(server);
      expect(await statusOf(eventId)).toBe('delivered');
      expect(await attemptsOf(eventId)).toMatchObject([
        { number: 1, ...kept },
        { number: 2, status: 200 },
      ]);
      expect(receiver.at('/elsewhere')).toEqual([]);
    });

    test('that gets a 2xx response is the last one, and is recorded with its start and duration', async () => {
      receiver.answerWith(() => {
        server.passTime(1234);
        return { status: 200, body: 'Thanks' };
      });
      const startedAt = server.parts.now();
      const eventId = await eventToReceiver();
      await deliverToTheEnd(server);
      expect(await statusOf(eventId)).toBe('delivered');
      expect(receiver.received).toHaveLength(1);
      const answered = { durationMs: 1234, status: 200, answer: 'Thanks', error: null };
      expect(await attemptsOf(eventId)).toEqual([
        { eventId, number: 1, startedAt, ...answered, sent: expect.stringContaining('127.0.0.1:') },
      ]);
    });
  });

  test('an attempt that cannot be recorded is repeated when its lease expires', async () => {
    const eventId = await eventToReceiver();
    const nothing = { startedAt: 0, durationMs: 0, status: null, answer: null, error: null };
    // a row with the same number makes the insert fail
    await server.store.db
      .insertInto('attempts')
      .values({ eventId, number: 1, ...nothing })
      .execute();
    expect(await server.runDeliveries()).toBe(1);
    await server.store.db.deleteFrom('attempts').execute();
    await expectNextAttemptAfter(server, LEASE_MS);
    expect(await storedEvent(server, eventId)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(receiver.received).toHaveLength(2);
  });

  test('a worker that still runs after its lease does not affect the worker that took over', async () => {
    const first = heldAnswer();
    receiver.answerWith(() => (receiver.received.length === 1 ? first.answer : 204));
    const eventId = await eventToReceiver();
    const slow = server.runDeliveries();
    await receiver.arrived(1);
    server.passTime(LEASE_MS);
    await server.runDeliveries();
    first.give(500);
    await slow;
    expect(await storedEvent(server, eventId)).toMatchObject({ status: 'delivered', attempts: 1, realDueAt: null });
    expect(receiver.received).toHaveLength(2);
  });
});
