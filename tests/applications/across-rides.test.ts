import { describe, expect, test } from 'vitest';
import type { Operations } from '../../client/client.ts';
import { MINUTE_MS } from '../../server/domain/time.ts';
import { ACCOUNT_PATHS } from '../../server/links.ts';
import { findRide } from '../../server/store/rides.ts';
import { dueInWorld } from '../../server/store/timers.ts';
import { answerOf, failure } from '../support/answers.ts';
import { changeRide } from '../support/change-ride.ts';
import { engines } from '../support/database.ts';
import { type MadeApplication, makeApplication } from '../support/made-application.ts';
import { viewOf } from '../support/passengers-view.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import type { Received } from '../support/receiver.ts';
import { LIVE } from '../support/server.ts';
import { grant, type SignedUp, signUp } from '../support/signed-up.ts';
import { receiverForEach, serverForEach } from '../support/started.ts';
import { requestRideOf } from '../support/take-ride.ts';

const DONE = { status: 204, body: undefined };
const inPath = (rideId: string) => ({ path: { ride_id: rideId } });

/** Returns everything that an application sees of a ride, except the fee, which has a token for each application. */
const seenBy = async (api: Operations, rideId: string) => {
  const view = await viewOf({ api, params: inPath(rideId) });
  return JSON.parse(JSON.stringify(view, (key, value) => (key === 'cancellation_price' ? undefined : value)));
};

describe.each(engines)('on %s', (engine) => {
  const server = serverForEach(engine, { withPages: true, rateLimitMultiplier: 1000 });
  const receiver = receiverForEach();

  /** Creates two applications with webhook URLs, and a passenger who allows both all scopes. */
  const newTwo = async () => {
    const at = (name: string) => ({
      webhookUrl: `${receiver.url}/${name}`,
      sandboxWebhookUrl: `${receiver.url}/${name}/sandbox`,
    });
    const one = await makeApplication(server, at('one'));
    const other = await makeApplication(server, at('other'));
    const passenger = await signUp(server, one);
    return { one, other, passenger, byOne: await apiFor(passenger, one), byOther: await apiFor(passenger, other) };
  };
  const apiFor = async (passenger: SignedUp, application: MadeApplication, scopes?: readonly string[]) =>
    server.client({ token: (await grant(server, passenger, application, 'live', scopes)).accessToken });

  /** Moves the clock until a live ride has a status. Its driver does not cancel. */
  const passUntil = async (rideId: string, status: string) => {
    for (let steps = 0; steps < 20; steps++) {
      const { status: current, plan } = (await findRide(server.store.db, LIVE.id, rideId))!;
      if (current === status) return;
      if (plan !== null && plan.driverCancelsAt !== null) {
        const stay = { ...plan, driverCancelsAt: null };
        await changeRide(server, { world: LIVE, rideId }, (ride) => ({ ...ride, plan: stay }));
      }
      const next = await dueInWorld(server.store.db, LIVE.id, Number.MAX_SAFE_INTEGER);
      await server.pass(next!.dueAt - server.parts.now());
    }
    throw new Error(`The ride does not reach the status ${status}`);
  };
  const statusOf = async (api: Operations, rideId: string) =>
    (await api.getRide({ params: inPath(rideId) })).data!.status;

  test('a second application sees the same ride, history and receipt at every step', async () => {
    const { byOne, byOther, passenger } = await newTwo();
    const reading = await apiFor(passenger, await makeApplication(server), ['rides.read']);
    const rideId = await requestRideOf({ api: byOne });
    const statuses: string[] = [];
    const compare = async () => {
      const view = await seenBy(byOne, rideId);
      expect(await seenBy(byOther, rideId)).toEqual(view);
      expect(await seenBy(reading, rideId)).toEqual(view);
      statuses.push(`${view.ride.body.status} ${view.receipt.status} ${view.history.body.ride_history.length}`);
    };
    for (const status of ['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff']) {
      await passUntil(rideId, status);
      await compare();
    }
    expect(answerOf(await byOther.rateRide({ params: inPath(rideId), body: { rating: 5 } }))).toEqual(DONE);
    await server.pass(MINUTE_MS);
    await compare();
    expect(statuses).toEqual([
      'pending 404 0',
      'accepted 404 0',
      'arrived 404 0',
      'pickedUp 404 0',
      'droppedOff 404 1',
      'droppedOff 200 1',
    ]);
  });

  describe('webhooks', () => {
    /** Returns the webhooks about a ride in order: the path and the status, or `receipt`. */
    const told = (received: readonly Received[], rideId: string) =>
      received
        .map(({ path, body }) => ({ path, ...JSON.parse(body) }))
        .filter(({ event }) => event.ride_id === rideId)
        .sort((a, b) => a.occurred_at.localeCompare(b.occurred_at))
        .map(({ path, event_type, event }) =>
          [path, event_type === 'ride.receipt.ready' ? 'receipt' : event.status].join(' '),
        );
    const deliver = async () => {
      while ((await server.runDeliveries()) > 0);
    };

    test('about the receipt go to the application of its ride, even if another requests the next ride', async () => {
      const { byOne, byOther } = await newTwo();
      const rideId = await requestRideOf({ api: byOne });
      await passUntil(rideId, 'droppedOff');
      const next = await requestRideOf({ api: byOther }, { origin: DOLORES_PARK, destination: FERRY_BUILDING });
      await deliver();
      expect(told(receiver.received, rideId).at(-1)).toBe('/one receipt');
      expect(told(receiver.received, next)).toEqual([]);
      expect(receiver.at('/other')).toEqual([]);
    });

    test('stop for an application that the passenger revokes, but not for others', async () => {
      const { one, byOne, byOther, passenger } = await newTwo();
      const byNeighbor = await apiFor(await signUp(server, one), one);
      const rideId = await requestRideOf({ api: byOne });
      const neighbors = await requestRideOf({ api: byNeighbor });
      for (const id of [rideId, neighbors]) await passUntil(id, 'accepted');
      await passenger.visitor.open(ACCOUNT_PATHS.applications);
      await passenger.visitor.submit({ application_id: one.id });
      await passUntil(rideId, 'arrived');
      await deliver();
      expect(told(receiver.received, rideId)).toEqual([]);
      expect(told(receiver.received, neighbors)[0]).toBe('/one accepted');
      // the ride continues, and the other application can still read it
      expect(answerOf(await byOne.getRide({ params: inPath(rideId) }))).toEqual(failure(401, 'invalid_token'));
      expect(await statusOf(byOther, rideId)).toBe('arrived');
      await passUntil(rideId, 'droppedOff');
      const next = await requestRideOf({ api: byOther }, { origin: DOLORES_PARK, destination: FERRY_BUILDING });
      await passUntil(next, 'accepted');
      await deliver();
      expect(told(receiver.received, next)).toEqual(['/other accepted']);
      expect(told(receiver.received, rideId)).toEqual([]);
    });
  });
});
