import { beforeEach, describe, expect, test } from 'vitest';
import type { Operations } from '../../client/client.ts';
import type { RecordedEvent } from '../../generated/types.ts';
import { DEMO } from '../../server/demo.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { setSettings } from '../../server/store/applications.ts';
import { endAccess } from '../../server/store/consents.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { askToken, SANDBOX_CLIENT } from '../support/oauth.ts';
import { LIVE } from '../support/server.ts';
import { setWebhooks } from '../support/set-webhooks.ts';
import { receiverForEach, serverForEach } from '../support/started.ts';
import { newEvent } from '../support/webhook-events.ts';

const NOT_FOUND = failure(404, 'event_not_found');
const KEYS = { verificationToken: 'live key', sandboxVerificationToken: 'sandbox key' };

describe.each(engines)('on %s', (engine) => {
  const server = serverForEach(engine);
  const receiver = receiverForEach();
  beforeEach(() => setWebhooks(server.store.db, DEMO.clientId, receiver.url, KEYS, server.parts.now()));

  const clientIn = async (world: World, applicationId: string = DEMO.clientId) =>
    server.client({ token: await server.newToken({ world, applicationId }) });
  const list = async (api: Operations, query = {}) => (await api.listWebhookEvents({ params: { query } })).data!;
  const get = (api: Operations, event_id: string) => api.getWebhookEvent({ params: { path: { event_id } } });
  const resend = async (api: Operations, event_id: string) =>
    answerOf(await api.resendWebhookEvent({ params: { path: { event_id } } }));
  const idsOf = (events: readonly RecordedEvent[]) => events.map(({ event_id }) => event_id);

  describe.each(['live', 'sandbox'] as const)('in the %s world', (kind) => {
    const worldOf = async () => (kind === 'live' ? LIVE : server.newWorld());

    test('an event has its attempts, each with its time, and is sent again with the same bytes', async () => {
      const world = await worldOf();
      const api = await clientIn(world);
      receiver.answerWith(() => ({ status: 500, body: 'not now' }));
      const id = await newEvent(server, DEMO.clientId, { world });
      const startedAt = new Date(server.parts.now()).toISOString().replace('Z', '+00:00');
      await server.runDeliveries();
      const failed = { number: 1, started_at: startedAt, status: 500, answer: 'not now', error: null };
      const { events, next_cursor } = await list(api);
      expect(next_cursor).toBeNull();
      expect(events).toMatchObject([{ event_id: id, ride_id: 'ride', delivery: 'pending', attempts: [failed] }]);
      expect(events[0]!.body).toMatchObject({ event_id: id });
      expect((await get(api, id)).data).toEqual(events[0]);
      receiver.answerWith(() => 204);
      expect(await resend(api, id)).toEqual({ status: 202, body: undefined });
      await server.runDeliveries();
      expect((await get(api, id)).data).toMatchObject({ delivery: 'delivered', attempts: [failed, { number: 2 }] });
      expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    });

    test('another application has none of them, and another world neither', async () => {
      const world = await worldOf();
      const id = await newEvent(server, DEMO.clientId, { world });
      const elsewhere = kind === 'live' ? await server.newWorld() : LIVE;
      await server.newToken({ world, applicationId: 'another' });
      await setSettings(server.store.db, 'another', { liveEventsSince: 1 });
      for (const api of [await clientIn(world, 'another'), await clientIn(elsewhere)]) {
        expect(await list(api)).toEqual({ events: [], next_cursor: null });
        expect([answerOf(await get(api, id)), await resend(api, id)]).toMatchObject([NOT_FOUND, NOT_FOUND]);
        const { error } = await api.listWebhookEvents({ params: { query: { cursor: id } } });
        expect(error).toMatchObject({ error: 'bad_parameter' });
      }
    });
  });

  /** Three events about a live ride; the first two are delivered, and the third is not. */
  async function threeEvents() {
    const ids = [];
    for (let n = 0; n < 3; n++) {
      if (n === 2) receiver.answerWith(() => 500);
      server.passTime(1);
      ids.unshift(await newEvent(server, DEMO.clientId));
      await server.runDeliveries();
    }
    return { ids, api: await clientIn(LIVE) };
  }

  test('after a passenger revoked the access, only delivered events are listed, and none is sent again', async () => {
    const { ids, api } = await threeEvents();
    const rides = server.store.db.updateTable('rides').where('id', '=', 'ride');
    await rides.set({ applicationId: DEMO.clientId, requestedAt: server.parts.now() }).execute();
    await server.store.transaction((tx) => endAccess(tx, 'ada', server.parts.now(), DEMO.clientId));
    expect(idsOf((await list(api)).events)).toEqual(ids.slice(1));
    expect((await get(api, ids[1]!)).response.status).toBe(200);
    expect(answerOf(await get(api, ids[0]!))).toMatchObject(NOT_FOUND);
    for (const id of ids) expect(await resend(api, id)).toMatchObject(NOT_FOUND);
    // the page that would have the hidden event is empty, and leads on
    const first = await list(api, { limit: 1 });
    expect(first).toEqual({ events: [], next_cursor: ids[0] });
    expect(idsOf((await list(api, { limit: 1, cursor: first.next_cursor! })).events)).toEqual([ids[1]]);
  });

  test('after a passenger deleted their account, no event of theirs is listed', async () => {
    const { ids, api } = await threeEvents();
    await server.store.db
      .insertInto('departures')
      .values({ worldId: LIVE.id, passengerId: 'ada', leftAt: 1 })
      .execute();
    expect(await list(api)).toEqual({ events: [], next_cursor: null });
    for (const id of ids) {
      expect([answerOf(await get(api, id)), await resend(api, id)]).toMatchObject([NOT_FOUND, NOT_FOUND]);
    }
  });

  test('the live secret gets the scope events only if the developer allows it, and loses it at once', async () => {
    const grant = { grant_type: 'client_credentials', scope: 'events' };
    const api = server.client({ token: (await askToken(server, grant)).body.access_token });
    expect(await list(api)).toMatchObject({ events: [] });
    await setSettings(server.store.db, DEMO.clientId, { liveEventsSince: null });
    expect(answerOf(await api.listWebhookEvents())).toMatchObject(failure(401, 'insufficient_scope'));
    const { status, body } = await askToken(server, grant);
    expect([status, body.error]).toEqual([400, 'invalid_scope']);
    expect(body.error_description).toContain('turned off in the settings of the application');
    const inSandbox = await askToken(server, { ...grant, scope: 'public events' }, SANDBOX_CLIENT);
    expect(inSandbox.body.scope).toBe('public events');
    expect((await askToken(server, { grant_type: 'client_credentials' })).body.scope).toBe('public');
  });
});
