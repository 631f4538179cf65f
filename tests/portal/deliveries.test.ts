import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import { setSettings } from '../../server/store/applications.ts';
import { endAccess } from '../../server/store/consents.ts';
import { MOST_EVENTS_LOOKED_AT } from '../../server/store/delivery-list.ts';
import { continueResends } from '../../server/workers/resends.ts';
import { engines } from '../support/database.ts';
import { LIVE } from '../support/server.ts';
import { receiverForEach, testServer } from '../support/started.ts';
import type { Visitor } from '../support/visitor.ts';
import { atOwn, bodyOf, inPortal, newEventOf, newOwnApplication } from './applications-support.ts';

const KINDS = ['live', 'sandbox'] as const;
const SECRET_PLACE = 'Hidden Street';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1 });
  const strict = testServer(engine, { withPages: true, rateLimitMultiplier: 0.001 });
  const receiver = receiverForEach();

  /** A developer's application with a receiver. Its live events may be read. */
  async function newOwn(on = server, liveEventsSince: number | null = 1) {
    const urls = { webhookUrl: `${receiver.url}/live`, sandboxWebhookUrl: `${receiver.url}/sandbox` };
    const own = await atOwn(on, '/deliveries', urls);
    await setSettings(on.store.db, own.id, { liveEventsSince });
    return own;
  }
  type Own = Pick<Awaited<ReturnType<typeof newOwn>>, 'application'>;

  const tell = ({ application }: Own, kind: (typeof KINDS)[number] = 'live', change = {}, on = server) =>
    newEventOf(on, application, kind, change);
  const resendAt = async (visitor: Visitor, path: string) => {
    await visitor.open(path);
    return visitor.submit({}, path);
  };

  test('nothing crosses developers, applications or worlds, as for the API', async () => {
    const one = await newOwn();
    const second = await newOwnApplication(server, one.developer);
    const other = await newOwn();
    await setSettings(server.store.db, second.application.id, { liveEventsSince: 1 });
    const told = [];
    for (const own of [one, second, other])
      for (const kind of KINDS) told.push({ own, kind, ...(await tell(own, kind)) });
    const stranger = await inPortal(server, other.developer);
    for (const [visitor, developerId] of [
      [one.visitor, one.developer.id],
      [stranger, other.developer.id],
    ] as const) {
      for (const at of told) {
        const isOwn = at.own.application.developerId === developerId;
        const expected = isOwn ? 200 : 404;
        for (const of of told) {
          const isSame = of === at;
          const here = at.detail.replace(at.eventId, of.eventId);
          const ride = at.timeline.replace(at.rideId, of.rideId);
          const list = await visitor.open(at.list);
          expect([list.status, list.text.includes(of.rideId)]).toEqual([expected, isOwn && isSame]);
          const byRide = await visitor.open(`${at.list}&ride=${of.rideId}`);
          expect(byRide.markup.includes(of.eventId)).toBe(isOwn && isSame);
          for (const path of [here, ride]) {
            const { status, text } = await visitor.open(path);
            expect([status, text.includes(of.rideId)]).toEqual(isOwn && isSame ? [200, true] : [404, false]);
          }
          await visitor.open(PORTAL_PATHS.overview);
          const sent = await visitor.post(here, bodyOf(visitor.view().forms[0]!));
          expect(sent.status).toBe(!(isOwn && isSame) ? 404 : second === of.own ? 422 : 200);
          const { id: applicationId } = at.own.application;
          const api = server.client({ token: await server.newToken({ world: at.world, applicationId }) });
          const { response } = await api.getWebhookEvent({ params: { path: { event_id: of.eventId } } });
          expect(response.status).toBe(isSame ? 200 : 404);
        }
      }
    }
    const foreign = await one.visitor.open(`${one.path}/deliveries?world=${other.application.sandboxWorldId}`);
    expect(foreign.text).toContain('This application has no sandbox with this ID.');
  });

  test.each(KINDS)('a failed %s event shows its exact requests, and is sent again', async (kind) => {
    const own = await newOwn();
    const told = await tell(own, kind);
    receiver.answerWith(() => ({ status: 500, body: '<b>not now</b>' }));
    await server.runDeliveries();
    const list = await own.visitor.open(told.list);
    expect(list.text).toContain('Ride canceled Waiting');
    expect(list.text).toContain('Attempt 1: Your receiver rejected it with status 500.');
    const shown = await own.visitor.follow('Ride canceled');
    const { headers, body } = receiver.received[0]!;
    for (const [name, value] of Object.entries(headers))
      expect(shown.text.toLowerCase()).toContain(`${name}: ${value}`.toLowerCase());
    expect(body).toBe(told.body);
    for (const said of [told.body, '<b>not now</b>', 'rejected it with status 500']) expect(shown.text).toContain(said);
    await server.store.db
      .updateTable('deliveries')
      .set({ status: 'given_up', realDueAt: null })
      .where('eventId', '=', told.eventId)
      .execute();
    const failed = await own.visitor.open(`${told.list}&state=given_up`);
    expect(failed.text).toContain('Failed');
    for (const page of ['', '/webhooks'])
      expect((await own.visitor.open(own.path + page)).text.includes('Failed live events')).toBe(kind === 'live');
    receiver.answerWith(() => 204);
    expect((await resendAt(own.visitor, told.detail)).text).toContain('The event is being sent again.');
    await server.runDeliveries();
    expect(receiver.received.map((each) => each.body)).toEqual([told.body, told.body]);
    server.passTime(60_000);
    const api = server.client({ token: await server.newToken({ world: told.world, applicationId: own.id }) });
    await api.listWebhookEvents({ params: { query: { ride_id: told.rideId } } });
    await server.writeRequests();
    const after = await own.visitor.open(told.timeline);
    const asked = `GET ${OPERATIONS.listWebhookEvents.path}?ride_id=${told.rideId} 200`;
    const attempts = ['Attempt 1 of “Ride canceled”', 'Attempt 2 of “Ride canceled”'];
    const order = ['ride.status.updated Delivered', ...attempts, asked];
    const places = order.map((each) => after.text.indexOf(each));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    expect((await own.visitor.open(`${own.path}/log`)).text).toContain(`sent the ${kind} event ${told.eventId} again`);
  });

  test.each(KINDS)(
    'all %s events that failed are sent again with one form, which shows how far it is',
    async (kind) => {
      const own = await newOwn();
      const told = [await tell(own, kind), await tell(own, kind)];
      const ids = told.map(({ eventId }) => eventId);
      const givenUp = { status: 'given_up', realDueAt: null } as const;
      await server.store.db.updateTable('deliveries').set(givenUp).where('eventId', 'in', ids).execute();
      const { list } = told[0]!;
      const again = () =>
        own.visitor.view().forms.find(({ fields }) => fields.some(({ name }) => name === 'failed_since'))!;
      await own.visitor.open(list);
      const wrong = await own.visitor.post(again().action.pathname, bodyOf(again(), { failed_since: 'yesterday' }));
      expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('Enter a date and a time.')]);
      await own.visitor.open(list);
      await own.visitor.post(again().action.pathname, bodyOf(again()));
      expect((await own.visitor.open(list)).text).toContain('0 of 2 events delivered, 0 failed again.');
      while (await continueResends(server.parts)) await server.runDeliveries();
      expect((await own.visitor.open(list)).text).toContain('2 of 2 events delivered, 0 failed again.');
      expect(receiver.received.map(({ body }) => body).toSorted()).toEqual(told.map(({ body }) => body).toSorted());
      const log = await own.visitor.open(`${own.path}/log`);
      expect(log.text).toContain(`sent all ${kind} events that failed again: 2 since `);
    },
  );

  test('filters by state, type, time and ride, and each page looks at a bounded number of events', async () => {
    const own = await newOwn();
    const start = server.parts.now();
    const receipts = [];
    for (let n = 0; n < 2 * MOST_EVENTS_LOOKED_AT + 1; n++) {
      const told = await tell(own, 'live', {
        ...{ occurredAt: start + n * 60_000, type: n % 50 === 0 ? 'ride.receipt.ready' : 'ride.status.updated' },
      });
      if (n % 50 === 0) receipts.unshift(told);
    }
    const { list } = receipts[0]!;
    const state = { status: 'given_up' } as const;
    const oldest = receipts.at(-1)!;
    await server.store.db.updateTable('deliveries').set(state).where('eventId', '=', oldest.eventId).execute();
    /** The events of all pages, by page. */
    const pagesOf = async (query: string) => {
      const pages: string[][] = [];
      await own.visitor.open(list + query);
      for (;;) {
        const { markup } = own.visitor.view();
        pages.push([...markup.matchAll(/href="[^"]*\/live\/(event-\d+)"/g)].map(([, id]) => id!));
        if (!markup.includes('>Older</a>')) return pages;
        await own.visitor.follow('Older');
      }
    };
    expect((await pagesOf('')).map(({ length }) => length)).toEqual([100, 100, 1]);
    const ids = receipts.map(({ eventId }) => eventId);
    expect(await pagesOf('&type=ride.receipt.ready')).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect(await pagesOf('&state=delivered')).toEqual([[], [], []]);
    // few events are in this state, so the first page has them
    expect(await pagesOf('&state=given_up')).toEqual([[oldest.eventId]]);
    expect(await pagesOf('&state=not_sent')).toEqual([[]]);
    const minute = (n: number) => new Date(start + n * 60_000).toISOString().slice(0, 16);
    expect((await pagesOf(`&since=${minute(10)}&until=${minute(15)}`)).flat()).toHaveLength(5);
    expect(await pagesOf(`&ride=${oldest.rideId}`)).toEqual([[oldest.eventId]]);
    expect(await pagesOf(`&ride=${oldest.rideId}&state=delivered`)).toEqual([[]]);
    expect(await pagesOf('&before=nowhere&since=never&ride=%00')).toEqual(await pagesOf(''));
  });

  test('shows no body of a live event unless the developer allowed it, and sends none again', async () => {
    const own = await newOwn(server, null);
    const told = await tell(own);
    receiver.answerWith(() => ({ status: 200, body: SECRET_PLACE }));
    await server.runDeliveries();
    const { text } = await own.visitor.open(told.detail);
    expect(text).toContain('X-Svc-Signature: sha256=');
    expect(text).toContain('It contains names and places of your passengers. Turn on live events to see it here.');
    expect(text).toContain('What your receiver returned is hidden');
    expect(text).not.toContain(SECRET_PLACE);
    expect(own.visitor.view().forms).toHaveLength(1);
    for (const page of [told.list, told.timeline])
      expect((await own.visitor.open(page)).text).not.toContain(SECRET_PLACE);
    await own.visitor.open(`${own.path}/webhooks`);
    const sent = await own.visitor.post(told.detail, bodyOf(own.visitor.view().forms[0]!));
    expect(sent.status).toBe(422);
    expect(receiver.received).toHaveLength(1);
  });

  test('of a passenger who revoked the access only delivered events are shown, and nothing of one who left', async () => {
    const own = await newOwn();
    const delivered = await tell(own);
    await server.runDeliveries();
    const pending = await tell(own);
    for (const { passengerId } of [delivered, pending])
      await server.store.transaction((tx) => endAccess(tx, passengerId, server.parts.now(), own.id));
    const { markup } = await own.visitor.open(delivered.list);
    expect([delivered, pending].map(({ eventId }) => markup.includes(eventId))).toEqual([true, false]);
    expect((await own.visitor.open(pending.detail)).status).toBe(404);
    const { text } = await own.visitor.open(delivered.detail);
    expect(text).toContain('You can’t send this event again: the passenger has revoked your application’s access.');
    expect((await own.visitor.open(delivered.timeline)).text).toContain('Ride canceled');
    // the application was not told that this ride was canceled
    expect((await own.visitor.open(pending.timeline)).status).toBe(404);
    const { passengerId } = delivered;
    await server.store.db.insertInto('departures').values({ worldId: LIVE.id, passengerId, leftAt: 1 }).execute();
    for (const path of [delivered.detail, delivered.timeline]) expect((await own.visitor.open(path)).status).toBe(404);
    expect((await own.visitor.open(delivered.list)).markup).not.toContain(delivered.eventId);
  });

  test('resends count as calls of the API', async () => {
    const own = await newOwn(strict);
    const { detail } = await tell(own, 'live', {}, strict);
    expect((await resendAt(own.visitor, detail)).status).toBe(200);
    expect(await resendAt(own.visitor, detail)).toMatchObject({ status: 429 });
  });
});
