import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../generated/server.ts';
import { DEMO } from '../../server/demo.ts';
import { standInTraits } from '../../server/domain/stand-in.ts';
import { HOUR_MS } from '../../server/domain/time.ts';
import { basic } from '../support/demo-caller.ts';
import { newCode, newLivePassenger } from '../support/oauth.ts';
import { DOLORES_PARK, FERRY_BUILDING, MISSION_DOLORES } from '../support/places.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { testServer } from '../support/started.ts';
import { type Client, type Fields, HABITS } from './support/habits.ts';

const TRIP = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };
const IN_SANDBOX = basic(DEMO.clientId, `SANDBOX-${DEMO.clientSecret}`);

const server = testServer('sqlite', { rateLimitMultiplier: 10 });

describe.each(HABITS)('a client that $habit', (client) => {
  test('takes a ride in a sandbox from the token to the receipt', async () => {
    const passenger = await newLivePassenger(server);
    const code = await newCode(server, passenger);
    const granted = await askToken(client, { grant_type: 'authorization_code', code });
    const standIn = standInTraits({ id: 'demo-sandbox', seed: 'demo-sandbox' }, passenger.id);
    let token = String(granted.access_token);
    const call = async (id: OperationId, sent: RawCall = {}) =>
      client.read(await rawCall(server.baseUrl, id, { token, ...sent }));
    const send = (id: OperationId, body: Fields | undefined, sent: RawCall = {}) =>
      call(id, { ...sent, ...(body && { body: JSON.stringify(body) }) });
    expect((await call('getProfile')).body).toMatchObject({ first_name: standIn.firstName });

    await send('setPrimeTime', { ...FERRY_BUILDING, primetime_percentage: '25%' });
    const asked = await send('requestRide', client.ride(TRIP, null));
    expect(asked).toMatchObject({ status: 400, body: { error: 'primetime_confirmation_required' } });
    const first = await send('requestRide', client.ride(TRIP, String(asked.body.cost_token)));
    expect(first).toMatchObject({ status: 201, body: { status: 'pending' } });
    await send('setPrimeTime', { ...FERRY_BUILDING, primetime_percentage: '0%' });

    const canceled = await send('cancelRide', client.cancellation(null), about(first.body));
    expect(canceled.status).toBe(204);

    const second = await send('requestRide', client.ride(client.again(first.body, TRIP), null));
    expect(second.status, JSON.stringify(second.body)).toBe(201);
    const ride = about(second.body);
    await send('setRideStatus', client.move('pickedUp'), ride);
    const { body: underway } = await call('getRide', ride);
    const elsewhere = client.elsewhere(underway, MISSION_DOLORES);
    expect((await send('updateDestination', elsewhere, ride)).status).toBe(200);
    expect((await send('setRideStatus', client.move('droppedOff'), ride)).status).toBe(200);
    expect((await send('rateRide', client.rating(), ride)).status).toBe(204);

    await server.pass(HOUR_MS);
    const expired = await call('getReceipt', ride);
    expect(expired).toEqual({ status: 401, body: {}, error: 'token_expired', requestId: expect.any(String) });
    token = String(
      (await askToken(client, { grant_type: 'refresh_token', refresh_token: granted.refresh_token })).access_token,
    );
    const receipt = await call('getReceipt', ride);
    expect(receipt).toMatchObject({ status: 200, body: { ride_id: second.body.ride_id, price: { currency: 'USD' } } });
  });
});

const about = ({ ride_id }: Fields): RawCall => ({ path: { ride_id: String(ride_id) } });

async function askToken(client: Client, parameters: Fields): Promise<Fields> {
  const { status, body } = await client.read(
    await rawCall(server.baseUrl, 'createToken', client.grant(parameters, IN_SANDBOX)),
  );
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}
