import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { engines } from '../support/database.ts';
import { PRIME_TIME_HOURS } from '../support/prime-time.ts';
import { LIVE, type Rider } from '../support/server.ts';
import { ridingAt, type Stage } from '../support/stages.ts';
import { testServer } from '../support/started.ts';
import { type Riding, requestRideOf, startRiding, storedRide } from '../support/take-ride.ts';
import { newStage } from './support/market.ts';

const PRIME_TIME = { header: { 'Svc-Sandbox-Scenario': 'primetime_confirmation_required' } };
const FEE = { header: { 'Svc-Sandbox-Scenario': 'cancel_confirmation_required' } };
/** San Francisco's cancel penalty. */
const PENALTY = 500;

describe.each(engines)('on %s', (engine) => {
  // slow cars: no driver reaches the pickup before the token expires
  const server = testServer(engine, { simulationSpeed: 0.1 });

  describe('a confirmation of Prime Time', () => {
    /** A passenger of a sandbox whose clock starts this long after Tuesday 11:00. */
    const riderAfter = (ms: number) => newStage(server, { at: server.parts.now() + ms, settings: PRIME_TIME_HOURS });

    async function askedBy({ api }: Rider, token?: string) {
      const { error, response } = await api.requestRide({
        params: PRIME_TIME,
        body: { ...ACROSS_TOWN, ...(token !== undefined && { cost_token: token }) },
      });
      if (error?.error !== 'primetime_confirmation_required') throw new Error(`${response.status} ${error?.error}`);
      return error;
    }

    test.each([
      ['there is no Prime Time', 0, '25%', 1.25],
      ['Prime Time applies', 6.5 * HOUR_MS, '25%', 1.25],
      ['Prime Time is high', 3 * DAY_MS + 11.5 * HOUR_MS, '75%', 1.75],
    ])('is required if %s, and its token creates the ride', async (_, ms, percentage, multiplier) => {
      const rider = await riderAfter(ms);
      const asked = await changingNothing(server, () => askedBy(rider));
      expect(asked).toMatchObject({ primetime_percentage: percentage, primetime_multiplier: multiplier });

      const rideId = await requestRideOf(rider, { cost_token: asked.cost_token });
      const ride = await rider.api.getRide({ params: { path: { ride_id: rideId } } });
      expect(ride.data).toMatchObject({ status: 'pending', primetime_percentage: percentage });
    });

    test('is required again even with the token, which also works under its deprecated name', async () => {
      const rider = await riderAfter(0);
      const asked = await askedBy(rider);
      expect((await askedBy(rider, asked.cost_token)).cost_token).not.toBe(asked.cost_token);
      await requestRideOf(rider, { primetime_confirmation_token: asked.primetime_confirmation_token });
    });

    test('is not required in the live world', async () => {
      const { api } = await server.newRider(LIVE);
      expect((await api.requestRide({ params: PRIME_TIME, body: ACROSS_TOWN })).response.status).toBe(201);
    });
  });

  describe('a confirmation of a fee', () => {
    async function askedBy({ api, params }: Riding, token?: string) {
      const body = token === undefined ? {} : { body: { cancel_confirmation_token: token } };
      const { error, response } = await api.cancelRide({ params: { ...params, ...FEE }, ...body });
      if (error?.error !== 'cancel_confirmation_required') throw new Error(`${response.status} ${error?.error}`);
      return error;
    }

    const agree = async ({ api, params }: Riding, cancel_confirmation_token: string) =>
      (await api.cancelRide({ params, body: { cancel_confirmation_token } })).response.status;

    test.each<[status: Stage, laterMs: number, agreedMs: number, charged: number]>([
      ['pending', 0, 0, 0],
      ['accepted', 0, 0, 0],
      ['accepted', 2 * MINUTE_MS, 0, PENALTY],
      ['accepted', 1.5 * MINUTE_MS, 0.5 * MINUTE_MS, PENALTY],
    ])(
      'of a ride that is %s names the penalty %i ms later; confirmed %i ms after that, it costs %i',
      async (...row) => {
        const [status, laterMs, agreedMs, charged] = row;
        const riding = await ridingAt(server, status);
        await server.advance(riding.world, laterMs);
        const asked = await changingNothing(server, () => askedBy(riding));
        expect(asked).toMatchObject({ amount: PENALTY, currency: 'USD', token_duration: 60 });

        await server.advance(riding.world, agreedMs);
        expect(await agree(riding, asked.token)).toBe(204);
        expect(await storedRide(server, riding.world, riding.rideId)).toMatchObject({
          status: 'canceled',
          canceledBy: 'passenger',
          cancelFee: charged,
        });
      },
    );

    test('during the trip names the fare so far, and that is charged', async () => {
      const riding = await ridingAt(server, 'pickedUp');
      await server.advance(riding.world, 90 * MINUTE_MS);
      const { amount, token } = await askedBy(riding);
      expect(amount).toBeGreaterThan(PENALTY);
      await server.advance(riding.world, 30 * SECOND_MS);
      expect(await agree(riding, token)).toBe(204);
      expect(await storedRide(server, riding.world, riding.rideId)).toMatchObject({ cancelFee: amount });
    });

    test('is required again even with the token', async () => {
      const riding = await startRiding(server);
      const { token } = await askedBy(riding);
      await askedBy(riding, token);
      expect(await storedRide(server, riding.world, riding.rideId)).toMatchObject({ status: 'pending' });
    });

    test('is not required if the ride is over', async () => {
      const { api, params } = await startRiding(server);
      await api.cancelRide({ params });
      const { error, response } = await api.cancelRide({ params: { ...params, ...FEE } });
      expect([response.status, error?.error]).toEqual([409, 'ride_is_finished']);
    });
  });
});
