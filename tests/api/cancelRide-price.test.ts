import { describe, expect, test } from 'vitest';
import type { RideStatus } from '../../server/domain/rides/ride.ts';
import { MINUTE_MS } from '../../server/domain/time.ts';
import { dueInWorld } from '../../server/store/timers.ts';
import { answerOf, failure } from '../support/answers.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, type Riding, startRiding, storedRide, timeIn } from '../support/take-ride.ts';

/** The grace time of San Francisco. */
const GRACE_MS = 2 * MINUTE_MS;
const CANCELED = { status: 204, body: undefined };

type Come = (riding: Riding) => Promise<unknown>;

// slow cars arrive after the grace time; fast cars finish the ride within it
describe.each([
  ['slow', 0.1],
  ['fast', 60],
])('while cars are %s', (_, simulationSpeed) => {
  const server = testServer('sqlite', { simulationSpeed, rateLimitMultiplier: 20 });

  const cancel = async ({ api, params }: Riding, token?: string) => {
    const body = token === undefined ? {} : { body: { cancel_confirmation_token: token } };
    return answerOf(await api.cancelRide({ params, ...body }));
  };
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
      expect(await cancel(riding)).toEqual(failure(409, 'ride_is_finished'));
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
  const steps: [from: RideStatus, to: RideStatus][] = [
    ['pending', 'accepted'],
    ['accepted', 'arrived'],
    ['arrived', 'pickedUp'],
    ['pickedUp', 'droppedOff'],
  ];
  const moments: [string, Come][] = [
    ['at the request', async () => undefined],
    ...steps.flatMap(([from, to]) =>
      [-1, 0, 1].map((ms): [string, Come] => [`${ms} ms after it is ${to}`, near(to, from, ms)]),
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
