import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HOUR_MS, SECOND_MS } from '../../server/domain/time.ts';
import { DROPPED } from '../../server/store/deliveries/record.ts';
import { signatureOf } from '../../server/webhooks/delivery/signature.ts';
import { type DeliveryWorker, startDeliveryWorker } from '../../server/webhooks/delivery/worker.ts';
import { engines } from '../support/database.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { type Faults, fragile } from '../support/fragile-store.ts';
import { type Answer, heldAnswer } from '../support/receiver.ts';
import { setWebhooks } from '../support/set-webhooks.ts';
import { receiverForEach } from '../support/started.ts';
import { until } from '../support/until.ts';
import { newEvent, newReceiving, storedEvent } from '../support/webhook-events.ts';
import { errorsTo, patientServerForEach } from '../workers/support.ts';

const AT_ONCE = 16;
const LEASE_MS = 15 * SECOND_MS;

const AWAY = Object.assign(new Error('The database is away'), { code: 'ECONNREFUSED' });

describe.each(engines)('on %s', (engine) => {
  let faults: Faults;
  let logged: string[];
  let workers: DeliveryWorker[];
  const server = patientServerForEach(engine, { logger: errorsTo(() => logged) });
  const receiver = receiverForEach();
  beforeEach(() => {
    logged = [];
    workers = [];
  });
  // workers stop before the server and the receiver close
  afterEach(() => Promise.all(workers.map((worker) => worker.stop(0))));

  /** A worker that stops at the end of the test at the latest. Its database can fail. */
  function startWorker() {
    const broken = fragile(server.store);
    faults = broken.faults;
    const worker = startDeliveryWorker({ ...server.parts, store: broken.store }, server.sender);
    workers.push(worker);
    return worker;
  }

  const receivingAt = (path: string) => newReceiving(server.store, receiver.url + path);

  async function newEvents(applicationId: string, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < count; i++) ids.push(await newEvent(server, applicationId));
    return ids;
  }

  const idsAt = (path: string) => receiver.at(path).map(({ body }) => JSON.parse(body).event_id as string);
  const statusOf = async (eventId: string) => (await storedEvent(server, eventId)).status;

  /** The ends of the leases on an application's deliveries. */
  async function leasesOf(applicationId: string): Promise<(number | null)[]> {
    const claimed = server.store.db.selectFrom('deliveries').select('leaseUntil').where('leaseOwner', 'is not', null);
    const found = await claimed.where('applicationId', '=', applicationId).execute();
    return found.map(({ leaseUntil }) => leaseUntil);
  }

  async function untilDelivered(eventIds: readonly string[]) {
    for (const eventId of eventIds) await until(async () => expect(await statusOf(eventId)).toBe('delivered'));
  }

  test('a worker sends events that are stored while it runs, and attempts that fall due', async () => {
    receiver.answerWith(() => (receiver.received.length === 1 ? 500 : 204));
    startWorker();
    const [eventId] = await newEvents(await receivingAt('/hook'), 1);
    await until(async () => expect((await storedEvent(server, eventId!)).attempts).toBe(1));
    server.passTime(2 * SECOND_MS);
    await untilDelivered([eventId!]);
    expect(idsAt('/hook')).toEqual([eventId, eventId]);
  });

  test('an endpoint that hangs gets at most sixteen requests at once, and does not delay twenty others', async () => {
    const never = heldAnswer();
    receiver.answerWith(({ path }) => (path === '/hangs' ? never.answer : 204));
    const hanging = await receivingAt('/hangs');
    await newEvents(hanging, 150);
    const others: string[] = [];
    for (let i = 0; i < 20; i++) others.push(...(await newEvents(await receivingAt(`/other-${i}`), 3)));
    startWorker();
    await untilDelivered(others);
    others.push(...(await newEvents(await receivingAt('/late'), 1)));
    await untilDelivered(others.slice(-1));
    await until(() => expect(receiver.at('/hangs').length).toBeGreaterThanOrEqual(AT_ONCE));
    expect(receiver.at('/hangs')).toHaveLength(AT_ONCE);
    // other workers can still claim the rest
    expect((await leasesOf(hanging)).length).toBeLessThan(AT_ONCE + 32);
    never.give(204);
  });

  test('as soon as one of sixteen requests ends, the next of its application starts, in order', async () => {
    const held: ReturnType<typeof heldAnswer>[] = [];
    receiver.answerWith(() => {
      held.push(heldAnswer());
      return held.at(-1)!.answer;
    });
    const applicationId = await receivingAt('/hook');
    const eventIds: string[] = [];
    for (let i = 0; i < 100; i++) {
      eventIds.push(...(await newEvents(applicationId, 1)));
      server.passTime(1);
    }
    startWorker();
    for (let ended = 0; ended < 100; ended++) {
      await receiver.arrived(Math.min(100, ended + AT_ONCE));
      held[ended]!.give(204);
    }
    await untilDelivered(eventIds);
    expect(receiver.mostAtOnce).toBe(AT_ONCE);
    // the first sixteen go out at once, over sixteen connections, so their order varies
    expect(new Set(idsAt('/hook').slice(0, AT_ONCE))).toEqual(new Set(eventIds.slice(0, AT_ONCE)));
    expect(idsAt('/hook').slice(AT_ONCE)).toEqual(eventIds.slice(AT_ONCE));
  });

  test('an event that waits in its lane for a second goes to the URL that its application has by then', async () => {
    const first = heldAnswer();
    receiver.answerWith(({ path }) => (path === '/old' ? first.answer : 204));
    const applicationId = await receivingAt('/old');
    const eventIds = await newEvents(applicationId, AT_ONCE + 1);
    startWorker();
    await receiver.arrived(AT_ONCE);
    server.passTime(SECOND_MS);
    const keys = { verificationToken: 'second-token', sandboxVerificationToken: 'sandbox-token' };
    await setWebhooks(server.store.db, applicationId, `${receiver.url}/new`, keys, server.parts.now());
    first.give(204);
    await untilDelivered(eventIds);
    const [late, ...others] = receiver.at('/new');
    expect([receiver.at('/old').length, others.length]).toEqual([AT_ONCE, 0]);
    expect(late!.headers['x-svc-signature']).toBe(signatureOf(late!.body, 'second-token'));
  });

  test('an event that waits in its lane is not sent once its passenger has revoked the access', async () => {
    const first = heldAnswer();
    receiver.answerWith(() => first.answer);
    const applicationId = await receivingAt('/hook');
    const eventIds = await newEvents(applicationId, AT_ONCE + 1);
    startWorker();
    await receiver.arrived(AT_ONCE);
    server.passTime(SECOND_MS);
    const waiting = eventIds.filter((id) => !idsAt('/hook').includes(id));
    await server.store.db.updateTable('deliveries').set(DROPPED).where('eventId', 'in', waiting).execute();
    first.give(204);
    await untilDelivered([...eventIds.filter((id) => !waiting.includes(id)), ...(await newEvents(applicationId, 1))]);
    expect(receiver.received).toHaveLength(AT_ONCE + 1);
    expect(idsAt('/hook')).not.toContain(waiting[0]);
  });

  test('an event that waits in its lane beyond its lease is left to the worker that took it over', async () => {
    const first = heldAnswer();
    receiver.answerWith(() => (receiver.received.length <= AT_ONCE ? first.answer : 204));
    const applicationId = await receivingAt('/hook');
    const eventIds = await newEvents(applicationId, AT_ONCE + 1);
    startWorker();
    await receiver.arrived(AT_ONCE);
    server.passTime(LEASE_MS);
    expect(await server.runDeliveries()).toBe(AT_ONCE + 1);
    first.give(204);
    // the worker takes new events only after the ones in the lane, so nothing is pending afterwards
    await untilDelivered([...eventIds, ...(await newEvents(applicationId, 1))]);
    expect(receiver.received).toHaveLength(AT_ONCE + (AT_ONCE + 1) + 1);
  });

  test('two workers on one database send nothing twice', async () => {
    const eventIds: string[] = [];
    for (let i = 0; i < 5; i++) eventIds.push(...(await newEvents(await receivingAt('/hook'), 60)));
    startWorker();
    startWorker();
    await untilDelivered(eventIds);
    expect(idsAt('/hook').sort()).toEqual([...eventIds].sort());
    expect(logged).toEqual([]);
  });

  test('an attempt that takes longer than a lease stays with its worker', async () => {
    fakeTimers(['setInterval', 'clearInterval']);
    const held = heldAnswer();
    receiver.answerWith(() => (receiver.received.length === 1 ? held.answer : 204));
    startWorker();
    const applicationId = await receivingAt('/hook');
    const [eventId] = await newEvents(applicationId, 1);
    await receiver.arrived(1);
    for (let times = 0; times < 4; times++) {
      server.passTime(5 * SECOND_MS);
      vi.advanceTimersByTime(5 * SECOND_MS);
      await until(async () => expect(await leasesOf(applicationId)).toEqual([server.parts.now() + LEASE_MS]));
    }
    expect(await server.runDeliveries()).toBe(0);
    held.give(204);
    await untilDelivered([eventId!]);
    expect(receiver.received).toHaveLength(1);
  });

  test('while the database is unavailable, a worker logs this once, waits, and neither loses nor repeats an event', async () => {
    const held = heldAnswer();
    receiver.answerWith(() => (receiver.received.length <= 5 ? held.answer : 204));
    startWorker();
    const applicationId = await receivingAt('/hook');
    const ended = await newEvents(applicationId, 5);
    await receiver.arrived(5);
    faults.failFrom(1, AWAY);
    held.give(204);
    const later = await newEvents(applicationId, 40);
    await until(() => expect(logged).not.toEqual([]));
    expect(await statusOf(ended[0]!)).toBe('pending');
    expect(faults.mend()).toBe(true);
    await untilDelivered([...ended, ...later]);
    expect(receiver.received).toHaveLength(45);
    expect(logged.map((line) => JSON.parse(line).msg)).toEqual(['webhooks are waiting for the database']);
  });

  describe('a worker that is stopped', () => {
    test('finishes and records attempts in progress, and releases the rest at once', async () => {
      const held = heldAnswer();
      receiver.answerWith(() => held.answer);
      const worker = startWorker();
      const eventIds = await newEvents(await receivingAt('/hook'), AT_ONCE + 10);
      await receiver.arrived(AT_ONCE);
      const stopped = worker.stop(HOUR_MS);
      held.give(204);
      await stopped;
      expect(receiver.received).toHaveLength(AT_ONCE);
      const statuses = await Promise.all(eventIds.map(statusOf));
      expect(statuses.filter((status) => status === 'delivered')).toHaveLength(AT_ONCE);
      expect(await server.runDeliveries()).toBe(10);
    });

    test('gives up an attempt that does not end in time, and another worker makes it at once', async () => {
      const held = heldAnswer();
      const answers: (Answer | Promise<Answer>)[] = [held.answer];
      receiver.answerWith(() => answers.shift() ?? 204);
      const worker = startWorker();
      const [eventId] = await newEvents(await receivingAt('/hook'), 1);
      await receiver.arrived(1);
      await worker.stop(1);
      expect(await server.runDeliveries()).toBe(1);
      expect(await storedEvent(server, eventId!)).toMatchObject({ status: 'delivered', attempts: 1 });
      held.give(500);
    });
  });
});
