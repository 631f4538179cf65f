import { describe, expect, test } from 'vitest';
import { HOUR_MS, SECOND_MS } from '../../server/domain/time.ts';
import { CITIES, DISPLAY_NAMES } from '../support/cities.ts';
import { engines } from '../support/database.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { fleetThatRests } from '../support/resting-fleet.ts';
import { secondsOf } from '../support/seconds-of.ts';
import { startTestServer } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, startRiding } from '../support/take-ride.ts';

/** In the San Joaquin valley, 160 miles from San Francisco. */
const FRESNO = { lat: 36.7378, lng: -119.7871 };
const boundFor = ({ lat, lng }: typeof FRESNO) => ({ destination_lat: lat, destination_lng: lng });

describe.each(engines)('on %s', (engine) => {
  const fleet = fleetThatRests();
  const server = testServer(engine, { fleetOf: fleet.fleetOf });

  const clientApi = async () => server.client({ token: await server.newToken({ world: await server.newWorld() }) });

  test.each(CITIES)('$name has an estimate for each of $rideTypes', async ({ center, rideTypes }) => {
    const { data } = await (await clientApi()).estimateEta({ params: { query: center } });
    const estimates = data!.eta_estimates;
    expect(estimates.map(({ ride_type }) => ride_type)).toEqual(rideTypes);
    for (const { ride_type, display_name } of estimates) expect(display_name).toBe(DISPLAY_NAMES[ride_type]);
    for (const seconds of estimates.map(secondsOf)) if (seconds !== null) expect(seconds).toBeGreaterThan(0);
    expect(secondsOf(estimates.find(({ ride_type }) => ride_type === 'svc'))).toBeLessThan(15 * 60);
  });

  test('where no driver is free, the time is null and the estimate is valid', async () => {
    const api = await clientApi();
    const { data } = await fleet.whileItRests(() =>
      api.estimateEta({ params: { query: { ...FERRY_BUILDING, ride_type: 'svc' } } }),
    );
    expect(data!.eta_estimates).toEqual([
      { ride_type: 'svc', display_name: 'Standard', eta_seconds: null, is_valid_estimate: true },
    ]);
  });

  test('a destination within reach does not change the estimate', async () => {
    const api = await clientApi();
    const alone = await api.estimateEta({ params: { query: FERRY_BUILDING } });
    const query = { ...FERRY_BUILDING, ...boundFor(DOLORES_PARK) };
    expect((await api.estimateEta({ params: { query } })).data).toEqual(alone.data);
  });

  test('for a destination more than 100 miles away, the estimate is not valid', async () => {
    const query = { ...FERRY_BUILDING, ...boundFor(FRESNO), ride_type: 'svc' };
    const { data } = await (await clientApi()).estimateEta({ params: { query } });
    expect(data!.eta_estimates).toEqual([
      { ride_type: 'svc', display_name: 'Standard', eta_seconds: null, is_valid_estimate: false },
    ]);
  });

  test('a driver who is requested right away arrives at about the estimated time', async () => {
    const world = await server.newWorld();
    const { data } = await server
      .client({ token: await server.newToken({ world }) })
      .estimateEta({ params: { query: { ...FERRY_BUILDING, ride_type: 'svc' } } });
    const { plan } = await advanceUntil(server, await startRiding(server, { world }), 'accepted');
    const drivenSeconds = (plan!.toPickup.endsAt - plan!.toPickup.startsAt) / SECOND_MS;
    expect(Math.abs(drivenSeconds - secondsOf(data!.eta_estimates[0])!)).toBeLessThan(60);
  });
});

test('at every place and hour, a time is valid and positive, and every ride type has one estimate', async () => {
  const fleet = fleetThatRests();
  const server = await startTestServer('sqlite', { fleetOf: fleet.fleetOf });
  const world = await server.newWorld();
  const api = server.client({ token: await server.newToken({ world }) });
  const seen = new Set<string>();
  const lookEverywhere = async () => {
    for (const place of CITIES.flatMap(placesBetween)) {
      for (const destination of [{}, { destination_lat: FRESNO.lat, destination_lng: place.lng }]) {
        const { data } = await api.estimateEta({ params: { query: { ...place, ...destination } } });
        const estimates = data?.eta_estimates ?? [];
        expect(new Set(estimates.map(({ ride_type }) => ride_type)).size).toBe(estimates.length);
        for (const { eta_seconds, is_valid_estimate } of estimates) {
          if (eta_seconds !== null) expect(eta_seconds).toBeGreaterThan(0);
          seen.add(`${eta_seconds === null ? 'null' : 'a time'}, ${is_valid_estimate}`);
        }
      }
    }
  };
  for (let looks = 0; looks < 3; looks++) {
    await lookEverywhere();
    await server.advance(world, 59 * HOUR_MS);
  }
  await fleet.whileItRests(lookEverywhere);
  await server.close();
  expect([...seen].sort()).toEqual(['a time, true', 'null, false', 'null, true']);
});

/** Places from the center of a city to its edge, and one beyond the edge, which may be outside the area. */
function placesBetween({ center, edge }: (typeof CITIES)[number]) {
  return [0, 0.5, 1, 1.2].map((share) => ({
    lat: center.lat + share * (edge.lat - center.lat),
    lng: center.lng + share * (edge.lng - center.lng),
  }));
}
