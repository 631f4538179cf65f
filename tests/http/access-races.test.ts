import { describe, expect, test } from 'vitest';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { viewOf } from '../support/passengers-view.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { sharedServer } from '../support/shared-server.ts';
import { ridingAt } from '../support/stages.ts';
import { feeOf, storedRide } from '../support/take-ride.ts';

const TIMES = 50;
const BODY = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };

/** So many calls at once. @returns their answers, the lowest status first */
async function atOnce(call: (index: number) => Promise<{ status: number; body: unknown }>) {
  const answers = await Promise.all(Array.from({ length: TIMES }, (_, index) => call(index)));
  return answers.sort((a, b) => a.status - b.status);
}

/** One of them did it, and all others heard why they could not. */
const oneAnd = (winner: unknown, loser: unknown) => [winner, ...Array(TIMES - 1).fill(loser)];

describe.each(engines)('on %s, of fifty at once', (engine) => {
  const server = sharedServer(engine, { rateLimitMultiplier: 1000 });

  test('one request gives a ride, and it is alone in the history', async () => {
    const rider = await server.newRider(await server.newWorld());
    const answers = await atOnce(async () => answerOf(await rider.api.requestRide({ body: BODY })));
    const created = { status: 201, body: expect.objectContaining({ status: 'pending' }) };
    expect(answers).toEqual(oneAnd(created, failure(409, 'user_already_in_ride')));
    const { ride_id } = answers[0]!.body as { ride_id: string };
    const params = { path: { ride_id } };
    await rider.api.cancelRide({ params });
    const { history } = await viewOf({ api: rider.api, params });
    expect(history.body.ride_history).toEqual([expect.objectContaining({ ride_id })]);
  });

  test('one rating counts, with the tip that came with it', async () => {
    const riding = await ridingAt(server, 'droppedOff');
    const { api, params } = riding;
    const bodyOf = (index: number) => ({ rating: 1 + (index % 5), tip: { amount: 100 + index, currency: 'USD' } });
    const accepted: number[] = [];
    const answers = await atOnce(async (index) => {
      const answer = answerOf(await api.rateRide({ params, body: bodyOf(index) }));
      if (answer.status === 204) accepted.push(index);
      return answer;
    });
    const rated = { status: 204, body: undefined };
    expect(answers).toEqual(oneAnd(rated, failure(400, 'user_cannot_rate_this_ride')));
    await server.advance(riding.world, 60_000);
    const { ride, receipt } = await viewOf(riding);
    const { rating, tip } = bodyOf(accepted[0]!);
    expect(ride.body.rating).toBe(rating);
    const tips = receipt.body.line_items.filter(({ type }: { type: string }) => /tip/i.test(type));
    expect(tips).toEqual([expect.objectContaining({ amount: tip.amount })]);
    expect(receipt.body.charges).toEqual([expect.objectContaining({ amount: receipt.body.price.amount })]);
  });

  test('one cancel with one token counts, and one fee is charged', async () => {
    const riding = await ridingAt(server, 'accepted long ago');
    const body = { cancel_confirmation_token: (await feeOf(riding)).token };
    const answers = await atOnce(async () => answerOf(await riding.api.cancelRide({ params: riding.params, body })));
    expect(answers).toEqual(oneAnd({ status: 204, body: undefined }, failure(409, 'ride_is_finished')));
    const { receipt, history } = await viewOf(riding);
    expect(receipt.body.charges).toHaveLength(1);
    expect(history.body.ride_history).toHaveLength(1);
  });

  test('every change of the destination is made, and one is the last', async () => {
    const riding = await ridingAt(server, 'pickedUp');
    const placeOf = (index: number) => ({ lat: 37.76 + index / 10_000, lng: -122.42, address: `${index} Long Street` });
    const answers = await atOnce(async (index) =>
      answerOf(await riding.api.updateDestination({ params: riding.params, body: placeOf(index) })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(TIMES).fill(200));
    const { ride } = await viewOf(riding);
    expect(answers.map(({ body }) => body)).toContainEqual(
      expect.objectContaining(placeOf(parseInt(ride.body.destination.address, 10))),
    );
    const { version } = await storedRide(server, riding.world, riding.rideId);
    expect(version).toBeGreaterThan(TIMES);
  });

  test('a cancel among other writes ends the ride, and nothing changes it after', async () => {
    const riding = await ridingAt(server, 'accepted');
    const { api, params } = riding;
    const writes = [
      () => api.cancelRide({ params }),
      () => api.updateDestination({ params, body: { lat: 37.76, lng: -122.42 } }),
      () => api.rateRide({ params, body: { rating: 1 } }),
      () => api.getRide({ params }),
    ] as const;
    const answers = await atOnce(async (index) => answerOf(await writes[index % writes.length]!()));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 204, 400, 409]));
    const { ride } = await viewOf(riding);
    expect(ride.body).toMatchObject({ status: 'canceled', canceled_by: 'passenger' });
    expect(ride.body).not.toHaveProperty('rating');
  });
});
