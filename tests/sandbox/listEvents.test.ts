import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operations } from '../../generated/client.ts';
import { SECOND_MS } from '../../server/domain/time.ts';
import { answerOf } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { newApplication } from '../support/oauth.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { eventsOf, newTelling, rideThrough, setTo } from './support/telling.ts';

const NOBODY = 'http://127.0.0.1:9/';

describe.each(engines)('on %s', (engine) => {
  let server: TestServer;
  let receiver: Receiver;
  beforeAll(async () => {
    server = await startTestServer(engine, { rateLimitMultiplier: 100 });
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await receiver.close();
    await server.close();
  });

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
        event_id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4/),
        ride_id: later.rideId,
        event_type: 'ride.status.updated',
        occurred_at: listed[0]!.occurred_at,
        delivery: 'pending',
        attempts: [],
        body: expect.objectContaining({ event_id: listed[0]!.event_id }),
      },
      {
        event_id: listed[1]!.event_id,
        ride_id: rideId,
        event_type: 'ride.status.updated',
        occurred_at: listed[1]!.occurred_at,
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
    const idsOf = async (query: NonNullable<Parameters<Operations['listEvents']>[0]>['params']) => {
      const { data } = await telling.api.listEvents({ params: query });
      return data!.events.map(({ ride_id, body }) => [ride_id, (body.event as { status: string }).status]);
    };
    const ofOne = ['pickedUp', 'arrived', 'accepted'].map((status) => [one.rideId, status]);
    expect(await idsOf({ query: { ride_id: one.rideId } })).toEqual(ofOne);
    expect(await idsOf({ query: { ride_id: one.rideId, limit: 2 } })).toEqual(ofOne.slice(0, 2));
    expect(await idsOf({ query: { ride_id: other.rideId } })).toEqual([[other.rideId, 'accepted']]);
    expect(await idsOf({ query: { ride_id: 'no-such-ride' } })).toEqual([]);
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

  describe('worlds of one seed', () => {
    /** What two rides tell in a world. */
    async function told({ client }: TestServer, api: Operations) {
      await api.setWebhooks({ body: { url: NOBODY } });
      for (const name of ['Ada', 'Leo']) {
        const { data: made } = await api.createPassenger({ body: { first_name: name } });
        const passenger = client({ token: made!.token.access_token });
        const body = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };
        const { data: ride } = await passenger.requestRide({ body });
        const params = { path: { ride_id: ride!.ride_id } };
        for (const status of ['accepted', 'arrived'] as const)
          await passenger.setRideStatus({ params, body: { status } });
      }
      const { data } = await api.listEvents();
      return data!.events;
    }

    /** Of the seed of the first world above, whose fleet is known by now. */
    const newWorld = async (server: TestServer) => {
      const token = await server.newToken({ world: await server.newWorld() });
      const body = { seed: 'seed-1', clock: { state: 'frozen' as const, now: '2026-05-12T18:00:00Z' } };
      const { data } = await server.client({ token }).createWorld({ body });
      return server.client({ token: data!.token.access_token });
    };

    test('tell the same on two fresh servers, ids included', async () => {
      const [one, two] = [await startTestServer(engine), await startTestServer(engine)];
      const events = await told(one, await newWorld(one));
      expect(events).toHaveLength(4);
      expect(JSON.stringify(await told(two, await newWorld(two)))).toBe(JSON.stringify(events));
      await one.close();
      await two.close();
    });

    test('have no event id in common on one server, nor before and after a reset', async () => {
      const fresh = await startTestServer(engine);
      const world = await newWorld(fresh);
      const events = [await told(fresh, world), await told(fresh, await newWorld(fresh))];
      await world.resetWorld();
      events.push(await told(fresh, world));
      const ids = events.flat().map(({ event_id }) => event_id);
      expect(new Set(ids).size).toBe(12);
      await fresh.close();
    });
  });
});
