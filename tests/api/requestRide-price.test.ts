import { describe, expect, test } from 'vitest';
import type { RideRequest } from '../../generated/types.ts';
import { MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { FERRY_BUILDING, PACIFIC_OCEAN, tripBetween } from '../support/places.ts';
import { PRIME_TIME_HOURS } from '../support/prime-time.ts';
import { fleetThatRests } from '../support/resting-fleet.ts';
import type { Rider, TestServer } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, ridingOf } from '../support/take-ride.ts';
import { tampered } from '../support/tampered.ts';

/** Friday, 23:30 in San Francisco: Prime Time at 75%. */
const FRIDAY_NIGHT = Date.UTC(2026, 4, 16, 6, 30);
/** Tuesday, 16:59:30 in San Francisco: half a minute before Prime Time begins. */
const BEFORE_RUSH_HOUR = Date.UTC(2026, 4, 12, 23, 59, 30);
/** Tuesday, 18:59:30 in San Francisco: half a minute before Prime Time ends. */
const END_OF_RUSH_HOUR = Date.UTC(2026, 4, 13, 1, 59, 30);
const INVALID = failure(400, 'invalid_primetime_confirmation');
const OLD_TOKEN_LINK = '<http://localhost:8080/docs#section/Versions>; rel="deprecation"; type="text/html"';
/** The prices of svc in San Francisco, in cents. */
const SVC = { base: 220, perMile: 115, perMinute: 38 };
const TWO_BLOCKS_ON = { lat: FERRY_BUILDING.lat - 0.0018, lng: FERRY_BUILDING.lng };

type Api = Pick<Rider, 'api'>;

const request = async ({ api }: Api, change: Partial<RideRequest> = {}) =>
  answerOf(await api.requestRide({ body: { ...ACROSS_TOWN, ...change } }));

/** The price that a request asks the passenger to confirm. Throws outside Prime Time. */
async function offerOf({ api }: Api, change: Partial<RideRequest> = {}) {
  const { error } = await api.requestRide({ body: { ...ACROSS_TOWN, ...change } });
  if (error?.error !== 'primetime_confirmation_required')
    throw new Error(`requestRide did not ask to confirm Prime Time: ${JSON.stringify(error)}`);
  return error;
}

const FROM_THE_FERRY = { start_lat: FERRY_BUILDING.lat, start_lng: FERRY_BUILDING.lng };

async function estimateOf({ api }: Api, trip: Partial<ReturnType<typeof tripBetween>> = tripBetween()) {
  const query = { ...FROM_THE_FERRY, ...trip, ride_type: 'svc' };
  const { data } = await api.estimateCost({ params: { query } });
  const [estimate] = data!.cost_estimates;
  return { ...estimate!, cost_token: estimate!.cost_token! };
}

const NO_DESTINATION = { destination: undefined };
const estimatedToken = async (rider: Api) => (await estimateOf(rider, {})).cost_token;
const offeredToken = async (rider: Api) => (await offerOf(rider, NO_DESTINATION)).cost_token;

describe.each(engines)('on %s', (engine) => {
  const { fleetOf, whileItRests } = fleetThatRests();
  const server = testServer(engine, { fleetOf });

  async function newRiderAt(at: number) {
    const world = await server.newWorld({ at, settings: PRIME_TIME_HOURS });
    return { world, ...(await server.newRider(world)) };
  }

  /** Requests a ride with a token and takes it to its end. @returns the receipt */
  async function paidWith(rider: Awaited<ReturnType<typeof newRiderAt>>, token: string, change = {}) {
    const { data, error } = await rider.api.requestRide({ body: { ...ACROSS_TOWN, cost_token: token, ...change } });
    if (data === undefined) throw new Error(`requestRide failed: ${JSON.stringify(error)}`);
    const riding = ridingOf(rider, rider.world, data.ride_id);
    await advanceUntil(server, riding, 'droppedOff');
    await rider.api.rateRide({ params: riding.params, body: { rating: 5 } });
    await server.advance(rider.world, 6 * SECOND_MS);
    const ride = await rider.api.getRide({ params: riding.params });
    const receipt = await rider.api.getReceipt({ params: riding.params });
    if (ride.data?.status !== 'droppedOff') throw new Error('The ride did not reach droppedOff.');
    return { ride: ride.data, receipt: receipt.data! };
  }

  describe('Prime Time', () => {
    test('is accepted with the deprecated token too, and the response says that it is deprecated', async () => {
      const rider = await newRiderAt(FRIDAY_NIGHT);
      const { cost_token, primetime_confirmation_token } = await offerOf(rider);
      expect(primetime_confirmation_token).toBe(cost_token);
      const { response } = await rider.api.requestRide({ body: { ...ACROSS_TOWN, primetime_confirmation_token } });
      expect(response.status).toBe(201);
      expect(response.headers.get('deprecation')).toBe('@1767225600');
      expect(response.headers.get('link')).toBe(OLD_TOKEN_LINK);
    });

    test('is accepted by cost_token if both tokens are sent', async () => {
      const rider = await newRiderAt(FRIDAY_NIGHT);
      const { cost_token } = await offerOf(rider);
      const refused = await request(rider, { cost_token: 'garbage', primetime_confirmation_token: cost_token });
      expect(refused).toEqual(INVALID);
      const body = { ...ACROSS_TOWN, cost_token, primetime_confirmation_token: 'garbage' };
      // a conflict says that the token is deprecated, too
      for (const status of [201, 409]) {
        const { response } = await rider.api.requestRide({ body });
        expect([response.status, response.headers.get('deprecation')]).toEqual([status, '@1767225600']);
      }
    });

    test.each<[string, Partial<RideRequest>, Parameters<TestServer['newRider']>[1]]>([
      ['invalid_primetime_confirmation', {}, {}],
      ['bad_parameter', { origin: { lat: 91, lng: 0 } }, {}],
      ['bad_parameter', { primetime_confirmation_token: 'x'.repeat(2001) }, {}],
      ['no_service_in_area', { origin: PACIFIC_OCEAN }, {}],
      ['account_disabled', {}, { accountDisabled: true }],
    ])('a refusal with %s also says that the token is deprecated', async (code, change, traits) => {
      const { api } = await server.newRider(await server.newWorld({ at: FRIDAY_NIGHT }), traits);
      const body = { ...ACROSS_TOWN, primetime_confirmation_token: 'garbage', ...change };
      const { error, response } = await api.requestRide({ body });
      expect(error!.error).toBe(code);
      expect(response.headers.get('deprecation')).toBe('@1767225600');
      expect(response.headers.get('link')).toBe(OLD_TOKEN_LINK);
    });
  });

  describe('a token', () => {
    test('is valid for sixty seconds', async () => {
      const rider = await newRiderAt(FRIDAY_NIGHT);
      const { cost_token } = await offerOf(rider);
      await server.advance(rider.world, MINUTE_MS);
      expect(await request(rider, { cost_token })).toEqual(INVALID);
      const fresh = await offerOf(rider);
      await server.advance(rider.world, MINUTE_MS - 1);
      expect((await request(rider, { cost_token: fresh.cost_token })).status).toBe(201);
    });

    test('is not used up by a request that is refused', async () => {
      const rider = await newRiderAt(FRIDAY_NIGHT);
      const { cost_token } = await offerOf(rider);
      const refused = await whileItRests(() => request(rider, { cost_token }));
      expect(refused).toEqual(failure(409, 'no_drivers_available'));
      expect((await request(rider, { cost_token })).status).toBe(201);
    });

    test.each<[string, (rider: Awaited<ReturnType<typeof newRiderAt>>) => Promise<Api>]>([
      ['passenger', ({ world }) => server.newRider(world)],
      ['application', (rider) => withAnotherApplication(rider)],
      ['world', async ({ passenger: { id } }) => server.newRider(await server.newWorld({ at: FRIDAY_NIGHT }), { id })],
    ])('is valid only for its own %s', async (_, otherThan) => {
      const rider = await newRiderAt(FRIDAY_NIGHT);
      const { cost_token } = await offerOf(rider);
      expect(await request(await otherThan(rider), { cost_token })).toEqual(INVALID);
      expect((await request(rider, { cost_token })).status).toBe(201);
    });

    async function withAnotherApplication({ world, passenger }: Awaited<ReturnType<typeof newRiderAt>>): Promise<Api> {
      const token = await server.newToken({ world, passenger, applicationId: 'another' });
      return { api: server.client({ token }) };
    }

    test('that is malformed or was tampered with is refused, even outside Prime Time', async () => {
      const rider = await newRiderAt(END_OF_RUSH_HOUR + MINUTE_MS);
      const { cost_token } = await estimateOf(rider);
      const forged = ['garbage', tampered(cost_token), cost_token.slice(4)];
      for (const token of forged) expect(await request(rider, { cost_token: token })).toEqual(INVALID);
      expect((await request(rider, { cost_token })).status).toBe(201);
    });
  });

  describe('a cost_token of estimateCost', () => {
    test('fixes the fare even if the ride begins two blocks away', async () => {
      const rider = await newRiderAt(FRIDAY_NIGHT);
      const estimate = await estimateOf(rider);
      const miles = estimate.estimated_distance_miles!;
      const seconds = estimate.estimated_duration_seconds!;
      const without = SVC.base + Math.round(SVC.perMile * miles) + Math.round((SVC.perMinute * seconds) / 60);
      const { ride, receipt } = await paidWith(rider, estimate.cost_token, { origin: TWO_BLOCKS_ON });
      expect(ride.primetime_percentage).toBe('75%');
      expect(ride.distance_miles).not.toBe(miles);
      expect(receipt.line_items.slice(0, 2)).toEqual([
        { type: 'Ride fare', amount: without, currency: 'USD' },
        { type: 'Prime Time', amount: Math.round(0.75 * without), currency: 'USD' },
      ]);
      expect(receipt.price.amount).toBeGreaterThanOrEqual(estimate.estimated_cost_cents_min!);
      expect(receipt.price.amount).toBeLessThanOrEqual(estimate.estimated_cost_cents_max!);
    });

    test('keeps its price if Prime Time has begun in the meantime', async () => {
      const rider = await newRiderAt(BEFORE_RUSH_HOUR);
      const estimate = await estimateOf(rider);
      expect(estimate.primetime_percentage).toBe('0%');
      await server.advance(rider.world, 40 * SECOND_MS);
      expect((await estimateOf(rider)).primetime_percentage).toBe('25%');
      expect(await request(rider)).toMatchObject({ body: { error: 'primetime_confirmation_required' } });
      const { ride, receipt } = await paidWith(rider, estimate.cost_token);
      expect(ride.primetime_percentage).toBe('0%');
      expect(receipt.line_items.map(({ type }) => type)).not.toContain('Prime Time');
      expect(receipt.price.amount).toBeLessThanOrEqual(estimate.estimated_cost_cents_max!);
    });
  });

  test.each<[string, (rider: Api) => Promise<string>, Partial<RideRequest>]>([
    ['of estimateCost without an end', estimatedToken, {}],
    ['of estimateCost without an end', estimatedToken, NO_DESTINATION],
    ['of a request without a destination', offeredToken, NO_DESTINATION],
  ])('a cost_token %s agrees to Prime Time, and the fare of a ride is for the distance driven', async (...row) => {
    const [, tokenOf, change] = row;
    const rider = await newRiderAt(FRIDAY_NIGHT);
    const { ride, receipt } = await paidWith(rider, await tokenOf(rider), change);
    const amountOf = (wanted: string) => receipt.line_items.find(({ type }) => type === wanted)!.amount;
    const distance = Math.round(SVC.perMile * ride.distance_miles);
    expect(ride.primetime_percentage).toBe('75%');
    expect([amountOf('Base fare'), amountOf('Distance')]).toEqual([SVC.base, distance]);
    expect(amountOf('Prime Time')).toBe(Math.round(0.75 * (SVC.base + distance + amountOf('Time'))));
  });
});
