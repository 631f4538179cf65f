import { beforeAll, describe, expect, test } from 'vitest';
import type { Ride as RideView } from '../../generated/types.ts';
import type { CarQuery, Fleet } from '../../server/domain/fleet/fleet.ts';
import { simulatedFleet } from '../../server/domain/fleet/simulated-fleet.ts';
import { type Canceler, isActive, NEXT, type Ride, type RideStatus } from '../../server/domain/rides/ride.ts';
import { HOUR_MS } from '../../server/domain/time.ts';
import { answerOf } from '../support/answers.ts';
import { changeRide } from '../support/change-ride.ts';
import { engines } from '../support/database.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { TUESDAY_MORNING } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { type Riding, requestRideOf, ridingOf, startRiding, storedRide, timeIn } from '../support/take-ride.ts';
import { claimDue } from '../support/webhook-events.ts';
import { eventsOf, setDemoWebhooks, toldOf } from '../webhooks/support.ts';

const STATUSES = Object.keys(NEXT) as RideStatus[];
const WAY: readonly RideStatus[] = ['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff'];
type Shown<Status extends RideView['status']> = Extract<RideView, { readonly status: Status }>;
const SINCE_2020 = { params: { query: { start_time: '2020-01-01T00:00:00.000+00:00' } } };
/** The far south-west of the city, at the ocean. */
const CITY_EDGE = { lat: 37.712, lng: -122.5 };

/** Whether any car of the simulated fleet is on duty. */
let isOnDuty = true;
const simulated = simulatedFleet('roads');
const carsNear = (query: CarQuery) => (isOnDuty || query.offDuty ? simulated.carsNear(query) : []);
/** The same for every world, so the server computes the cars only once. */
const fleet: Fleet = { ...simulated, carsNear };

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { fleetOf: () => fleet });
  beforeAll(() => setDemoWebhooks(server));

  const moveTo = async ({ api, params }: Riding, status: RideStatus, canceledBy?: Canceler) =>
    answerOf(await api.setRideStatus({ params, body: { status, ...(canceledBy && { canceled_by: canceledBy }) } }));
  const moved = ({ rideId }: Riding, status: RideStatus) => ({ status: 200, body: { ride_id: rideId, status } });
  const shown = async <Status extends RideView['status']>({ api, params }: Riding) =>
    (await api.getRide({ params })).data as Shown<Status>;
  const ridingMovedTo = async (status: RideStatus) => {
    const riding = await startRiding(server);
    if (status !== 'pending') await moveTo(riding, status);
    return riding;
  };
  const driverOf = async (riding: Riding) => (await shown<'accepted' | 'arrived'>(riding)).driver.user_id;

  test('one call moves a ride from the request to the drop-off, in steps a millisecond apart', async () => {
    const riding = await startRiding(server);
    const now = await timeIn(server, riding.world);
    expect(await moveTo(riding, 'droppedOff')).toEqual(moved(riding, 'droppedOff'));
    expect((await shown(riding)).status).toBe('droppedOff');
    const events = await eventsOf(server, riding);
    expect(events.map(({ occurredAt }) => occurredAt - now)).toEqual([1, 2, 3, 4]);

    // every webhook is due at once, in order, while the clock is frozen
    const claim = { realNow: server.parts.now(), leaseMs: 1, owner: 'a test', limit: 100 };
    const due = await claimDue(server.store.db, claim);
    const ofRide = due.filter(({ worldId }) => worldId === riding.world.id);
    const told = ofRide.map(({ body }) => JSON.parse(body).event);
    expect(told.map(({ status }) => status)).toEqual(WAY.slice(1));
    // clients of the original API read whole seconds, and a millisecond is the shortest trip
    const { ride_history } = (await riding.api.listRides(SINCE_2020)).data!;
    const seconds = [await shown<'droppedOff'>(riding), ...ride_history, told.at(-1)].map(
      (ride) => ride.duration_seconds,
    );
    expect(seconds).toEqual([1, 1, 1]);
  });

  test('a response right after a move is never older than the move', async () => {
    for (const status of ['accepted', 'pickedUp', 'droppedOff', 'canceled'] as const) {
      const riding = await ridingMovedTo(status);
      const { generated_at } = await shown(riding);
      const { lastEventAt } = await storedRide(server, riding.world, riding.rideId);
      expect(Date.parse(generated_at)).toBe(lastEventAt);
      if (status !== 'droppedOff') continue;
      const { data } = await riding.api.listRides(SINCE_2020);
      expect(Date.parse(data!.ride_history[0]!.generated_at)).toBe(lastEventAt);
    }
  });

  test('a passenger can request the next ride at the same instant, and sees both rides in order', async () => {
    const riding = await ridingMovedTo('droppedOff');
    const second = ridingOf(riding, riding.world, await requestRideOf(riding));
    expect(await moveTo(second, 'droppedOff')).toEqual(moved(second, 'droppedOff'));
    const { data } = await riding.api.listRides(SINCE_2020);
    expect(data!.ride_history.map(({ ride_id }) => ride_id)).toEqual([second.rideId, riding.rideId]);
    expect((await toldOf(server, riding)).at(-1)).toBe('receipt');
  });

  test('a confirmation token from right after a move is valid', async () => {
    const riding = await ridingMovedTo('pickedUp');
    const { cancellation_price } = await shown<'pickedUp'>(riding);
    const body = { cancel_confirmation_token: cancellation_price!.token };
    expect((await riding.api.cancelRide({ params: riding.params, body })).response.status).toBe(204);
    expect(await toldOf(server, riding)).toEqual(['accepted', 'arrived', 'pickedUp', 'canceled', 'receipt']);
  });

  test.each<[RideStatus, Canceler | undefined, Canceler]>([
    ['pickedUp', undefined, 'driver'],
    ['pending', 'no_drivers_available', 'no_drivers_available'],
    ['pickedUp', 'passenger', 'passenger'],
  ])('a ride that is %s and is moved to canceled by %s shows canceled_by %s', async (from, by, shownAs) => {
    const riding = await ridingMovedTo(from);
    expect(await moveTo(riding, 'canceled', by)).toEqual(moved(riding, 'canceled'));
    expect((await shown<'canceled'>(riding)).canceled_by).toBe(shownAs);
    const { data } = await riding.api.getReceipt({ params: riding.params });
    expect(data === undefined).toBe(by !== 'passenger');
  });

  test.each([
    ['one status', ['pickedUp']],
    ['all statuses', STATUSES],
  ] as const)(
    'twenty concurrent moves to %s leave one ride, with each of its events once and in order',
    async (_, to) => {
      const riding = await startRiding(server);
      const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => moveTo(riding, to[i % to.length]!)));
      const moved = answers.filter(({ status }) => status === 200);
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(20 - moved.length);
      expect(moved.length).toBeLessThanOrEqual(to.length);
      const told = await toldOf(server, riding);
      expect(new Set(told).size).toBe(told.length);
      const { status } = await storedRide(server, riding.world, riding.rideId);
      expect(to.length === 1 ? status === 'pickedUp' : !isActive(status)).toBe(true);
      if (status !== 'unknown') expect(told.at(-1)).toBe(status);
    },
  );

  test('at every hour there is a driver, even for the rarest ride type at the edge of the city', async () => {
    for (let hour = 0; hour < 24; hour += 3) {
      const world = await server.newWorld({ at: TUESDAY_MORNING + hour * HOUR_MS });
      const api = server.client({ token: await server.newToken({ world }) });
      await api.setPrimeTime({ body: { ...FERRY_BUILDING, primetime_percentage: '0%' } });
      const riding = await startRiding(server, { world });
      const atTheEdge = ({ origin }: Ride) => ({ rideType: 'svc_lux', origin: { ...origin, ...CITY_EDGE } });
      await changeRide(server, riding, (ride) => ({ ...ride, ...atTheEdge(ride) }));
      expect(await moveTo(riding, 'accepted')).toEqual(moved(riding, 'accepted'));
      expect((await shown<'accepted'>(riding)).origin.eta_seconds).toBeGreaterThan(0);
    }
  });

  test('a driver who is off duty, or has just had a ride, comes if nobody else does', async () => {
    const world = await server.newWorld();
    const first = await startRiding(server, { world });
    const second = await startRiding(server, { world });
    isOnDuty = false;
    await moveTo(first, 'accepted');
    await moveTo(second, 'accepted');
    const [one, other] = [await driverOf(first), await driverOf(second)];
    expect(one).not.toBe(other);
    await moveTo(first, 'droppedOff');
    // a request needs a driver on duty
    isOnDuty = true;
    const third = ridingOf(first, world, await requestRideOf(first));
    isOnDuty = false;
    await moveTo(third, 'accepted');
    isOnDuty = true;
    expect(await driverOf(third)).toBe(one);
  });
});
