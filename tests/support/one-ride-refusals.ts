import { expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { failure } from './answers.ts';
import { everythingStored } from './everything-stored.ts';
import { type RawCall, rawCall } from './raw-call.ts';
import type { TestServer } from './server.ts';
import { type Riding, startRiding } from './take-ride.ts';

export interface OneRideOperation {
  readonly operation: OperationId &
    ('setRideStatus' | 'cancelRide' | 'getReceipt' | 'getRide' | 'rateRide' | 'updateDestination');
  readonly server: () => TestServer;
  /** A body that the contract accepts; absent where none is sent. */
  readonly body?: unknown;
}

/** Declares what every operation on one ride refuses in the same way: strangers, unknown rides, bad tokens, bad bodies. */
export function refusesWhatNoRideAllows({ operation, server, body }: OneRideOperation): void {
  const { rateLimit, security, requestMediaTypes } = OPERATIONS[operation];
  const [scope] = security[0].scopes;

  const call = async ({ rideId, token }: Pick<Riding, 'rideId' | 'token'>, change: RawCall = {}) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await rawCall(server().baseUrl, operation, {
      path: { ride_id: rideId },
      token,
      ...sent,
      ...change,
    });
    const text = await response.text();
    return { response, answer: { status: response.status, body: text === '' ? null : JSON.parse(text) } };
  };

  test("another passenger's ride is a 403, and stays as it was", async () => {
    const { world, rideId } = await startRiding(server());
    const stranger = await startRiding(server(), { world });
    const before = await everythingStored(server().store);
    const { answer } = await call({ rideId, token: stranger.token });
    expect(answer).toEqual(failure(403, 'ride_does_not_belong_to_user'));
    expect(await everythingStored(server().store)).toEqual(before);
  });

  test('an unknown ride is a 404', async () => {
    const { token } = await startRiding(server());
    expect((await call({ rideId: 'no-such-ride', token })).answer).toEqual(failure(404, 'ride_not_found'));
  });

  test('a ride of another world is unknown in this one, also to the same passenger', async () => {
    const { rideId, passenger } = await startRiding(server());
    const elsewhere = await server().newWorld();
    const token = await server().newToken({ world: elsewhere, passenger });
    expect((await call({ rideId, token })).answer).toEqual(failure(404, 'ride_not_found'));
  });

  test.each(['no spaces', 'x'.repeat(65), '%'])('%j is no ride_id', async (rideId) => {
    const { token } = await startRiding(server());
    const detail = [{ ride_id: expect.any(String) }];
    expect((await call({ rideId, token })).answer).toEqual(failure(400, 'bad_parameter', detail));
  });

  test(`a token without the scope ${scope} is a 401`, async () => {
    const { world, rideId, passenger } = await startRiding(server());
    const token = await server().newToken({ world, passenger, scopes: ['public'] });
    const { answer, response } = await call({ rideId, token });
    expect(answer).toEqual(failure(401, 'insufficient_scope'));
    expect(response.headers.get('error')).toBe('insufficient_scope');
  });

  test('a client token, which acts for nobody, is a 401', async () => {
    const { world, rideId } = await startRiding(server());
    const token = await server().newToken({ world, scopes: [scope!] });
    expect((await call({ rideId, token })).answer).toEqual(failure(401, 'insufficient_scope'));
  });

  test('an expired token is a 401 without a body', async () => {
    const { world, rideId, passenger } = await startRiding(server());
    const token = await server().newToken({ world, passenger, expiresInMs: 0 });
    const { answer, response } = await call({ rideId, token });
    expect(answer).toEqual({ status: 401, body: null });
    expect(response.headers.get('error')).toBe('token_expired');
  });

  test('a token that nobody gave is a 401', async () => {
    const { rideId } = await startRiding(server());
    expect((await call({ rideId, token: 'made-up' })).answer).toEqual(failure(401, 'invalid_token'));
  });

  if (rateLimit.limit <= 5) {
    test('the sixth write in a minute is a 429, counted together with the ride request', async () => {
      const { rideId, token } = await startRiding(server());
      for (let i = 0; i < 4; i++) await call({ rideId: 'no-such-ride', token });
      const { answer, response } = await call({ rideId, token });
      expect(answer).toEqual(failure(429, 'rate_limit_exceeded'));
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(response.headers.get('x-ratelimit-remaining')).toBe('0');
    });
  }

  if (requestMediaTypes.length === 0) return;

  test('a body that is not JSON is a 400', async () => {
    const riding = await startRiding(server());
    const detail = [{ body: 'must be valid JSON' }];
    expect((await call(riding, { body: '{"lat": 37.7' })).answer).toEqual(failure(400, 'bad_parameter', detail));
  });

  test('a body of another media type is a 415', async () => {
    const riding = await startRiding(server());
    const change = { headers: { 'Content-Type': 'text/plain' }, body: 'hello' };
    expect((await call(riding, change)).answer).toEqual(failure(415, 'unsupported_media_type'));
  });

  test('a body that is too large is a 413', async () => {
    const riding = await startRiding(server());
    const change = { body: JSON.stringify({ feedback: 'x'.repeat(70_000) }) };
    expect((await call(riding, change)).answer).toEqual(failure(413, 'payload_too_large'));
  });

  test('an unknown field is a 400 that names it', async () => {
    const riding = await startRiding(server());
    const change = { body: JSON.stringify({ ...(body ?? {}), surprise: 1 }) };
    const detail = [{ surprise: 'is not a parameter of this operation' }];
    expect((await call(riding, change)).answer).toEqual(failure(400, 'bad_parameter', detail));
  });
}
