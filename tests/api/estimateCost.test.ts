import { describe, expect, test } from 'vitest';
import { milesBetween } from '../../server/domain/geo.ts';
import { CITIES, DISPLAY_NAMES, SAN_FRANCISCO } from '../support/cities.ts';
import { engines } from '../support/database.ts';
import { milesNorthOf, tripBetween } from '../support/places.ts';
import { PRIME_TIME_HOURS } from '../support/prime-time.ts';
import type { Rider } from '../support/server.ts';
import { testServer } from '../support/started.ts';

/** A Tuesday, 17:30 in San Francisco: Prime Time. */
const RUSH_HOUR = Date.UTC(2026, 4, 13, 0, 30);
const TOKEN = expect.stringMatching(/^\d+\.[\w-]{100,}$/);

const ACROSS_TOWN = { ...tripBetween(), ride_type: 'svc' };

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  const quoteOf = async (
    { api }: Pick<Rider, 'api'>,
    query: Parameters<Rider['api']['estimateCost']>[0]['params']['query'],
  ) => {
    const { data, error } = await api.estimateCost({ params: { query } });
    expect(error).toBeUndefined();
    return data!.cost_estimates;
  };

  test.each(CITIES)('$name prices each of $rideTypes in $currency', async ({ center, edge, rideTypes, currency }) => {
    const rider = await server.newRider(await server.newWorld());
    const estimates = await quoteOf(rider, tripBetween(center, edge));
    expect(estimates.map(({ ride_type }) => ride_type)).toEqual(rideTypes);
    for (const estimate of estimates) {
      expect(estimate.currency).toBe(currency);
      expect(estimate.is_valid_estimate).toBe(true);
      expect(estimate.estimated_cost_cents_max).toBeGreaterThan(estimate.estimated_cost_cents_min!);
      expect(estimate.estimated_cost_cents_min).toBeGreaterThan(0);
      for (const whole of ['cost_cents_min', 'cost_cents_max', 'duration_seconds'] as const) {
        expect(estimate[`estimated_${whole}`]).toSatisfy(Number.isInteger);
      }
      expect(estimate.estimated_distance_miles).toBeGreaterThan(milesBetween(center, edge) * 0.99);
      expect(estimate.estimated_duration_seconds).toBeGreaterThan(0);
    }
  });

  test('a user token gets a cost token, under its old name too, and other tokens get none', async () => {
    const world = await server.newWorld();
    const [estimate] = await quoteOf(await server.newRider(world), ACROSS_TOWN);
    expect(estimate).toMatchObject({ cost_token: TOKEN, primetime_confirmation_token: estimate!.cost_token });
    const api = server.client({ token: await server.newToken({ world }) });
    const [anonymous] = await quoteOf({ api }, ACROSS_TOWN);
    expect(anonymous).toEqual({ ...estimate, cost_token: null, primetime_confirmation_token: null });
  });

  test('a user token sees Prime Time in the percentage and the price, and a client token does not', async () => {
    const world = await server.newWorld({ at: RUSH_HOUR, settings: PRIME_TIME_HOURS });
    const api = server.client({ token: await server.newToken({ world }) });
    const [shown] = await quoteOf(await server.newRider(world), ACROSS_TOWN);
    const [plain] = await quoteOf({ api }, ACROSS_TOWN);
    expect(shown!.primetime_percentage).toBe('25%');
    expect(plain).toMatchObject({ primetime_percentage: '0%', cost_token: null });
    expect(shown!.estimated_cost_cents_min! / plain!.estimated_cost_cents_min!).toBeCloseTo(1.2, 1);
    expect(shown!.estimated_cost_cents_max! / plain!.estimated_cost_cents_max!).toBeCloseTo(1.2, 1);
  });

  test('without an end, only Prime Time is returned, and with a user token, a token for each ride type', async () => {
    const world = await server.newWorld({ at: RUSH_HOUR, settings: PRIME_TIME_HOURS });
    const { lat, lng } = SAN_FRANCISCO.center;
    const here = { start_lat: lat, start_lng: lng };
    const toldAs = (primetime_percentage: string, cost_token: unknown) =>
      SAN_FRANCISCO.rideTypes.map((ride_type) => ({
        ride_type,
        display_name: DISPLAY_NAMES[ride_type],
        currency: 'USD',
        primetime_percentage,
        cost_token,
        is_valid_estimate: true,
      }));
    const shown = await quoteOf(await server.newRider(world), here);
    expect(shown).toEqual(toldAs('25%', TOKEN));
    expect(new Set(shown.map(({ cost_token }) => cost_token)).size).toBe(shown.length);
    const api = server.client({ token: await server.newToken({ world }) });
    expect(await quoteOf({ api }, here)).toEqual(toldAs('0%', null));
  });

  test('a trip of more than 100 miles is not priced', async () => {
    const rider = await server.newRider(await server.newWorld());
    const { center, rideTypes } = SAN_FRANCISCO;
    const quoteFor = (miles: number) => quoteOf(rider, tripBetween(center, milesNorthOf(center, miles)));
    for (const estimate of await quoteFor(99.9)) {
      expect(estimate).toMatchObject({ is_valid_estimate: true, cost_token: TOKEN });
      expect(estimate.estimated_cost_cents_min).toBeGreaterThan(0);
    }
    expect(await quoteFor(100.1)).toEqual(
      rideTypes.map((ride_type) => ({
        ride_type,
        display_name: DISPLAY_NAMES[ride_type],
        estimated_cost_cents_min: 0,
        estimated_cost_cents_max: 0,
        estimated_distance_miles: 0,
        estimated_duration_seconds: 0,
        currency: 'USD',
        primetime_percentage: '0%',
        primetime_confirmation_token: null,
        cost_token: null,
        is_valid_estimate: false,
      })),
    );
  });
});
