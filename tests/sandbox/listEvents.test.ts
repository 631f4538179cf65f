import { describe, expect, test } from 'vitest';
import type { SandboxEvent } from '../../generated/types.ts';
import { SECOND_MS } from '../../server/domain/time.ts';
import { MOST_ATTEMPTS_KEPT } from '../../server/store/deliveries/record.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { newApplication } from '../support/oauth.ts';
import { type MadeWorld, makePassenger, makeWorld } from '../support/sandboxes.ts';
import { testReceiver, testServer } from '../support/started.ts';
import { requestRideOf } from '../support/take-ride.ts';
import { eventsOf, newTelling, rideThrough, setTo, type Telling } from './support/telling.ts';

const NOBODY = 'http://127.0.0.1:65530/';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 100 });
  const receiver = testReceiver();

  test('events are listed as they are sent, the latest first, with their delivery', async () => {
    const telling = await newTelling(server, { url: receiver.url });
    receiver.answerWith(() => (receiver.received.length === 1 ? { status: 999, body: 'asleep' } : 204));
    const { rideId } = await rideThrough(server, telling, 'accepted');
    await server.advance(telling.world, 2 * SECOND_MS);
    await setTo(telling, { url: receiver.url, hold_seconds: 60 });
    const later = await rideThrough(server, telling, 'accepted');
    const [second, first] = await eventsOf(telling);
    const { occurred_at } = first!;
    expect(first).toEqual({
      event_id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4/),
      ride_id: rideId,
      event_type: 'ride.status.updated',
      occurred_at,
      delivery: 'delivered',
      attempts: [
        { number: 1, status: 999, answer: 'asleep', error: null },
        { number: 2, status: 204, answer: '', error: null },
      ],
      body: JSON.parse(receiver.received[0]!.body),
    });
    expect(second).toMatchObject({ ride_id: later.rideId, delivery: 'pending', attempts: [] });
    expect(second!.body).toMatchObject({ event_id: second!.event_id });
    expect(Date.parse(second!.occurred_at)).toBe(Date.parse(occurred_at) + 2 * SECOND_MS);
    expect(receiver.received.map(({ body }) => JSON.parse(body).occurred_at)).toEqual([occurred_at, occurred_at]);
  });

  /** Reads all pages of a list. `between` runs after each page. @returns the event IDs of each page */
  async function pagesOf(
    { api }: Pick<Telling, 'api'>,
    query: { readonly ride_id?: string; readonly limit: number },
    between = async () => {},
  ): Promise<string[][]> {
    const pages: string[][] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data } = await api.listEvents({ params: { query: { ...query, ...(cursor && { cursor }) } } });
      pages.push(data!.events.map(({ event_id }) => event_id));
      cursor = data!.next_cursor;
      await between();
    }
    return pages;
  }

  test('the pages list each event once while others are added, for all rides and for one ride', async () => {
    const telling = await newTelling(server, { url: NOBODY });
    const rides: string[] = [];
    // the clock is frozen, so events of different rides occur at the same instants
    for (let i = 0; i < 7; i++)
      rides.push((await rideThrough(server, telling, 'accepted', 'arrived', 'pickedUp')).rideId);
    const { data } = await telling.api.listEvents({ params: { query: { limit: 100 } } });
    const idsOf = (events: readonly SandboxEvent[]) => events.map(({ event_id }) => event_id);
    const all = idsOf(data!.events);
    expect(all).toHaveLength(21);
    // the default limit
    expect(idsOf(await eventsOf(telling))).toEqual(all.slice(0, 20));
    const pages = await pagesOf(telling, { limit: 5 }, async () => {
      await rideThrough(server, telling, 'accepted');
    });
    expect(pages.slice(0, -1).map(({ length }) => length)).toEqual(pages.slice(1).map(() => 5));
    // events at the same instants can come between the existing ones
    expect(pages.flat().filter((id) => all.includes(id))).toEqual(all);
    expect(new Set(pages.flat()).size).toBe(pages.flat().length);
    const ofOne = await pagesOf(telling, { ride_id: rides[1]!, limit: 1 });
    expect(ofOne.map(([id]) => id)).toEqual(idsOf(data!.events.filter(({ ride_id }) => ride_id === rides[1])));
    // a page that is exactly full is the last one
    expect(await pagesOf(telling, { ride_id: rides[1]!, limit: 3 })).toEqual([ofOne.flat()]);
  });

  test('a page ends before it has too many attempts, and the next page continues there', async () => {
    const telling = await newTelling(server, { url: NOBODY });
    for (let i = 0; i < 10; i++) await rideThrough(server, telling, 'accepted', 'arrived', 'pickedUp');
    const { db } = server.store;
    const [all] = await pagesOf(telling, { limit: 100 });
    // a page counts only the attempts that are kept
    await db.updateTable('deliveries').set({ attempts: 9, earlierAttempts: 90 }).where('eventId', 'in', all!).execute();
    const pages = await pagesOf(telling, { limit: 100 });
    expect(pages.map(({ length }) => length)).toEqual(Array(6).fill(5));
    expect(pages.flat()).toEqual(all);
    expect(await pagesOf(telling, { limit: 25 })).toEqual(pages);
  });

  test('a cursor that is invalid, or of another world, another ride or a deleted event, is refused', async () => {
    const [telling, other] = [await newTelling(server, { url: NOBODY }), await newTelling(server, { url: NOBODY })];
    const ask = async ({ api }: Telling, query: Parameters<typeof pagesOf>[1] & { readonly cursor?: string }) =>
      answerOf(await api.listEvents({ params: { query } }));
    const cursorOf = async (of: Telling, ride_id: string) =>
      ((await ask(of, { ride_id, limit: 1 })).body as { next_cursor: string }).next_cursor;
    const newRide = async (of: Telling) => (await rideThrough(server, of, 'accepted', 'arrived')).rideId;
    const [ride, another, elsewhere] = [await newRide(telling), await newRide(telling), await newRide(other)];
    const cursor = await cursorOf(telling, ride);
    expect(await ask(telling, { limit: 1, cursor })).toMatchObject({ status: 200 });
    const refused = failure(400, 'bad_parameter', [{ cursor: expect.any(String) }]);
    for (const wrong of ['no-such-event', '!', 'x'.repeat(65), await cursorOf(other, elsewhere)]) {
      expect(await ask(telling, { limit: 1, cursor: wrong })).toEqual(refused);
    }
    expect(await ask(telling, { ride_id: another, limit: 1, cursor })).toEqual(refused);
    await telling.api.resetWorld();
    expect(await ask(telling, { limit: 1, cursor })).toEqual(refused);
  });

  test('an event keeps a limited number of attempts, each with the start of its response', async () => {
    const telling = await newTelling(server, { url: receiver.url, duplicates: 5 });
    receiver.answerWith(() => ({ status: 200, body: '\u0001é'.repeat(10_000) }));
    await rideThrough(server, telling, 'accepted', 'arrived', 'pickedUp');
    for (let times = 0; times < 5; times++) {
      await server.runDeliveries();
      for (const { event_id } of await eventsOf(telling)) {
        await telling.api.resendEvent({ params: { path: { event_id } } });
      }
    }
    const { db } = server.store;
    const ids = (await eventsOf(telling)).map(({ event_id }) => event_id);
    const stored = await db.selectFrom('attempts').selectAll().where('eventId', 'in', ids).execute();
    expect(stored).toHaveLength(3 * MOST_ATTEMPTS_KEPT);
    for (const { answer } of stored) expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(1002);
    const [event] = await eventsOf(telling);
    expect(event!.attempts).toHaveLength(MOST_ATTEMPTS_KEPT);
    expect(event!.attempts[0]!.answer).toBe('é'.repeat(333));
  });

  test('a list never has events of another world or another application', async () => {
    await newApplication(server, 'stranger');
    const [telling, other] = [await newTelling(server, { url: NOBODY }), await newTelling(server)];
    const { rideId } = await rideThrough(server, telling, 'accepted');
    const token = await server.newToken({ world: telling.world, applicationId: 'stranger' });
    for (const api of [other.api, server.client({ token })]) {
      for (const query of [{}, { ride_id: rideId }]) {
        const listed = answerOf(await api.listEvents({ params: { query } }));
        expect(listed).toEqual({ status: 200, body: { events: [], next_cursor: null } });
      }
    }
  });

  test('worlds with the same seed share no event ids, and a reset world does not repeat them', async () => {
    const idsTold = async (home: MadeWorld) => {
      await setTo(home, { url: NOBODY });
      const { api } = await makePassenger(server, home);
      const params = { path: { ride_id: await requestRideOf({ api }) } };
      for (const status of ['accepted', 'arrived'] as const) await api.setRideStatus({ params, body: { status } });
      return (await eventsOf(home)).map(({ event_id }) => event_id);
    };
    const [home, twin] = [await makeWorld(server, { seed: 'twins' }), await makeWorld(server, { seed: 'twins' })];
    const ids = [await idsTold(home), await idsTold(twin)];
    await home.api.resetWorld();
    ids.push(await idsTold(home));
    expect(ids.map(({ length }) => length)).toEqual([2, 2, 2]);
    expect(new Set(ids.flat()).size).toBe(6);
  });
});
