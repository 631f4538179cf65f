import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerOf, failure } from '../support/answers.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { rawCall } from '../support/raw-call.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const BODY = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer('sqlite');
});
afterAll(() => server.close());

describe.each(['origin', 'destination'] as const)('%s', (place) => {
  describe.each(['lat', 'lng'] as const)('%s', (coordinate) => {
    const answerWith = async (value: unknown) => {
      const { token } = await server.newRider(await server.newWorld());
      const body = JSON.stringify({ ...BODY, [place]: { ...BODY[place], [coordinate]: value } });
      const response = await rawCall(server.baseUrl, 'requestRide', { token, body });
      return { status: response.status, body: await response.json() };
    };

    test.each([
      ['may not be left out', undefined, 'is required'],
      ['may not be text', '37.8', 'must be a number'],
      ['may not be null', null, 'must be a number'],
    ])('%s', async (_, value, problem) => {
      const detail = [{ [`${place}.${coordinate}`]: problem }];
      expect(await answerWith(value)).toEqual(failure(400, 'bad_parameter', detail));
    });
  });

  test('may have an address, and be without one', async () => {
    for (const address of ['Gate B', undefined]) {
      const { api } = await server.newRider(await server.newWorld());
      const { data } = await api.requestRide({ body: { ...BODY, [place]: { ...BODY[place], address } } });
      expect(data![place]).toEqual({ ...BODY[place], address: address ?? null });
    }
  });
});

test('a pickup and a ride type are enough', async () => {
  const { api } = await server.newRider(await server.newWorld());
  const answer = answerOf(await api.requestRide({ body: { origin: FERRY_BUILDING, ride_type: 'svc' } }));
  expect(answer).toMatchObject({ status: 201, body: { origin: { ...FERRY_BUILDING, address: null } } });
  expect(answer.body).not.toHaveProperty('destination');
});
