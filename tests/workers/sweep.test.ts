import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../server/domain/time.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { engines } from '../support/database.ts';
import { LIVE, startTestServer } from '../support/server.ts';

describe.each(engines)('the sweep, on %s', (engine) => {
  test('forgets a token a day after it expired, and not before', async () => {
    const server = await startTestServer(engine);
    const token = await server.newToken({ world: LIVE, expiresInMs: HOUR_MS });
    const ask = async () => {
      const { response } = await server
        .client({ token })
        .listRideTypes({ params: { query: { lat: 37.7955, lng: -122.3937 } } });
      return response.headers.get('error');
    };
    server.passTime(HOUR_MS + DAY_MS);
    await sweep(server.parts);
    expect(await ask()).toBe('token_expired');
    server.passTime(1);
    await sweep(server.parts);
    expect(await ask()).toBe('invalid_token');
    await server.close();
  });
});
