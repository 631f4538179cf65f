import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../server/domain/time.ts';
import { storedEvents } from '../../server/store/events.ts';
import { changeRide } from '../support/change-ride.ts';
import { engines } from '../support/database.ts';
import { newApplication } from '../support/oauth.ts';
import { MISSION_DOLORES } from '../support/places.ts';
import { LIVE, startTestServer } from '../support/server.ts';
import { ridingAt, type Stage } from '../support/stages.ts';
import { fragileServer } from '../support/started.ts';
import {
  advanceUntil,
  feeOf,
  type Riding,
  requestRideOf,
  ridingOf,
  startRiding,
  storedRide,
} from '../support/take-ride.ts';
import { errorsTo } from '../workers/support.ts';
import { eventsOf, setDemoWebhooks, toldOf } from './support.ts';

/** No cancellation makes this many queries. */
const MOST_QUERIES = 40;

describe.each(engines)('on %s', (engine) => {
  const server = fragileServer(engine, { rateLimitMultiplier: 100 });
  beforeAll(() => setDemoWebhooks(server));

  test.each<[Stage, string[]]>([
    ['pending', []],
    ['unknown', []],
    ['arrived', ['accepted', 'arrived']],
    ['rated', ['accepted', 'arrived', 'pickedUp', 'droppedOff']],
    ['paid', ['accepted', 'arrived', 'pickedUp', 'droppedOff', 'receipt']],
    ['canceled free', ['canceled']],
    ['canceled for a fee', ['accepted', 'canceled', 'receipt']],
  ])('a ride that becomes %s sends its application the events %j in order', async (stage, told) => {
    const riding = await ridingAt(server, stage);
    expect(await toldOf(server, riding)).toEqual(told);
    const events = await eventsOf(server, riding);
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(told.length);
    expect(new Set(events.map(({ occurredAt }) => occurredAt)).size).toBe(told.length);
    expect(events.map(({ environment }) => environment)).toEqual(told.map(() => 'sandbox'));
  });

  test('only a change of status sends an event: not a moving car, another destination or a rating', async () => {
    const riding = await ridingAt(server, 'accepted');
    const { params, api, world } = riding;
    await server.advance(world, SECOND_MS);
    await api.getRide({ params });
    expect((await api.updateDestination({ params, body: MISSION_DOLORES })).response.status).toBe(200);
    expect(await toldOf(server, riding)).toEqual(['accepted']);
    await advanceUntil(server, riding, 'droppedOff');
    expect((await api.rateRide({ params, body: { rating: 3 } })).response.status).toBe(204);
    expect(await toldOf(server, riding)).toEqual(['accepted', 'arrived', 'pickedUp', 'droppedOff']);
  });

  test('an application that is created again is told nothing about rides of the one that was deleted', async () => {
    const rider = await server.newRider(LIVE);
    const riding = ridingOf(rider, LIVE, await requestRideOf(rider));
    const { db } = server.store;
    const set = (createdAt: number) =>
      db.updateTable('applications').set({ createdAt }).where('id', '=', 'demo').execute();
    const { createdAt } = await db
      .selectFrom('applications')
      .select('createdAt')
      .where('id', '=', 'demo')
      .executeTakeFirstOrThrow();
    await set(server.parts.now() + 1);
    await riding.api.cancelRide({ params: riding.params });
    await set(createdAt);
    expect(await toldOf(server, riding)).toEqual([]);
  });

  const cancel = async ({ api, params }: Riding, token: string) =>
    (await api.cancelRide({ params, body: { cancel_confirmation_token: token } })).response.status;

  async function deliveriesOf({ world, rideId }: Riding): Promise<number> {
    const rows = await server.store.db
      .selectFrom('deliveries')
      .innerJoin('events', 'events.eventId', 'deliveries.eventId')
      .select('deliveries.eventId')
      .where('events.worldId', '=', world.id)
      .where('events.rideId', '=', rideId)
      .execute();
    return rows.length;
  }

  test('a change and its events are stored together or not at all, no matter which query fails', async () => {
    const riding = await ridingAt(server, 'accepted long ago');
    const { token } = await feeOf(riding);
    let failed = 0;
    for (let k = 1; k <= MOST_QUERIES; k++) {
      server.faults.failOnce(k, new TypeError('A fault of ours'));
      const status = await cancel(riding, token);
      if (!server.faults.mend()) break;
      failed += 1;
      expect([k, status]).toEqual([k, 500]);
      expect((await storedRide(server, riding.world, riding.rideId)).status).toBe('accepted');
      expect(await toldOf(server, riding)).toEqual(['accepted']);
      expect(await deliveriesOf(riding)).toBe(1);
    }
    expect(await toldOf(server, riding)).toEqual(['accepted', 'canceled', 'receipt']);
    expect(await deliveriesOf(riding)).toBe(3);
    // queries for the ride, its timer, its events and their deliveries, and the commit
    expect(failed).toBeGreaterThan(5);
  });

  const statesOf = async ({ world, rideId }: Riding) => {
    const rows = await storedEvents(server.store.db)
      .where('events.worldId', '=', world.id)
      .orderBy('occurredAt')
      .execute();
    return rows.filter((row) => row.rideId === rideId).map(({ status, hadUrl }) => (hadUrl ? 'to send' : status));
  };

  test('an application without a webhook URL is sent no events, even if others have one', async () => {
    await newApplication(server, 'silent');
    const world = await server.newWorld({ applicationId: 'silent' });
    const passenger = await server.newPassenger(world);
    const token = await server.newToken({ world, passenger, applicationId: 'silent' });
    const api = server.client({ token });
    const riding = ridingOf({ passenger, token, api }, world, await requestRideOf({ api }));
    await advanceUntil(server, riding, 'droppedOff');
    expect(await statesOf(riding)).toEqual(Array(4).fill('not_sent'));
    await server.runDeliveries();
    expect((await api.listEvents()).data?.events).toEqual([]);
  });

  test('a URL counts from when it is set until it is removed', async () => {
    await setDemoWebhooks(server, null);
    const riding = await ridingAt(server, 'accepted');
    await setDemoWebhooks(server);
    await advanceUntil(server, riding, 'arrived');
    await setDemoWebhooks(server, null);
    await advanceUntil(server, riding, 'pickedUp');
    await setDemoWebhooks(server);
    expect(await toldOf(server, riding)).toEqual(['accepted', 'arrived', 'pickedUp']);
    expect(await statesOf(riding)).toEqual(['not_sent', 'to send', 'not_sent']);
  });

  test('events go to the application that requested the ride, not to the one that cancels it', async () => {
    await newApplication(server, 'another');
    const riding = await startRiding(server, { world: LIVE });
    const token = await server.newToken({ world: LIVE, passenger: riding.passenger, applicationId: 'another' });
    await server.client({ token }).cancelRide({ params: riding.params });
    const [event] = await eventsOf(server, riding);
    expect(event).toMatchObject({ applicationId: 'demo', environment: 'production' });
  });

  test('a live ride sends events too, each at its own instant, even after downtime of the server', async () => {
    const riding = await startRiding(server, { world: LIVE });
    await server.pass(2 * SECOND_MS);
    // the driver must not cancel
    await changeRide(server, riding, (ride) => ({ ...ride, plan: { ...ride.plan!, driverCancelsAt: null } }));
    await server.pass(2 * HOUR_MS);
    const ride = await storedRide(server, LIVE, riding.rideId);
    expect(await toldOf(server, riding)).toEqual(['accepted', 'arrived', 'pickedUp', 'droppedOff']);
    const events = await eventsOf(server, riding);
    const { acceptedAt, arrivedAt, pickedUpAt, droppedOffAt } = ride;
    const { toPickup, trip } = ride.plan!;
    const instants = events.map(({ occurredAt }) => occurredAt);
    expect(instants).toEqual([acceptedAt, arrivedAt, pickedUpAt, droppedOffAt]);
    expect(instants).toEqual([ride.requestedAt + 2 * SECOND_MS, toPickup.endsAt, trip.startsAt, trip.endsAt]);
    const restarted = server.parts.now();
    expect(events.map(({ createdAt }) => createdAt)).toEqual([acceptedAt, restarted, restarted, restarted]);
    for (const { environment, occurredAt, body } of events) {
      expect(environment).toBe('production');
      expect(Date.parse(JSON.parse(body).event.generated_at)).toBe(occurredAt);
    }
    await server.pass(DAY_MS);
    expect((await toldOf(server, riding)).at(-1)).toBe('receipt');
    expect((await eventsOf(server, riding)).at(-1)!.environment).toBe('production');
  });
});

describe.each(engines)('an event that breaks the contract, on %s', (engine) => {
  test.each([
    ['fails in development and in tests, and so does the change', 'fail', ['accepted']],
    ['is logged in production, but still sent', 'log', ['accepted', 'arrived']],
  ] as const)('%s', async (_, contractBreach, told) => {
    const lines: string[] = [];
    const server = await startTestServer(engine, { contractBreach, logger: errorsTo(() => lines) });
    await setDemoWebhooks(server);
    const riding = await ridingAt(server, 'accepted');
    // a color that the contract does not list
    await changeRide(server, riding, (ride) => ({ ...ride, driver: { ...ride.driver!, beaconColor: 'bright' } }));
    const advanced = advanceUntil(server, riding, 'arrived');
    const problem = expect.stringContaining('beacon_color must match');
    if (contractBreach === 'fail')
      await expect(advanced).rejects.toThrow(/ride\.status\.updated: .*beacon_color must match/);
    else await advanced;
    expect((await storedRide(server, riding.world, riding.rideId)).status).toBe(told.at(-1));
    expect(await toldOf(server, riding)).toEqual(told);
    const [, broken] = await eventsOf(server, riding);
    const line = {
      event: broken?.eventId,
      type: 'ride.status.updated',
      problem,
      msg: 'an event violates the contract',
    };
    expect(lines.map((each) => JSON.parse(each))).toEqual(broken ? [expect.objectContaining(line)] : []);
    await server.close();
  });
});
