import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { draws } from '../../server/domain/chance.ts';
import type { Fleet } from '../../server/domain/fleet/fleet.ts';
import { simulatedFleet } from '../../server/domain/fleet/simulated-fleet.ts';
import { liveId } from '../../server/domain/ids.ts';
import type { RideStatus } from '../../server/domain/rides/ride.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { nextRealDue } from '../../server/store/due-timers.ts';
import { setTimers } from '../../server/store/timers.ts';
import { holdWorld } from '../../server/store/worlds.ts';
import type { StepGate } from '../../server/workers/step-gate.ts';
import { runDueTimers, startTimerWorker } from '../../server/workers/timers.ts';
import { resumeWorld } from '../../server/workers/world-clock.ts';
import { answerOf, failure } from '../support/answers.ts';
import { counted } from '../support/counted-store.ts';
import { engines } from '../support/database.ts';
import { newLatch } from '../support/latch.ts';
import { statusesIn, waitingRides } from '../support/many-rides.ts';
import { LIVE } from '../support/server.ts';
import { serverForEach } from '../support/started.ts';
import { type Riding, requestRideOf, startRiding, storedRide } from '../support/take-ride.ts';
import { until } from '../support/until.ts';
import { errorsTo } from './support.ts';

const LEASE_MS = 30 * SECOND_MS;
const GIVE_UP_MS = 5 * MINUTE_MS;

const CARS = simulatedFleet(LIVE.seed);
/** A ride's id decides its random events. */
const bytesNumbered = (number: number) => createHash('sha256').update(String(number)).digest();

describe.each(engines)('on %s', (engine) => {
  let cars: 'there' | 'away' | 'broken';
  /** For the driver's chance of canceling the rides with the next IDs. */
  let isWanted: (givesUp: number) => boolean;
  let lastNumber = 0;
  let logged: string[];

  const fleet: Fleet = {
    ...CARS,
    carsNear(query) {
      if (cars === 'broken') throw new Error('The fleet is out of order');
      return cars === 'there' ? CARS.carsNear(query) : [];
    },
  };

  // a server for each test, because all tests would share the live world and its time never goes back
  const server = serverForEach(engine, {
    fleetOf: () => fleet,
    randomBytes: (size) => nextBytes().subarray(0, size),
    logger: errorsTo(() => logged),
  });
  beforeEach(() => {
    cars = 'there';
    logged = [];
    isWanted = (givesUp) => givesUp > 0.5;
  });

  const stored = ({ rideId }: Riding) => storedRide(server, LIVE, rideId);
  const startLiveRide = () => startRiding(server, { world: LIVE });

  /** Random bytes for an ID, whose ride's driver `isWanted`. */
  function nextBytes(): Uint8Array {
    for (;;) {
      lastNumber += 1;
      const id = liveId(server.parts.now(), bytesNumbered(lastNumber).subarray(0, 16));
      if (isWanted(draws(2, LIVE.seed, 'drive', id)[1]!)) return bytesNumbered(lastNumber);
    }
  }

  /** Lets real time pass from one due instant to the next until a live ride reaches a status. */
  async function passUntil(riding: Riding, status: RideStatus) {
    for (let steps = 0; steps < 60; steps++) {
      const ride = await stored(riding);
      if (ride.status === status) return ride;
      const due = await nextRealDue(server.store.db, 'live');
      await server.pass(Math.max(0, due! - server.parts.now()));
    }
    throw new Error(`The ride does not reach the status ${status}.`);
  }

  describe('a live ride', () => {
    test('progresses as real time passes', async () => {
      const riding = await startLiveRide();
      for (const status of ['accepted', 'arrived', 'pickedUp', 'droppedOff'] as const) {
        expect((await passUntil(riding, status)).lastEventAt).toBe(server.parts.now());
      }
      await server.pass(24 * HOUR_MS);
      expect((await stored(riding)).payment).not.toBeNull();
      expect(logged).toEqual([]);
    });

    test('without a driver for five minutes is canceled by no_drivers_available, without a fee', async () => {
      const riding = await startLiveRide();
      cars = 'away';
      await server.pass(GIVE_UP_MS - 1);
      expect((await stored(riding)).status).toBe('pending');
      await server.pass(1);
      const { data } = await riding.api.getRide({ params: riding.params });
      expect(data).toMatchObject({ status: 'canceled', canceled_by: 'no_drivers_available', can_cancel: [] });
      const { canceledAt, requestedAt } = await stored(riding);
      expect(canceledAt! - requestedAt).toBe(GIVE_UP_MS);
      const receipt = await riding.api.getReceipt({ params: riding.params });
      expect(answerOf(receipt)).toEqual(failure(404, 'receipt_not_available'));
      cars = 'there';
      isWanted = (givesUp) => givesUp > 0.5;
      await requestRideOf(riding);
    });

    test('whose driver gives up on the way is canceled without a fee, and another can be requested', async () => {
      isWanted = (givesUp) => givesUp < 0.02;
      const riding = await startLiveRide();
      const accepted = await passUntil(riding, 'accepted');
      const ride = await passUntil(riding, 'canceled');
      expect(ride).toMatchObject({ canceledBy: 'driver', cancelFee: 0, payment: null });
      expect(ride.canceledAt).toBe(accepted.plan!.driverCancelsAt);
      expect(ride.canceledAt).toBeLessThan(accepted.plan!.toPickup.endsAt);
      isWanted = (givesUp) => givesUp > 0.5;
      const rideId = await requestRideOf(riding);
      await passUntil({ ...riding, rideId }, 'droppedOff');
    });
  });

  describe('a timer that fails', () => {
    test('is logged, and retried when its lease expires; the step keeps its time', async () => {
      const riding = await startLiveRide();
      cars = 'broken';
      await server.pass(2 * SECOND_MS);
      expect(logged.map((line) => JSON.parse(line))).toMatchObject([
        { msg: 'a timer failed', subject: riding.rideId, err: { message: 'The fleet is out of order' } },
      ]);
      cars = 'there';
      await server.pass(LEASE_MS - 1);
      expect((await stored(riding)).status).toBe('pending');
      await server.pass(1);
      const { status, acceptedAt, requestedAt } = await stored(riding);
      expect({ status, after: acceptedAt! - requestedAt }).toEqual({ status: 'accepted', after: 2 * SECOND_MS });
    });

    test('does not prevent others from running, even if its kind is unknown', async () => {
      const riding = await startLiveRide();
      const now = server.parts.now();
      const mystery = { kind: 'mystery', subjectId: 'anything', dueAt: now };
      await server.store.transaction(async (tx) => setTimers(tx, await holdWorld(tx, LIVE), [mystery]));
      await server.pass(2 * SECOND_MS);
      expect((await stored(riding)).status).toBe('accepted');
      expect(logged).toHaveLength(1);
      expect(logged[0]).toContain('mystery');
    });
  });

  test('two workers never run one step twice', async () => {
    const ridings: Riding[] = [];
    for (let i = 0; i < 5; i++) {
      isWanted = (givesUp) => givesUp > 0.5;
      ridings.push(await startLiveRide());
    }
    server.passTime(3 * HOUR_MS);
    const counts = await Promise.all([server.runTimers(), server.runTimers()]);
    const rides = await Promise.all(ridings.map(stored));
    expect(rides.map(({ status }) => status)).toEqual(Array(5).fill('droppedOff'));
    // one version for the request, and one for each of the four steps
    expect(rides.map(({ version }) => version)).toEqual(Array(5).fill(5));
    expect(counts[0]! + counts[1]!).toBe(20);
  });

  test('a worker runs due timers until it is stopped', async () => {
    const riding = await startLiveRide();
    const worker = startTimerWorker(server.parts);
    server.passTime(2 * SECOND_MS);
    await until(async () => expect((await stored(riding)).status).toBe('accepted'));
    await worker.stop();
    server.passTime(HOUR_MS);
    expect((await stored(riding)).status).toBe('accepted');
    expect(await server.runTimers()).toBe(3);
  });
});

/** The most steps that can run before the only due step of another world. */
const MOST_BEFORE = 10;

describe.each(engines)('turns of timers, on %s', (engine) => {
  const server = serverForEach(engine);

  /** Rides of a sandbox that all close after 24 hours, one step each. Its clock runs. */
  async function runningRides(count: number): Promise<Riding> {
    const riding = await waitingRides(server, count);
    await resumeWorld(server.parts, riding.world);
    return riding;
  }

  const statusOf = async ({ world, rideId }: Riding) => (await storedRide(server, world, rideId)).status;

  /** Runs due timers until this many steps are saved. Steps in progress are completed. */
  async function runSteps(most: number): Promise<void> {
    const stopping = new AbortController();
    const { store, statements } = counted(server.store);
    const push = statements.push.bind(statements);
    let steps = 0;
    statements.push = (...sql) => {
      steps += sql.filter((each) => each.startsWith('update "rides"')).length;
      if (steps >= most) stopping.abort();
      return push(...sql);
    };
    await runDueTimers({ ...server.parts, store }, stopping.signal);
    expect(steps).toBeGreaterThanOrEqual(most);
  }

  test('a sandbox whose only timer came due last is among the first, even with a big one', async () => {
    const big = await runningRides(500);
    server.passTime(HOUR_MS);
    const small = await runningRides(1);
    server.passTime(2 * DAY_MS);
    await runSteps(MOST_BEFORE);
    expect(await statusOf(small)).toBe('unknown');
    expect(await statusesIn(server, big)).toHaveProperty('unknown');
  });

  test('a live ride does not wait for a big sandbox', async () => {
    const big = await runningRides(500);
    server.passTime(2 * DAY_MS);
    const live = await startRiding(server, { world: LIVE });
    server.passTime(2 * SECOND_MS);
    await runSteps(MOST_BEFORE);
    expect(await statusOf(live)).not.toBe('pending');
    // all of them are due at one instant, so any of them can be the first
    expect(await statusesIn(server, big)).toHaveProperty('unknown');
  });

  test('live rides continue while no step of a sandbox ends', async () => {
    const sandbox = await runningRides(3);
    server.passTime(2 * DAY_MS);
    const live = await startRiding(server, { world: LIVE });
    const goOn = newLatch();
    const steps: StepGate = {
      ...server.parts.steps,
      run: async (line, step) => {
        if (line !== LIVE.id) await goOn.promise;
        return server.parts.steps.run(line, step);
      },
    };
    const worker = startTimerWorker({ ...server.parts, steps });
    server.passTime(2 * SECOND_MS);
    await until(async () => expect(await statusOf(live)).not.toBe('pending'));
    expect(await statusOf(sandbox)).toBe('pending');
    goOn.open();
    await until(async () => expect(await statusOf(sandbox)).toBe('unknown'));
    await worker.stop();
  });
});
