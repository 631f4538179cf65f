import { expect, test } from 'vitest';
import type { OperationId } from '../../generated/server.ts';
import { failure } from './answers.ts';
import { everythingStored } from './everything-stored.ts';
import { rawCall } from './raw-call.ts';
import type { TestServer } from './server.ts';
import { startRiding } from './take-ride.ts';

interface OneRideOperation {
  readonly operation: OperationId &
    ('setRideStatus' | 'cancelRide' | 'getReceipt' | 'getRide' | 'rateRide' | 'updateDestination');
  readonly server: () => TestServer;
  /** A body that the contract accepts; absent where none is sent. */
  readonly body?: unknown;
}

/** Declares what every operation on one ride refuses in the same way. Tokens, limits and bodies are the same for all: see http/. */
export function refusesWhatNoRideAllows({ operation, server, body }: OneRideOperation): void {
  const call = async (rideId: string, token: string) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await rawCall(server().baseUrl, operation, { path: { ride_id: rideId }, token, ...sent });
    return { status: response.status, body: await response.json() };
  };

  test("another passenger's ride is a 403, and stays as it was", async () => {
    const { world, rideId } = await startRiding(server());
    const stranger = await startRiding(server(), { world });
    const before = await everythingStored(server().store);
    expect(await call(rideId, stranger.token)).toEqual(failure(403, 'ride_does_not_belong_to_user'));
    expect(await everythingStored(server().store)).toEqual(before);
  });

  test('an unknown ride is a 404', async () => {
    const { token } = await startRiding(server());
    expect(await call('no-such-ride', token)).toEqual(failure(404, 'ride_not_found'));
  });
}
