import { describe, expect, test } from 'vitest';
import { SECOND_MS } from '../../server/domain/time.ts';
import { answerOf } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { newApplication } from '../support/oauth.ts';
import { makePassenger, makeWorld } from '../support/sandboxes.ts';
import { testReceiver, testServer } from '../support/started.ts';
import { requestRideOf } from '../support/take-ride.ts';
import { eventsOf, newTelling, rideThrough, setTo } from './support/telling.ts';

const NOBODY = 'http://127.0.0.1:9/';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 100 });
  const receiver = testReceiver();

  test('what has happened is listed as it is told, the latest first, with what became of it', async () => {
    const telling = await newTelling(server, { url: receiver.url });
    receiver.answerWith(() => (receiver.received.length === 1 ? { status: 503, body: 'asleep' } : 204));
    const { rideId } = await rideThrough(server, telling, 'accepted');
    await server.advance(telling.world, 2 * SECOND_MS);
    await setTo(telling, { url: receiver.url, hold_seconds: 60 });
    const later = await rideThrough(server, telling, 'accepted');
    const listed = await eventsOf(telling);
    expect(listed).toEqual([
      {
        ...listed[0],
        event_id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4/),
        ride_id: later.rideId,
        event_type: 'ride.status.updated',
        delivery: 'pending',
        attempts: [],
        body: expect.objectContaining({ event_id: listed[0]!.event_id }),
      },
      {
        ...listed[1],
        ride_id: rideId,
        event_type: 'ride.status.updated',
        delivery: 'delivered',
        attempts: [
          { number: 1, status: 503, answer: 'asleep', error: null },
          { number: 2, status: 204, answer: '', error: null },
        ],
        body: JSON.parse(receiver.received[0]!.body),
      },
    ]);
    expect(Date.parse(listed[0]!.occurred_at)).toBe(Date.parse(listed[1]!.occurred_at) + 2 * SECOND_MS);
    expect(receiver.received.map(({ body }) => JSON.parse(body).occurred_at)).toEqual(
      Array(2).fill(listed[1]!.occurred_at),
    );
  });

  test('one ride’s alone can be asked for, and as many as wanted', async () => {
    const telling = await newTelling(server, { url: NOBODY });
    const one = await rideThrough(server, telling, 'accepted', 'arrived', 'pickedUp');
    const other = await rideThrough(server, telling, 'accepted');
    const idsOf = async (query: { readonly ride_id?: string; readonly limit?: number }) => {
      const { data } = await telling.api.listEvents({ params: { query } });
      return data!.events.map(({ ride_id, body }) => [ride_id, (body.event as { status: string }).status]);
    };
    const ofOne = ['pickedUp', 'arrived', 'accepted'].map((status) => [one.rideId, status]);
    expect(await idsOf({ ride_id: one.rideId })).toEqual(ofOne);
    expect(await idsOf({ ride_id: one.rideId, limit: 2 })).toEqual(ofOne.slice(0, 2));
    expect(await idsOf({ ride_id: other.rideId })).toEqual([[other.rideId, 'accepted']]);
    expect(await idsOf({ ride_id: 'no-such-ride' })).toEqual([]);
    expect(await idsOf({})).toHaveLength(4);
  });

  test('twenty are listed unless another count is asked for', async () => {
    const telling = await newTelling(server, { url: NOBODY });
    for (let i = 0; i < 7; i++) await rideThrough(server, telling, 'accepted', 'arrived', 'pickedUp');
    expect(await eventsOf(telling)).toHaveLength(20);
    const { data } = await telling.api.listEvents({ params: { query: { limit: 100 } } });
    expect(data!.events).toHaveLength(21);
    expect(data!.events.slice(0, 20)).toEqual(await eventsOf(telling));
  });

  test('nobody sees the events of another world or another application', async () => {
    await newApplication(server, 'stranger');
    const [telling, other] = [await newTelling(server, { url: NOBODY }), await newTelling(server)];
    await rideThrough(server, telling, 'accepted');
    expect(answerOf(await other.api.listEvents())).toEqual({ status: 200, body: { events: [] } });
    const token = await server.newToken({ world: telling.world, applicationId: 'stranger' });
    expect(answerOf(await server.client({ token }).listEvents())).toEqual({ status: 200, body: { events: [] } });
  });

  test('worlds of one seed have no event id in common, nor has one before and after a reset', async () => {
    const newWorld = async () => {
      const home = await makeWorld(server, { seed: 'twins' });
      await setTo(home, { url: NOBODY });
      return home;
    };
    const idsTold = async (home: Awaited<ReturnType<typeof newWorld>>) => {
      const { api } = await makePassenger(server, home);
      const params = { path: { ride_id: await requestRideOf({ api }) } };
      for (const status of ['accepted', 'arrived'] as const) await api.setRideStatus({ params, body: { status } });
      return (await eventsOf(home)).map(({ event_id }) => event_id);
    };
    const home = await newWorld();
    const ids = [await idsTold(home), await idsTold(await newWorld())];
    await home.api.resetWorld();
    await setTo(home, { url: NOBODY });
    ids.push(await idsTold(home));
    expect(ids.map(({ length }) => length)).toEqual([2, 2, 2]);
    expect(new Set(ids.flat()).size).toBe(6);
  });
});
