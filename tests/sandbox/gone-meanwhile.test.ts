import { pino } from 'pino';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dueInWorld } from '../../server/store/timers.ts';
import { runTimer } from '../../server/workers/timers.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { FERRY_BUILDING, MISSION_DOLORES } from '../support/places.ts';
import { heldAnswer } from '../support/receiver.ts';
import { FROZEN, type MadeWorld, makePassenger, makeWorld } from '../support/sandboxes.ts';
import { testReceiver, testServer } from '../support/started.ts';
import { requestRideOf } from '../support/take-ride.ts';
import { setDemoWebhooks } from '../webhooks/support.ts';

const GONE = failure(401, 'invalid_token');
const ENDS = ['deleteWorld', 'resetWorld'] as const;

describe.each(engines)('on %s', (engine) => {
  const complaints: string[] = [];
  const write = (line: string) => {
    const { level, msg, operation, err } = JSON.parse(line);
    // the audit trail is written at any level of the log
    if (level >= pino.levels.values.warn!) complaints.push([msg, operation, err?.stack].join(' '));
  };
  const server = testServer(engine, { logger: pino({ level: 'warn' }, { write }) });
  const receiver = testReceiver();
  beforeAll(() => setDemoWebhooks(server, `${receiver.url}/`));
  beforeEach(() => {
    complaints.length = 0;
    receiver.answerWith(() => 204);
  });
  afterEach(() => expect(complaints).toEqual([]));

  /** A world without limits, with rides in progress. */
  async function busyWorld() {
    const home = await makeWorld(server, { clock: FROZEN, auto_advance: true, limits: false });
    const riders = await Promise.all(Array.from({ length: 4 }, () => makePassenger(server, home)));
    const riding = await Promise.all(
      riders.map(async (rider) => ({ ...rider, params: { path: { ride_id: await requestRideOf(rider) } } })),
    );
    await home.api.advanceClock({ body: { seconds: 30 } });
    const { data } = await home.api.listEvents();
    return { home, riding, eventId: data!.events[0]!.event_id };
  }

  type Riding = Awaited<ReturnType<typeof busyWorld>>['riding'][number];

  const ofPassengers = ({ api, params }: Riding) => [
    () => api.getRide({ params }),
    () => api.requestRide({ body: ACROSS_TOWN }),
    () => api.updateDestination({ params, body: MISSION_DOLORES }),
    () => api.listRides({ params: { query: { start_time: '2026-01-01T00:00:00Z' } } }),
    () => api.rateRide({ params, body: { rating: 5 } }),
    () => api.getReceipt({ params }),
    () => api.getProfile(),
    () => api.updatePassenger({ body: { first_name: 'Ada' } }),
    () => api.setRideStatus({ params, body: { status: 'droppedOff' } }),
    () => api.cancelRide({ params }),
  ];
  const ofApplications = ({ api }: MadeWorld, eventId: string) => [
    () => api.advanceClock({ body: { seconds: 600 } }),
    () => api.setClock({ body: { state: 'frozen' } }),
    () => api.updateWorld({ body: { auto_advance: false } }),
    () => api.createPassenger(),
    () => api.createWorld(),
    () => api.getWorld(),
    () => api.listEvents(),
    () => api.resendEvent({ params: { path: { event_id: eventId } } }),
    () => api.setPrimeTime({ body: { ...FERRY_BUILDING, primetime_percentage: '50%' } }),
    () => api.setWebhooks({ body: { url: `${receiver.url}/` } }),
    () => api.listDrivers({ params: { query: FERRY_BUILDING } }),
    () => api.advanceClock({ body: { seconds: 61 } }),
  ];

  describe.each(ENDS)('%s during other calls', (operation) => {
    test.each([0, 25])('makes none of them fail if it is sent after %i of them', async (index) => {
      const { home, riding, eventId } = await busyWorld();
      const calls = [...ofApplications(home, eventId), ...riding.flatMap(ofPassengers)];
      const first = calls.slice(0, index).map((call) => call());
      const ending = home.api[operation]();
      const work = [server.runTimers(), server.runDeliveries()];
      const answers = await Promise.all([...first, ...calls.slice(index).map((call) => call())]);
      const statuses = answers.map(({ response }) => response.status);
      await Promise.all(work);
      expect((await ending).response.status).toBe(204);
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      // a 401 comes without rate limit headers
      for (const { response } of answers) {
        expect(response.headers.has('X-RateLimit-Limit')).toBe(response.status !== 401);
      }
      for (const { api } of riding) expect(answerOf(await api.getProfile())).toEqual(GONE);
      if (operation === 'deleteWorld') return expect(answerOf(await home.api.getWorld())).toEqual(GONE);
      // later calls may have changed the world again
      await home.api.resetWorld();
      expect((await home.api.getWorld()).data).toEqual(home.world);
    });
  });

  describe.each(ENDS)('while webhooks are sent, %s', (operation) => {
    /** Holds back the response to the next webhook until the world has ended. */
    async function endWhile<T>(send: () => Promise<T>, { api }: MadeWorld, answer: 204 | 500): Promise<T> {
      const held = heldAnswer();
      receiver.answerWith(() => held.answer);
      const before = receiver.received.length;
      const sending = send();
      await receiver.arrived(before + 1);
      expect((await api[operation]()).response.status).toBe(204);
      held.give(answer);
      const sent = await sending;
      expect(receiver.received.length).toBe(before + 1);
      return sent;
    }

    test('does not wait, and the result of the attempt is discarded', async () => {
      const home = await makeWorld(server, { auto_advance: true });
      await requestRideOf(await makePassenger(server, home));
      await server.pass(2000);
      await endWhile(() => server.runDeliveries(), home, 500);
      server.passTime(-2000);
      const deliveries = server.store.db.selectFrom('deliveries').selectAll();
      expect(await deliveries.where('worldId', '=', home.world.world_id).execute()).toEqual([]);
    });

    test('ends an advance that waits for a receiver', async () => {
      const home = await makeWorld(server, { clock: FROZEN, auto_advance: true });
      await requestRideOf(await makePassenger(server, home));
      const advanced = await endWhile(() => home.api.advanceClock({ body: { seconds: 3600 } }), home, 204);
      const shown = { status: 200, body: { ...home.world.clock, steps: 2 } };
      expect(answerOf(advanced)).toEqual(operation === 'deleteWorld' ? GONE : shown);
    });
  });

  test('an advance that a reset ended sends no webhooks of the new world', async () => {
    const home = await makeWorld(server, { clock: FROZEN });
    await home.api.updateWorld({ body: { auto_advance: true } });
    await requestRideOf(await makePassenger(server, home));
    const held = heldAnswer();
    receiver.answerWith(() => held.answer);
    const before = receiver.received.length;
    const advancing = home.api.advanceClock({ body: { seconds: 7200 } });
    await receiver.arrived(before + 1);

    // no timer of the new world is due in these two hours, but a webhook is
    await home.api.resetWorld();
    await home.api.setWebhooks({ body: { hold_seconds: 3600 } });
    const rider = await makePassenger(server, home);
    const params = { path: { ride_id: await requestRideOf(rider) } };
    await rider.api.setRideStatus({ params, body: { status: 'accepted' } });
    held.give(204);
    await advancing;
    expect((await home.api.listEvents()).data!.events).toMatchObject([{ delivery: 'pending', attempts: [] }]);
    expect(receiver.received.length).toBe(before + 1);
  });

  test.each(ENDS)('a timer that was claimed before %s does nothing', async (operation) => {
    const home = await makeWorld(server, { clock: FROZEN, auto_advance: true });
    await requestRideOf(await makePassenger(server, home));
    const timer = await dueInWorld(server.store.db, home.world.world_id, Number.MAX_SAFE_INTEGER);
    await home.api[operation]();
    await runTimer(server.parts, timer!);
    expect(await dueInWorld(server.store.db, home.world.world_id, Number.MAX_SAFE_INTEGER)).toBeNull();
  });
});
