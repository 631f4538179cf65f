import { describe, expect, test } from 'vitest';
import { answerOf } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { viewOf } from '../support/passengers-view.ts';
import { ridingAt } from '../support/stages.ts';
import { testServer } from '../support/started.ts';
import { storedRide } from '../support/take-ride.ts';

// other tests cover concurrent and repeated requests, ratings and cancels: api/requestRide, api/rateRide, api/cancelRide
const TIMES = 50;

/** Makes TIMES calls at once. @returns their responses */
function atOnce(call: (index: number) => Promise<{ status: number; body: unknown }>) {
  return Promise.all(Array.from({ length: TIMES }, (_, index) => call(index)));
}

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 1000 });

  test('each of fifty destination changes at once succeeds, and the ride keeps one of them', async () => {
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

  test('a cancel among other writes ends the ride, and nothing changes it afterwards', async () => {
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
