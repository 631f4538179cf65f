import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../server/domain/time.ts';
import { failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import {
  askToken,
  LIVE_CLIENT,
  newApplication,
  newCode,
  newGrant,
  newLivePassenger,
  SANDBOX_CLIENT,
  statusWith,
} from '../support/oauth.ts';
import { testServer } from '../support/started.ts';

const REFUSED = failure(400, 'invalid_grant');

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  const renew = (parameters: Record<string, unknown>, client = LIVE_CLIENT) =>
    askToken(server, { grant_type: 'refresh_token', ...parameters }, client);

  test('a refresh token gives access tokens for ever, and stays the same', async () => {
    const { refreshToken, accessToken } = await newGrant(server);
    server.passTime(400 * DAY_MS);
    const { status, headers, body } = await renew({ refresh_token: refreshToken });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        token_type: 'bearer',
        access_token: expect.stringMatching(/^[\w-]{43}$/),
        expires_in: 3600,
        scope: 'public rides.read rides.request profile offline',
      },
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(await statusWith(server, accessToken)).toBe(401);
    expect(await statusWith(server, body.access_token)).toBe(200);
    expect((await renew({ refresh_token: refreshToken })).status).toBe(200);
  });

  test('a renewed token may have fewer scopes, and the next one all of them again', async () => {
    const { refreshToken } = await newGrant(server);
    const { body } = await renew({ refresh_token: refreshToken, scope: 'rides.read public' });
    expect(body.scope).toBe('public rides.read');
    expect(await statusWith(server, body.access_token)).toBe(401);
    const full = await renew({ refresh_token: refreshToken });
    expect(full.body.scope).toBe('public rides.read rides.request profile offline');
  });

  const NARROWS = 'the passenger did not grant it, and a renewal only narrows what was granted';
  test.each([
    ['profile', 'profile', NARROWS],
    ['public profile', 'profile', NARROWS],
    ['public rides.request offline', 'rides.request', NARROWS],
    ['everything', 'everything', 'there is no scope of that name'],
  ])('it never has more: %s', async (scope, refused, whyNot) => {
    const passenger = await newLivePassenger(server);
    const code = await newCode(server, passenger, { scopes: ['public', 'offline'] });
    const { body } = await askToken(server, { grant_type: 'authorization_code', code });
    const answer = await renew({ refresh_token: body.refresh_token, scope });
    const detail = [{ scope: `${refused} cannot be given; public offline can` }];
    expect(answer).toMatchObject(failure(400, 'invalid_scope', detail));
    expect(answer.body.error_description).toBe(
      `The scope ${refused} cannot be given: ${whyNot}. What can be given: public, offline.`,
    );
  });

  test('a refresh token is for the application and the environment that it was given to', async () => {
    const { refreshToken } = await newGrant(server);
    const other = await newApplication(server, 'other');
    expect(await renew({ refresh_token: refreshToken }, other)).toMatchObject(REFUSED);
    expect(await renew({ refresh_token: refreshToken }, SANDBOX_CLIENT)).toMatchObject(REFUSED);
    expect((await renew({ refresh_token: refreshToken })).status).toBe(200);
  });

  test('an access token is no refresh token', async () => {
    const { accessToken } = await newGrant(server);
    expect(await renew({ refresh_token: accessToken })).toMatchObject(REFUSED);
  });
});
