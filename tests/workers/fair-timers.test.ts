import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../server/domain/time.ts';
import type { StepGate } from '../../server/workers/step-gate.ts';
import { runDueTimers, startTimerWorker } from '../../server/workers/timers.ts';
import { resumeWorld } from '../../server/workers/world-clock.ts';
import { counted } from '../support/counted-store.ts';
import { engines } from '../support/database.ts';
import { newLatch } from '../support/latch.ts';
import { statusesIn, waitingRides } from '../support/many-rides.ts';
import { LIVE } from '../support/server.ts';
import { serverForEach } from '../support/started.ts';
import { type Riding, startRiding, storedRide } from '../support/take-ride.ts';
import { until } from '../support/until.ts';

/** The most steps that can run before the only due step of another world. */
const MOST_BEFORE = 10;

describe.each(engines)('on %s', (engine) => {
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
