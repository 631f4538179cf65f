import { describe, expect, test } from 'vitest';
import { CITIES, DISPLAY_NAMES, SAN_FRANCISCO } from '../support/cities.ts';
import { engines } from '../support/database.ts';
import { testServer } from '../support/started.ts';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  const rideTypesAt = async (place: { lat: number; lng: number }) => {
    const token = await server.newToken({ world: await server.newWorld() });
    const { data } = await server.client({ token }).listRideTypes({ params: { query: place } });
    return data!.ride_types;
  };

  test.each(CITIES)('$name lists $rideTypes, cheapest first, in $currency', async ({ center, rideTypes, currency }) => {
    const listed = await rideTypesAt(center);
    expect(listed.map(({ ride_type }) => ride_type)).toEqual(rideTypes);
    expect(listed.map(({ display_name }) => display_name)).toEqual(rideTypes.map((type) => DISPLAY_NAMES[type]));
    for (const { pricing_details, seats } of listed) {
      const { currency: listedCurrency, ...amounts } = pricing_details;
      expect(listedCurrency).toBe(currency);
      expect(Object.values(amounts)).toSatisfy((all: number[]) =>
        all.every((amount) => Number.isInteger(amount) && amount > 0),
      );
      expect(seats).toBeGreaterThan(1);
    }
  });

  test('a ride type has seats, a picture and its price list', async () => {
    const standard = (await rideTypesAt(SAN_FRANCISCO.center)).find(({ ride_type }) => ride_type === 'svc')!;
    expect(standard).toEqual({
      ride_type: 'svc',
      display_name: 'Standard',
      image_url: expect.stringMatching(/^http:\/\/localhost:8080\/.*svc/),
      seats: 4,
      pricing_details: {
        base_charge: 220,
        cost_per_mile: 115,
        cost_per_minute: 38,
        cost_minimum: 500,
        trust_and_service: expect.any(Number),
        cancel_penalty_amount: 500,
        currency: 'USD',
      },
    });
  });
});
