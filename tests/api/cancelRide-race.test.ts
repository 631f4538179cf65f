import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../server/domain/time.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { ridingAt } from '../support/stages.ts';
import { testServer } from '../support/started.ts';
import { feeOf, type Riding, startRiding, storedRide } from '../support/take-ride.ts';

/** The grace time of San Francisco. */
const GRACE_MS = 2 * MINUTE_MS;
const CANCELED = { status: 204, body: undefined };
const FINISHED = failure(409, 'ride_is_finished');

describe.each(engines)('on %s', (engine) => {
  // slow cars: no ride reaches its pickup within the grace time
  const server = testServer(engine, { simulationSpeed: 0.1, rateLimitMultiplier: 10 });

  /** Sends `times` cancellations at once. @returns the responses, successes first, and the ride before and after */
  async function race(times: number, { api, params, world, rideId }: Riding, body = {}) {
    const before = await storedRide(server, world, rideId);
    const calls = Array.from({ length: times }, async () => answerOf(await api.cancelRide({ params, body })));
    const answers = (await Promise.all(calls)).sort((a, b) => a.status - b.status);
    return { answers, before, after: await storedRide(server, world, rideId) };
  }

  describe.each([2, 20])('of %i concurrent cancellations', (times) => {
    const ONE = [CANCELED, ...Array(times - 1).fill(FINISHED)];

    test('one succeeds', async () => {
      const { answers, before, after } = await race(times, await startRiding(server));
      expect(answers).toEqual(ONE);
      expect(after).toMatchObject({ status: 'canceled', version: before.version + 1, payment: null });
    });

    test('that confirm a fee, one is charged', async () => {
      const riding = await ridingAt(server, 'accepted');
      await server.advance(riding.world, GRACE_MS);
      const fee = await feeOf(riding);
      const { answers, before, after } = await race(times, riding, { cancel_confirmation_token: fee.token });
      expect(answers).toEqual(ONE);
      expect(after).toMatchObject({ status: 'canceled', version: before.version + 1, cancelFee: fee.amount });
      expect(after.payment!.charges).toHaveLength(1);
    });
  });
});
