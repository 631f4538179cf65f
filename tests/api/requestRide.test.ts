import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines } from '../support/database.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

describe.each(engines)('on %s', (engine) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(engine);
  });
  afterAll(() => server.close());

  test('a ride goes from request to receipt', async () => {
    const world = await server.newWorld();
    const { api } = await server.newRider(world);
    const requested = await api.requestRide({
      body: { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' },
    });
    expect(requested.response.status, JSON.stringify(requested.error)).toBe(201);
    const path = { path: { ride_id: requested.data!.ride_id } };
    const seen: string[] = [];
    for (let i = 0; i < 80 && seen.at(-1) !== 'droppedOff'; i++) {
      const ride = await api.getRide({ params: path });
      expect(ride.error).toBeUndefined();
      if (seen.at(-1) !== ride.data!.status) seen.push(ride.data!.status);
      await server.advance(world, 30_000);
    }
    expect(seen).toEqual(['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff']);
    const rated = await api.rateRide({ params: path, body: { rating: 5, tip: { amount: 300, currency: 'USD' } } });
    expect(rated.response.status, JSON.stringify(rated.error)).toBe(204);
    await server.advance(world, 10_000);
    const receipt = await api.getReceipt({ params: path });
    expect(receipt.error).toBeUndefined();
    expect(receipt.data!.line_items.reduce((sum, { amount }) => sum + amount, 0)).toBe(receipt.data!.price.amount);
    console.log(JSON.stringify(receipt.data), JSON.stringify((await api.getRide({ params: path })).data));
  });
});
