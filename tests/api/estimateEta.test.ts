import { describe, expect, test } from 'vitest';
import type { Point } from '../../server/domain/geo.ts';
import { HOUR_MS, SECOND_MS } from '../../server/domain/time.ts';
import { CITIES } from '../support/cities.ts';
import { engines } from '../support/database.ts';
import { DOLORES_PARK, FERRY_BUILDING, milesNorthOf } from '../support/places.ts';
import { fleetThatRests } from '../support/resting-fleet.ts';
import { secondsOf } from '../support/seconds-of.ts';
import { startTestServer } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, startRiding } from '../support/take-ride.ts';

const boundFor = ({ lat, lng }: Point) => ({ destination_lat: lat, destination_lng: lng });

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  test('a destination within reach does not change the estimate', async () => {
    const api = server.client({ token: await server.newToken({ world: await server.newWorld() }) });
    const alone = await api.estimateEta({ params: { query: FERRY_BUILDING } });
    const query = { ...FERRY_BUILDING, ...boundFor(DOLORES_PARK) };
    expect((await api.estimateEta({ params: { query } })).data).toEqual(alone.data);
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

test('at every place and hour, each ride type has one estimate: null without a driver, and invalid if it is too far', async () => {
  const fleet = fleetThatRests();
  const server = await startTestServer('sqlite', { fleetOf: fleet.fleetOf });
  const world = await server.newWorld();
  const api = server.client({ token: await server.newToken({ world }) });
  const seen = new Set<string>();
  const lookEverywhere = async (cars: 'on duty' | 'resting') => {
    for (const place of CITIES.flatMap(placesBetween)) {
      for (const isFar of [false, true]) {
        const destination = isFar ? boundFor(milesNorthOf(place, 101)) : {};
        const { data } = await api.estimateEta({ params: { query: { ...place, ...destination } } });
        const estimates = data?.eta_estimates ?? [];
        expect(new Set(estimates.map(({ ride_type }) => ride_type)).size).toBe(estimates.length);
        for (const { eta_seconds, is_valid_estimate } of estimates) {
          if (eta_seconds !== null) expect(eta_seconds).toBeGreaterThan(0);
          const told = `${eta_seconds === null ? 'null' : 'a time'}, ${is_valid_estimate}`;
          seen.add(`${isFar ? 'too far' : cars}: ${told}`);
        }
      }
    }
  };
  for (let looks = 0; looks < 3; looks++) {
    await lookEverywhere('on duty');
    await server.advance(world, 59 * HOUR_MS);
  }
  await fleet.whileItRests(() => lookEverywhere('resting'));
  await server.close();
  expect([...seen].sort()).toEqual(['on duty: a time, true', 'resting: null, true', 'too far: null, false']);
});

/** Places from the center of a city to its edge, and one beyond the edge, which may be outside the area. */
function placesBetween({ center, edge }: (typeof CITIES)[number]) {
  return [0, 0.5, 1, 1.2].map((share) => ({
    lat: center.lat + share * (edge.lat - center.lat),
    lng: center.lng + share * (edge.lng - center.lng),
  }));
}
