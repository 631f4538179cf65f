import { describe, expect, test } from 'vitest';
import type { RideRequest } from '../../generated/types.ts';
import { sanFrancisco } from '../../server/cities/san-francisco.ts';
import type { CostClaims } from '../../server/domain/pricing/cost-token.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { FERRY_BUILDING, milesNorthOf, northOf, tripBetween } from '../support/places.ts';
import type { Rider } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, startRiding } from '../support/take-ride.ts';

const SFO_TERMINALS = { lat: 37.6165, lng: -122.385 };

const request = async ({ api }: Pick<Rider, 'api'>, change: Partial<RideRequest> = {}) =>
  answerOf(await api.requestRide({ body: { ...ACROSS_TOWN, ...change } }));

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  test('a request with a used cost_token changes nothing, and the previous ride stays unpaid', async () => {
    const riding = await startRiding(server);
    await advanceUntil(server, riding, 'droppedOff');
    const query = { ...tripBetween(), ride_type: 'svc' };
    const { data } = await riding.api.estimateCost({ params: { query } });
    const cost_token = data!.cost_estimates[0]!.cost_token!;
    const { id } = (await server.parts.priceTokens.open('cost', cost_token)) as CostClaims;
    await server.store.db
      .updateTable('rides')
      .set({ costTokenId: id })
      .where('worldId', '=', riding.world.id)
      .execute();
    const before = await everythingStored(server.store);
    expect(await request(riding, { cost_token })).toEqual(failure(400, 'invalid_primetime_confirmation'));
    expect(await everythingStored(server.store)).toEqual(before);
  });
});

describe('a ride request', () => {
  const server = testServer('sqlite', { rateLimitMultiplier: 20 });
  const newRider = async () => server.newRider(await server.newWorld());

  test('of a passenger without a phone number is refused like one with an unverified number', async () => {
    const rider = await server.newRider(await server.newWorld(), { phoneNumber: null });
    expect(await request(rider)).toMatchObject({ status: 403, body: { error: 'verified_phone_required' } });
  });

  const drop = (destination: { lat: number; lng: number }) => ({ destination });
  // the boundary of the SFO terminals begins with its northern edge, which runs due east
  const [[west, north], [east]] = sanFrancisco.prohibitedDropOffs[0]!.boundary as [[number, number], [number, number]];
  const CORNER_OF_SFO = { lat: north, lng: west };
  const NORTH_EDGE_OF_SFO = { lat: north, lng: (west + east) / 2 };
  test.each<[string, Partial<RideRequest>, string | null]>([
    ['to a place 49 m north', drop(northOf(FERRY_BUILDING, 49)), 'client_error'],
    ['to a place 51 m north', drop(northOf(FERRY_BUILDING, 51)), null],
    ['over 99.9 miles', drop(milesNorthOf(FERRY_BUILDING, 99.9)), null],
    ['over 100.1 miles', drop(milesNorthOf(FERRY_BUILDING, 100.1)), 'bad_parameter'],
    ['to a corner of the SFO terminals', drop(CORNER_OF_SFO), 'destination_prohibited'],
    ['to a place a meter outside that edge', drop(northOf(NORTH_EDGE_OF_SFO, 1)), null],
    ['to a place a meter inside that edge', drop(northOf(NORTH_EDGE_OF_SFO, -1)), 'destination_prohibited'],
    ['from the SFO terminals', { origin: SFO_TERMINALS }, null],
    ['with an unknown ride type', { ride_type: 'hovercraft' }, 'ridetype_unavailable_in_region'],
  ])('%s', async (_, change, code) => {
    const { status, body } = await request(await newRider(), change);
    expect([status, (body as { error?: string }).error]).toEqual(code === null ? [201, undefined] : [400, code]);
  });
});
