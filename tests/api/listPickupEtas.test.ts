import { IANAZone } from 'luxon';
import { describe, expect, test } from 'vitest';
import { CITIES } from '../support/cities.ts';
import { engines } from '../support/database.ts';
import { FERRY_BUILDING, milesNorthOf } from '../support/places.ts';
import { secondsOf } from '../support/seconds-of.ts';
import { testServer } from '../support/started.ts';

/** A Friday in summer, noon in London. */
const AT = Date.UTC(2026, 6, 17, 11);

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  const newApi = async () =>
    server.client({ token: await server.newToken({ world: await server.newWorld({ at: AT }) }) });

  test.each(CITIES)('$name returns its time zone, and consistent times', async ({ center, timeZone }) => {
    const { data } = await (await newApi()).listPickupEtas({ params: { query: center } });
    expect(data!.timezone).toBe(timeZone);
    expect(IANAZone.isValidZone(data!.timezone)).toBe(true);
    const etas = data!.nearby_drivers_pickup_etas;
    expect(etas.length).toBeGreaterThan(1);
    for (const eta of etas) {
      const { duration_ms, range_ms } = eta.pickup_duration_range;
      for (const ms of [duration_ms, range_ms]) expect(ms).toSatisfy(Number.isInteger);
      expect(range_ms).toBeLessThan(duration_ms);
      // milliseconds of the world's clock, which is frozen
      expect(eta.pickup_time_range).toEqual({ timestamp_ms: AT + duration_ms, range_ms });
      expect(eta.nearby_drivers.length).toBeGreaterThan(0);
      for (const { locations } of eta.nearby_drivers) expect(locations).toHaveLength(5);
    }
  });

  test('the durations are those of estimateEta in milliseconds, and the cars are those of listDrivers', async () => {
    const api = await newApi();
    const query = { ...FERRY_BUILDING, ride_type: 'svc' };
    const [pickup] = (await api.listPickupEtas({ params: { query } })).data!.nearby_drivers_pickup_etas;
    const eta = await api.estimateEta({ params: { query } });
    expect(pickup!.pickup_duration_range.duration_ms).toBe(secondsOf(eta.data!.eta_estimates[0])! * 1000);
    const { data } = await api.listDrivers({ params: { query: FERRY_BUILDING } });
    expect(pickup!.nearby_drivers).toEqual(data!.nearby_drivers.find(({ ride_type }) => ride_type === 'svc')!.drivers);
  });

  test.each([
    [99.9, true],
    [100.1, false],
  ])('to a destination %f miles away, there are pickup times: %s', async (miles, wouldCome) => {
    const { lat, lng } = milesNorthOf(FERRY_BUILDING, miles);
    const api = await newApi();
    const alone = await api.listPickupEtas({ params: { query: FERRY_BUILDING } });
    const query = { ...FERRY_BUILDING, destination_lat: lat, destination_lng: lng };
    const { data } = await api.listPickupEtas({ params: { query } });
    expect(data).toEqual({ ...alone.data, ...(!wouldCome && { nearby_drivers_pickup_etas: [] }) });
  });
});
