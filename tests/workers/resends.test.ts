import { beforeEach, describe, expect, test } from 'vitest';
import { switchLiveEvents } from '../../server/applications/change.ts';
import { transferApplication } from '../../server/applications/transfer.ts';
import { DEMO } from '../../server/demo.ts';
import { deleteApplication } from '../../server/store/application-ends.ts';
import { setWebhook } from '../../server/store/application-keys.ts';
import { ApplicationGone, findApplication } from '../../server/store/applications.ts';
import { endAccess } from '../../server/store/consents.ts';
import { findRange } from '../../server/store/deliveries/range.ts';
import { startRange } from '../../server/webhooks/ranges.ts';
import { continueResends } from '../../server/workers/resends.ts';
import { newDeveloper } from '../portal/support.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { LIVE } from '../support/server.ts';
import { setWebhooks } from '../support/set-webhooks.ts';
import { receiverForEach, serverForEach } from '../support/started.ts';
import { newEvent, storedEvent } from '../support/webhook-events.ts';

const KEYS = { verificationToken: 'live key', sandboxVerificationToken: 'sandbox key' };
const SINCE = '2020-01-01T00:00:00Z';

describe.each(engines)('on %s', (engine) => {
  const server = serverForEach(engine);
  const receiver = receiverForEach();
  beforeEach(() => setWebhooks(server.store.db, DEMO.clientId, receiver.url, KEYS, server.parts.now()));

  const apiOf = async (world = LIVE) =>
    server.client({ token: await server.newToken({ world, applicationId: DEMO.clientId }) });

  /** Events whose delivery was given up, one a millisecond, of so many live rides in turn. @returns their IDs in order */
  async function missed(count: number, rides = count): Promise<string[]> {
    const ids = [];
    for (let n = 0; n < count; n++) {
      server.passTime(1);
      ids.push(await newEvent(server, DEMO.clientId, { rideId: `ride-${n % rides}` }));
    }
    const givenUp = { status: 'given_up', realDueAt: null, attempts: 8 } as const;
    await server.store.db.updateTable('deliveries').set(givenUp).where('status', '=', 'pending').execute();
    return ids;
  }

  const arrived = () => receiver.received.map(({ body }) => JSON.parse(String(body)).event_id as string);
  const step = () => continueResends(server.parts);
  /** Continues until no resend runs any more. */
  async function toTheEnd() {
    for (let steps = 0; await step(); steps++) {
      if (steps > 50) throw new Error('The resend does not end.');
      await server.runDeliveries();
      server.passTime(60_000);
    }
  }
  const progress = async () => (await (await apiOf()).getResend()).data!;

  test('each missed event arrives once, those of a ride in order, and new events do not wait for them', async () => {
    const ids = await missed(250, 10);
    const api = await apiOf();
    const { data, response } = await api.resendWebhookEvents({ body: { since: SINCE } });
    expect([response.status, data]).toMatchObject([202, { state: 'running', count: 250, delivered: 0, failed: 0 }]);
    await step();
    const pending = await server.store.db.selectFrom('deliveries').select('turn').where('turn', '>', 0).execute();
    expect([pending.length, pending.filter(({ turn }) => turn === 2).length]).toEqual([24, 10]);
    await toTheEnd();
    expect(arrived().toSorted()).toEqual(ids.toSorted());
    for (let ride = 0; ride < 10; ride++) {
      const isOfRide = (id: string) => ids.indexOf(id) % 10 === ride;
      expect(arrived().filter(isOfRide)).toEqual(ids.filter(isOfRide));
    }
    expect(await progress()).toMatchObject({ state: 'finished', count: 250, delivered: 250, failed: 0 });
    // one that looks at fewer events than there are ends with the last of them
    const range = { applicationId: DEMO.clientId, worldId: LIVE.id, eventType: null, failedOnly: 0 } as const;
    const times = { since: 0, until: server.parts.now() + 1 };
    const cut = await findRange(server.store.db, range, times, (read) => read(), 200);
    expect(cut).toMatchObject({ events: 200, last: { eventId: ids[199] }, isCut: true });
    // nothing is left to send
    expect((await api.resendWebhookEvents({ body: { since: SINCE } })).data).toMatchObject({
      state: 'finished',
      count: 0,
    });
  });

  test('an event follows when the previous one of its ride was given up again, which is not a failure of new events', async () => {
    const ids = await missed(2, 1);
    receiver.answerWith(() => 500);
    await (await apiOf()).resendWebhookEvents({ body: { since: SINCE } });
    await step();
    await server.runDeliveries();
    const [application] = await server.store.db
      .selectFrom('applications')
      .select('webhookFailingSince')
      .where('id', '=', DEMO.clientId)
      .execute();
    expect(application).toEqual({ webhookFailingSince: null });
    while ((await storedEvent(server, ids[0]!)).status === 'pending') {
      server.passTime(1000);
      await server.runDeliveries();
    }
    expect(new Set(arrived())).toEqual(new Set([ids[0]]));
    receiver.answerWith(() => 204);
    await toTheEnd();
    expect(arrived().at(-1)).toBe(ids[1]);
    expect(await progress()).toMatchObject({ state: 'finished', delivered: 1, failed: 1 });
  });

  test('while its events wait for their receiver, it rests for up to a second', async () => {
    await missed(1);
    await (await apiOf()).resendWebhookEvents({ body: { since: SINCE } });
    const rests = new Map();
    for (let n = 0; n < 8; n++) {
      await continueResends(server.parts, rests);
      server.passTime(n < 7 ? 1000 : 0);
    }
    await server.runDeliveries();
    await continueResends(server.parts, rests);
    expect(await progress()).toMatchObject({ state: 'running', delivered: 0 });
    server.passTime(1000);
    await continueResends(server.parts, rests);
    expect(await progress()).toMatchObject({ state: 'finished', delivered: 1 });
  });

  test('an application has one at a time, and stopping it leaves the rest as it was', async () => {
    const ids = await missed(3, 1);
    const api = await apiOf();
    await api.resendWebhookEvents({ body: { since: SINCE } });
    await step();
    const refused = failure(409, 'resend_running');
    const start = async (again: typeof api) => answerOf(await again.resendWebhookEvents({ body: { since: SINCE } }));
    expect(await start(api)).toMatchObject(refused);
    // all sandboxes together have one too
    const sandboxes = [];
    for (let n = 0; n < 2; n++) {
      const world = await server.newWorld();
      const id = await newEvent(server, DEMO.clientId, { world });
      await server.store.db.updateTable('deliveries').set({ status: 'dropped' }).where('eventId', '=', id).execute();
      sandboxes.push(await apiOf(world));
    }
    expect(await start(sandboxes[0]!)).toMatchObject({ status: 202, body: { count: 1 } });
    expect(await start(sandboxes[1]!)).toMatchObject(refused);
    await sandboxes[0]!.cancelResend();
    expect((await api.cancelResend()).response.status).toBe(204);
    await toTheEnd();
    expect(await step()).toBe(false);
    await server.runDeliveries();
    expect(arrived()).toEqual(ids.slice(0, 1));
    expect((await storedEvent(server, ids[1]!)).status).toBe('given_up');
    expect(await progress()).toMatchObject({ state: 'canceled', count: 3, ended_at: expect.any(String) });
    expect((await api.cancelResend()).response.status).toBe(204);
    expect((await api.resendWebhookEvents({ body: { since: SINCE } })).data).toMatchObject({ count: 2 });
  });

  test('the range has its bounds, its type, and on demand also what arrived or was never sent', async () => {
    const at = (ms: number) => new Date(server.parts.now() + ms).toISOString();
    const ids = await missed(4);
    await newEvent(server, DEMO.clientId, { rideId: 'ride-0', hadUrl: 0, type: 'ride.receipt.ready' });
    const delivered = { status: 'delivered' } as const;
    await server.store.db.updateTable('deliveries').set(delivered).where('eventId', '=', ids[0]!).execute();
    const api = await apiOf();
    const count = async (body: object) => {
      const { data } = await api.resendWebhookEvents({ body: { since: SINCE, ...body } });
      await api.cancelResend();
      return data?.count;
    };
    expect(await count({})).toBe(3);
    expect(await count({ failed_only: false })).toBe(5);
    expect(await count({ failed_only: false, event_type: 'ride.receipt.ready' })).toBe(1);
    expect(await count({ since: at(-1) })).toBe(2);
    expect(await count({ until: at(-1) })).toBe(1);
    const wrong = answerOf(await api.resendWebhookEvents({ body: { since: at(0), until: at(-1) } }));
    expect(wrong).toMatchObject(failure(400, 'bad_parameter', [{ until: 'must not be before since' }]));
    const future = await api.resendWebhookEvents({ body: { since: '9999-12-31T23:59:59-23:59' } });
    expect(future.data).toMatchObject({ count: 0, state: 'finished', since: future.data?.until });
  });

  test('nothing is sent about a passenger who has revoked the access, even after the start', async () => {
    const ids = await missed(3, 1);
    const rides = server.store.db.updateTable('rides').where('id', '=', 'ride-0');
    await rides.set({ applicationId: DEMO.clientId, requestedAt: server.parts.now() }).execute();
    await (await apiOf()).resendWebhookEvents({ body: { since: SINCE } });
    await step();
    await server.runDeliveries();
    await server.store.transaction((tx) => endAccess(tx, 'ada', server.parts.now(), DEMO.clientId));
    await toTheEnd();
    expect(arrived()).toEqual(ids.slice(0, 1));
    expect(await progress()).toMatchObject({ state: 'finished', count: 3, delivered: 1, failed: 0 });
  });

  test('what the owner changes during the search counts, and a running resend ends when live events are turned off', async () => {
    await missed(2);
    const { db, transaction } = server.store;
    const application = (await findApplication(db, DEMO.clientId))!;
    const [realNow, wanted] = [server.parts.now(), { since: 0, failedOnly: true }];
    const start = async () =>
      startRange(server.parts, { application, world: LIVE, at: realNow, realNow }, wanted, async () => {});
    const by = { developerId: null, network: null, realNow, audit: () => {} };
    await setWebhook(db, DEMO.clientId, 'live', { url: null, verificationToken: 'none' }, realNow);
    await expect(start()).rejects.toMatchObject({ code: 'no_webhook_url' });
    await setWebhook(db, DEMO.clientId, 'live', { url: receiver.url, verificationToken: 'new' }, realNow);
    expect((await start()).events).toBe(2);
    await switchLiveEvents(server.parts, by, DEMO.clientId, false);
    await toTheEnd();
    expect(arrived()).toEqual([]);
    await expect(start()).rejects.toMatchObject({ code: 'insufficient_scope' });
    await switchLiveEvents(server.parts, by, DEMO.clientId, true);
    expect((await start()).events).toBe(2);
    await transferApplication(server.parts, by, DEMO.clientId, (await newDeveloper(server)).id);
    await toTheEnd();
    expect(arrived()).toEqual([]);
    await transaction((tx) => deleteApplication(tx, DEMO.clientId, realNow));
    await expect(start()).rejects.toThrow(ApplicationGone);
  });

  test('a sandbox that is deleted meanwhile ends the resend in it', async () => {
    const world = await server.newWorld();
    const id = await newEvent(server, DEMO.clientId, { world });
    await server.store.db.updateTable('deliveries').set({ status: 'given_up' }).where('eventId', '=', id).execute();
    await (await apiOf(world)).resendWebhookEvents({ body: { since: SINCE } });
    await (await apiOf(world)).deleteWorld();
    await step();
    expect(await step()).toBe(false);
  });
});
