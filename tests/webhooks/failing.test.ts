import { describe, expect, test } from 'vitest';
import type { Environment } from '../../server/domain/application.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { replaceSecret, setWebhook } from '../../server/store/application-keys.ts';
import { findApplication, setSettings } from '../../server/store/applications.ts';
import { recordAttempts } from '../../server/store/deliveries/record.ts';
import { counted } from '../support/counted-store.ts';
import { engines } from '../support/database.ts';
import { runDueDeliveries } from '../support/due-deliveries.ts';
import { heldAnswer } from '../support/receiver.ts';
import { receiverForEach } from '../support/started.ts';
import { claimDue, newEvent, newReceiving } from '../support/webhook-events.ts';
import { deliverToTheEnd, patientServerForEach } from '../workers/support.ts';

describe.each(engines)('on %s', (engine) => {
  const server = patientServerForEach(engine);
  const receiver = receiverForEach();

  const newApplication = () => newReceiving(server.store, receiver.url);
  const failingSince = async (applicationId: string) =>
    (await findApplication(server.store.db, applicationId))!.webhookFailingSince;

  /** Sends a live event, and passes the time of all its retries. */
  async function sendToTheEnd(applicationId: string) {
    await newEvent(server, applicationId);
    await deliverToTheEnd(server);
  }

  /** An application whose webhook starts to fail now. */
  async function newFailing() {
    receiver.answerWith(() => 500);
    const applicationId = await newApplication();
    const since = server.parts.now();
    await newEvent(server, applicationId);
    await server.runDeliveries();
    return { applicationId, since };
  }

  test('a webhook is failing from the end of its first failed attempt until one of its application arrives', async () => {
    const [applicationId, other] = [await newApplication(), await newApplication()];
    await sendToTheEnd(applicationId);
    expect(await failingSince(applicationId)).toBeNull();
    receiver.answerWith(() => {
      server.passTime(3 * SECOND_MS);
      return 500;
    });
    const since = server.parts.now() + 3 * SECOND_MS;
    await sendToTheEnd(applicationId);
    server.passTime(6 * DAY_MS);
    await sendToTheEnd(applicationId);
    expect(await failingSince(applicationId)).toBe(since);
    receiver.answerWith(() => 204);
    await sendToTheEnd(other);
    expect([await failingSince(applicationId), await failingSince(other)]).toEqual([since, null]);
    await sendToTheEnd(applicationId);
    expect(await failingSince(applicationId)).toBeNull();
  });

  test('events of sandboxes neither start nor end a failure', async () => {
    const applicationId = await newApplication();
    const world = await server.newWorld({ applicationId });
    receiver.answerWith(() => 500);
    await newEvent(server, applicationId, { world });
    await server.advance(world, 2 * MINUTE_MS);
    expect(receiver.received).toHaveLength(9);
    expect(await failingSince(applicationId)).toBeNull();
    const { applicationId: failing, since } = await newFailing();
    receiver.answerWith(() => 204);
    await newEvent(server, failing, { world: await server.newWorld({ applicationId: failing }) });
    await server.runDeliveries();
    expect(receiver.received).toHaveLength(11);
    expect(await failingSince(failing)).toBe(since);
  });

  const secretOf = (verificationToken: string) => ({ hash: 'new-hash', previousEndsAt: null, verificationToken });
  const change = {
    'its URL': (id: string, environment: Environment) => {
      const webhook = { url: `${receiver.url}/new`, verificationToken: 'new' };
      return setWebhook(server.store.db, id, environment, webhook, server.parts.now());
    },
    'its secret': (id: string, environment: Environment) =>
      replaceSecret(server.store.db, id, environment, secretOf('new'), server.parts.now()),
  };

  test.each(['its URL', 'its secret'] as const)(
    'a change of %s ends a failure, in the live environment only',
    async (what) => {
      const { applicationId, since } = await newFailing();
      await change[what](applicationId, 'sandbox');
      expect(await failingSince(applicationId)).toBe(since);
      await change[what](applicationId, 'live');
      expect(await failingSince(applicationId)).toBeNull();
    },
  );

  test('an attempt at the previous URL does not start a failure', async () => {
    const held = heldAnswer();
    receiver.answerWith(() => held.answer);
    const applicationId = await newApplication();
    await newEvent(server, applicationId);
    const sending = server.runDeliveries();
    await receiver.arrived(1);
    await change['its URL'](applicationId, 'live');
    held.give(500);
    await sending;
    expect(await failingSince(applicationId)).toBeNull();
  });

  test('the result of many concurrent attempts is correct in any order', async () => {
    const applicationId = await newApplication();
    const results = new Map<string, number>();
    receiver.answerWith(({ body }) => results.get(JSON.parse(body).event_id)!);
    for (let n = 0; n < 40; n++) results.set(await newEvent(server, applicationId), n % 2 === 0 ? 204 : 500);
    await Promise.all([server.runDeliveries(), server.runDeliveries()]);
    for (const id of results.keys()) results.set(id, 204);
    server.passTime(2 * SECOND_MS);
    await Promise.all([server.runDeliveries(), server.runDeliveries()]);
    expect(receiver.received).toHaveLength(60);
    expect(await failingSince(applicationId)).toBeNull();
  });

  test('a batch updates an application only if it starts or stops failing', async () => {
    const { store, statements } = counted(server.store);
    const applicationId = await newApplication();
    const statementsOf = async (status: number) => {
      receiver.answerWith(() => status);
      await newEvent(server, applicationId);
      statements.length = 0;
      await runDueDeliveries({ ...server.parts, store }, server.sender);
      return statements.filter((statement) => statement.startsWith('update "applications"')).length;
    };
    const counts: number[] = [];
    for (const status of [204, 500, 500, 204, 204]) counts.push(await statementsOf(status));
    expect(counts).toEqual([0, 1, 0, 1, 0]);
  });

  test.runIf(engine === 'postgres')(
    'recording an attempt does not wait for a concurrent change of the application',
    async () => {
      const { applicationId, since } = await newFailing();
      const { db } = server.store;
      const eventId = await newEvent(server, applicationId);
      const claim = { realNow: server.parts.now(), leaseMs: MINUTE_MS, limit: 1, owner: 'me' };
      expect(await claimDue(db, claim)).toMatchObject([{ eventId }]);
      const arrived = {
        attempt: { eventId, startedAt: since + 1, durationMs: 0, status: 204, answer: '', error: null, sent: null },
        next: { status: 'delivered', dueAt: since, scheduleAnchor: since },
        ...{ owner: 'me', verificationToken: 'first-token' },
      } as const;
      await server.store.transaction(async (tx) => {
        await setSettings(tx, applicationId, { name: 'Renamed' });
        await server.store.transaction((other) => recordAttempts(other, [arrived]));
      });
      expect(await failingSince(applicationId)).toBe(since);
      await newEvent(server, applicationId);
      receiver.answerWith(() => 204);
      await server.runDeliveries();
      expect(await failingSince(applicationId)).toBeNull();
    },
  );
});
