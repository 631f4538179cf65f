import { describe, expect, test } from 'vitest';
import type { RatingRequest } from '../../generated/types.ts';
import { DAY_MS, SECOND_MS } from '../../server/domain/time.ts';
import { answerOf, failure, rawAnswerOf } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { PACIFIC_OCEAN } from '../support/places.ts';
import { rawCall } from '../support/raw-call.ts';
import { ridingAt } from '../support/stages.ts';
import { testServer } from '../support/started.ts';
import { type Riding, requestRideOf, startRiding, storedRide } from '../support/take-ride.ts';

const RATED = { status: 204, body: undefined };
const CANNOT_RATE = failure(400, 'user_cannot_rate_this_ride');
const RODE_SINCE = {
  status: 400,
  body: {
    ...CANNOT_RATE.body,
    error_description: 'This ride cannot be rated. The passenger has taken another ride since.',
  },
};

const rate = async ({ api, params }: Riding, body: RatingRequest = { rating: 5 }) =>
  answerOf(await api.rateRide({ params, body }));

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 100 });

  /** A passenger who was just dropped off. */
  const rodeAlong = (change?: Parameters<typeof startRiding>[1]) => ridingAt(server, 'droppedOff', change);
  const stored = ({ world, rideId }: Riding) => storedRide(server, world, rideId);

  /** Sends a rating, and expects the ride to stay as it is. */
  async function failToRate(riding: Riding, body?: RatingRequest) {
    const before = await stored(riding);
    const answer = await rate(riding, body);
    expect(await stored(riding)).toEqual(before);
    return answer;
  }

  test('stars, feedback and a tip are stored with the ride; the response has no body', async () => {
    const riding = await rodeAlong();
    const { response } = await riding.api.rateRide({
      params: riding.params,
      body: { rating: 4, feedback: 'Gern wieder! 🚗', tip: { amount: 300, currency: 'USD' } },
    });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    const { data } = await riding.api.getRide({ params: riding.params });
    expect(data).toMatchObject({ status: 'droppedOff', rating: 4, feedback: 'Gern wieder! 🚗' });
    expect((await stored(riding)).rating!.tip).toEqual({ amount: 300, currency: 'USD' });
  });

  test.each<[string, RatingRequest]>([
    ['the fewest stars', { rating: 1 }],
    ['the most stars', { rating: 5 }],
    ['empty feedback', { rating: 5, feedback: '' }],
    ['2,000 characters of two UTF-16 units each', { rating: 5, feedback: '🚗'.repeat(2000) }],
    ['text with line breaks and quotes', { rating: 5, feedback: 'Wow:\n"great" \\ <b>5</b>' }],
  ])('a rating can have %s, and is stored unchanged', async (_, body) => {
    const riding = await rodeAlong();
    expect(await rate(riding, body)).toEqual(RATED);
    const { rating: stars, feedback = null } = body;
    expect((await stored(riding)).rating).toMatchObject({ stars, feedback, tip: null });
    const { data } = await riding.api.getRide({ params: riding.params });
    expect(data).toMatchObject({ status: 'droppedOff', ...body });
    expect('feedback' in data!).toBe('feedback' in body);
  });

  test('a second rating is refused, and the first one stands', async () => {
    const riding = await rodeAlong();
    await rate(riding, { rating: 4 });
    expect(await failToRate(riding, { rating: 1 })).toEqual(CANNOT_RATE);
    await server.advance(riding.world, 10 * SECOND_MS);
    expect(await failToRate(riding, { rating: 1 })).toEqual(CANNOT_RATE);
    expect((await stored(riding)).rating!.stars).toBe(4);
  });

  describe('the time limit', () => {
    test.each<[string, (riding: Riding) => Promise<unknown>, object]>([
      ['allows a rating until 24 hours after the drop-off', ({ world }) => server.advance(world, DAY_MS - 1), RATED],
      ['refuses a rating at 24 hours', ({ world }) => server.advance(world, DAY_MS), CANNOT_RATE],
      ['refuses a rating after 24 hours, even without a payment', (riding) => aDayWithoutPayment(riding), CANNOT_RATE],
      ['refuses a rating after the next request', (riding) => requestRideOf(riding), RODE_SINCE],
      ['refuses a rating even if the next ride was canceled', (riding) => requestAndCancel(riding), RODE_SINCE],
      [
        'refuses a rating even if another application requested the next ride',
        async (riding) => requestRideOf(await elsewhere(riding)),
        RODE_SINCE,
      ],
      ['allows a rating after a refused request', (riding) => requestInVain(riding), RATED],
      ["allows a rating after another passenger's request", ({ world }) => startRiding(server, { world }), RATED],
    ])('%s', async (_, happens, answer) => {
      const riding = await rodeAlong();
      await happens(riding);
      const rateNow = answer === RATED ? rate : failToRate;
      expect(await rateNow(riding)).toEqual(answer);
    });

    async function aDayWithoutPayment(riding: Riding): Promise<void> {
      await server.store.db.deleteFrom('timers').where('worldId', '=', riding.world.id).execute();
      await server.advance(riding.world, DAY_MS);
      expect((await stored(riding)).payment).toBeNull();
    }

    async function requestAndCancel(riding: Riding): Promise<void> {
      const rideId = await requestRideOf(riding);
      await riding.api.cancelRide({ params: { path: { ride_id: rideId } } });
    }

    async function requestInVain({ api }: Riding): Promise<void> {
      const { error } = await api.requestRide({ body: { origin: PACIFIC_OCEAN, ride_type: 'svc' } });
      expect(error!.error).toBe('no_service_in_area');
    }
  });

  /** The same passenger in another application. */
  async function elsewhere(riding: Riding): Promise<Riding> {
    const token = await server.newToken({ ...riding, applicationId: 'another', scopes: ['rides.request'] });
    return { ...riding, api: server.client({ token }) };
  }

  test('a tip can be twice the fare after an expensive ride', async () => {
    // down the peninsula, in a car for six
    const riding = await rodeAlong({ destination: { lat: 37.5841, lng: -122.366 }, ride_type: 'svc_plus' });
    const { distanceMiles, durationSeconds } = await stored(riding);
    const most = 2 * (380 + Math.round(210 * distanceMiles!) + Math.round((60 * durationSeconds!) / 60));
    expect(most).toBeGreaterThan(5000);
    const tooLarge = failure(400, 'tip_too_large', [{ 'tip.amount': `must be at most ${most}` }]);
    expect(await failToRate(riding, { rating: 5, tip: { amount: most + 1, currency: 'USD' } })).toEqual(tooLarge);
    expect(await rate(riding, { rating: 5, tip: { amount: most, currency: 'USD' } })).toEqual(RATED);
  });

  test('a tip of any larger amount is too large, but not malformed', async () => {
    const { params, token } = await ridingAt(server, 'droppedOff');
    // as text, because a JavaScript number has only 53 bits of precision
    for (const amount of [
      ...['5001', '2147483647', '2147483648', '4294967296', '9007199254740991', '9007199254740993'],
      ...['1e18', '9223372036854775807', '9223372036854775808', '18446744073709551616', '1e300'],
    ]) {
      const body = `{"rating": 5, "tip": {"amount": ${amount}, "currency": "USD"}}`;
      const answer = await rawAnswerOf(await rawCall(server.baseUrl, 'rateRide', { token, path: params.path, body }));
      expect(answer).toEqual(failure(400, 'tip_too_large', [{ 'tip.amount': 'must be at most 5000' }]));
    }
  });

  test('of fifty concurrent ratings, one counts, and its tip is charged', async () => {
    const riding = await ridingAt(server, 'droppedOff');
    const tips = Array.from({ length: 50 }, (_, i) => ({ amount: 100 + i, currency: 'USD' }));
    const answers = await Promise.all(tips.map((tip) => rate(riding, { rating: 5, tip })));
    const [winner, ...others] = tips.filter((_, i) => answers[i]!.status === 204);
    expect(others).toEqual([]);
    expect(answers.filter(({ status }) => status === 400)).toEqual(Array(49).fill(CANNOT_RATE));
    await server.advance(riding.world, 5 * SECOND_MS);
    const { data } = await riding.api.getReceipt({ params: riding.params });
    expect(data!.line_items.filter(({ type }) => type === 'Tip')).toEqual([{ type: 'Tip', ...winner }]);
  });
});
