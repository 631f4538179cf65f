import { describe, expect, test } from 'vitest';
import type { RideStatus } from '../../server/domain/rides/ride.ts';
import { MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { dueInWorld } from '../../server/store/timers.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { ridingAt } from '../support/stages.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, feeOf, type Riding, startRiding, storedRide, timeIn } from '../support/take-ride.ts';

/** The grace time of San Francisco. */
const GRACE_MS = 2 * MINUTE_MS;
const PENALTY = 500;
const FEE_RECEIPT = {
  price: { amount: 526, currency: 'USD', description: 'Cancellation fee' },
  line_items: [
    { type: 'Cancellation fee', amount: PENALTY, currency: 'USD' },
    { type: 'San Francisco Traffic Congestion Mitigation Tax', amount: 16, currency: 'USD' },
    { type: 'California Access for All Fee', amount: 10, currency: 'USD' },
  ],
  charges: [{ amount: 526, currency: 'USD', payment_method: 'Visa ending in 4242' }],
};
const INVALID = failure(400, 'invalid_cancel_confirmation');
const FINISHED = failure(409, 'ride_is_finished');
const CANCELED = { status: 204, body: undefined };

const cancel = async ({ api, params }: Pick<Riding, 'api' | 'params'>, token?: string) => {
  const body = token === undefined ? {} : { body: { cancel_confirmation_token: token } };
  return answerOf(await api.cancelRide({ params, ...body }));
};

describe.each(engines)('on %s', (engine) => {
  // slow cars: no ride reaches its pickup within the grace time, or while a token is valid
  const server = testServer(engine, { simulationSpeed: 0.1, rateLimitMultiplier: 10 });

  /** A ride whose grace time is over. */
  async function ridingLate(world?: World): Promise<Riding> {
    const riding = await ridingAt(server, 'accepted', world && { world });
    await server.advance(riding.world, GRACE_MS);
    return riding;
  }

  describe('free', () => {
    test('a pending ride is canceled at once, and the response has no body', async () => {
      const riding = await startRiding(server);
      const { response } = await riding.api.cancelRide({ params: riding.params });
      expect(response.status).toBe(204);
      expect(await response.text()).toBe('');
      const ride = await riding.api.getRide({ params: riding.params });
      expect(ride.data).toMatchObject({ status: 'canceled', canceled_by: 'passenger', can_cancel: [] });
      expect(ride.data).not.toHaveProperty('price');
    });
  });

  describe('for a fee', () => {
    test('the token cancels the ride, and the receipt is ready at once', async () => {
      const riding = await ridingLate();
      const { token } = await feeOf(riding);
      expect(await cancel(riding, token)).toEqual(CANCELED);
      const { data } = await riding.api.getReceipt({ params: riding.params });
      const request = { requested_at: '2026-05-12T18:00:00.000+00:00', ride_profile: 'personal' };
      expect(data).toEqual({ ride_id: riding.rideId, ...FEE_RECEIPT, ...request });
      const ride = await riding.api.getRide({ params: riding.params });
      expect(ride.data).toMatchObject({ status: 'canceled', canceled_by: 'passenger', ...FEE_RECEIPT });
    });

    test('a token is valid for sixty seconds', async () => {
      const riding = await ridingLate();
      const { token } = await feeOf(riding);
      await server.advance(riding.world, 60 * SECOND_MS);
      expect(await cancel(riding, token)).toEqual(INVALID);
      const fresh = await feeOf(riding);
      await server.advance(riding.world, 60 * SECOND_MS - 1);
      expect(await cancel(riding, fresh.token)).toEqual(CANCELED);
    });

    test.each<[string, (riding: Riding) => Promise<Riding>]>([
      ['another ride', ({ world }) => ridingLate(world)],
      ['the same ride in a twin world', (riding) => twinOf(riding)],
      ['another application', (riding) => withAnotherApplication(riding)],
    ])('a token for %s is refused', async (_, otherOf) => {
      const riding = await ridingLate();
      const { token } = await feeOf(await otherOf(riding));
      expect(await cancel(riding, token)).toEqual(INVALID);
      expect(await cancel(riding, (await feeOf(riding)).token)).toEqual(CANCELED);
    });

    async function twinOf({ world, rideId }: Riding): Promise<Riding> {
      const twin = await ridingLate(await server.newWorld({ seed: world.seed }));
      expect(twin.rideId).toBe(rideId);
      return twin;
    }

    async function withAnotherApplication(riding: Riding): Promise<Riding> {
      const token = await server.newToken({ ...riding, applicationId: 'another' });
      return { ...riding, api: server.client({ token }) };
    }
  });

  test.each([2, 20])('of %i concurrent cancellations that confirm a fee, one is charged', async (times) => {
    const riding = await ridingLate();
    const { amount, token } = await feeOf(riding);
    const stored = () => storedRide(server, riding.world, riding.rideId);
    const { version } = await stored();
    const answers = await Promise.all(Array.from({ length: times }, () => cancel(riding, token)));
    expect(answers.sort((a, b) => a.status - b.status)).toEqual([CANCELED, ...Array(times - 1).fill(FINISHED)]);
    const after = await stored();
    expect(after).toMatchObject({ status: 'canceled', version: version + 1, cancelFee: amount });
    expect(after.payment!.charges).toHaveLength(1);
  });
});

type Come = (riding: Riding) => Promise<unknown>;

// slow cars arrive after the grace time; fast cars finish the ride within it
describe.each([
  ['slow', 0.1],
  ['fast', 60],
])('while cars are %s', (_, simulationSpeed) => {
  const server = testServer('sqlite', { simulationSpeed, rateLimitMultiplier: 20 });

  /** The token of the ride and that of the refusal take turns. */
  let isOfTheRide = false;
  const receiptOf = async ({ api, params }: Riding) => answerOf(await api.getReceipt({ params }));

  async function agreesWithItself(riding: Riding): Promise<void> {
    const { data } = await riding.api.getRide({ params: riding.params });
    if (data === undefined) throw new Error('getRide failed.');
    const { can_cancel } = data;
    const price = 'cancellation_price' in data ? data.cancellation_price : undefined;
    if (!can_cancel.includes('passenger')) {
      expect([can_cancel, price]).toEqual([[], undefined]);
      expect(await cancel(riding)).toEqual(FINISHED);
      return;
    }
    const answer = await cancel(riding);
    if (price === undefined) {
      expect(answer).toEqual(CANCELED);
      expect(await receiptOf(riding)).toEqual(failure(404, 'receipt_not_available'));
      return;
    }
    const { amount, currency, token, token_duration } = price;
    const extra = { amount, currency, token: expect.any(String), token_duration };
    expect(answer).toEqual(failure(400, 'cancel_confirmation_required', [], extra));
    const refused = answer.body as { token: string };
    isOfTheRide = !isOfTheRide;
    expect(await cancel(riding, isOfTheRide ? token : refused.token)).toEqual(CANCELED);
    expect((await receiptOf(riding)).body).toMatchObject({
      line_items: [{ type: 'Cancellation fee', amount, currency }, {}, {}],
      charges: [{ currency }],
    });
  }

  /** Advances to `ms` milliseconds after the ride gets a status; a negative `ms` stops before it. */
  const near =
    (status: RideStatus, from: RideStatus, ms: number): Come =>
    async (riding) => {
      if (from !== 'pending') await advanceUntil(server, riding, from);
      const next = await dueInWorld(server.store.db, riding.world.id, Number.MAX_SAFE_INTEGER);
      await server.advance(riding.world, next!.dueAt - (await timeIn(server, riding.world)) + ms);
      expect((await storedRide(server, riding.world, riding.rideId)).status).toBe(ms < 0 ? from : status);
    };
  const afterGrace =
    (ms: number): Come =>
    async (riding) => {
      await advanceUntil(server, riding, 'accepted');
      await server.advance(riding.world, GRACE_MS + ms);
    };
  const onTheWay =
    (share: number): Come =>
    async (riding) => {
      const { plan } = await advanceUntil(server, riding, 'pickedUp');
      await server.advance(riding.world, Math.floor((plan!.trip.endsAt - plan!.trip.startsAt) * share));
    };
  const WAY = ['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff'] as const;
  const moments: [string, Come][] = [
    ['at the request', async () => undefined],
    ...WAY.slice(1).flatMap((to, i) =>
      [-1, 0, 1].map((ms): [string, Come] => [`${ms} ms after it is ${to}`, near(to, WAY[i]!, ms)]),
    ),
    ...[-1, 0, 1].map((ms): [string, Come] => [`${ms} ms after the grace time`, afterGrace(ms)]),
    ...[0.1, 0.5, 0.9].map((share): [string, Come] => [`${share} of the way`, onTheWay(share)]),
  ];

  test.each(moments)('canceling costs what the ride shows: %s', async (_, come) => {
    const riding = await startRiding(server);
    await come(riding);
    await agreesWithItself(riding);
  });
});
