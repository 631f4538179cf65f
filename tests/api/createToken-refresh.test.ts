import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONSENT_LIMITS, REFRESH_TOKEN_LIMITS, reply } from '../../generated/server.ts';
import { DEMO } from '../../server/demo.ts';
import type { CallingApplication } from '../../server/domain/application.ts';
import { DAY_MS, SECOND_MS } from '../../server/domain/time.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { tokenHandlers } from '../../server/http/operations/tokens.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { setSettings } from '../../server/store/applications.ts';
import { findRefreshToken } from '../../server/store/tokens.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import {
  askToken,
  LIVE_CLIENT,
  newCode,
  newGrant,
  newLivePassenger,
  SANDBOX_CLIENT,
  statusWith,
} from '../support/oauth.ts';
import { rawCall } from '../support/raw-call.ts';
import { testServer } from '../support/started.ts';

const REFUSED = failure(400, 'invalid_grant');

const UNUSED_MS = REFRESH_TOKEN_LIMITS.unusedDays * DAY_MS;
const GRACE_MS = REFRESH_TOKEN_LIMITS.graceSeconds * SECOND_MS;

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 100 });

  const renew = (parameters: Record<string, unknown>, client = LIVE_CLIENT) =>
    askToken(server, { grant_type: 'refresh_token', ...parameters }, client);

  test('a refresh token returns access tokens as long as it is used, and stays the same', async () => {
    const { refreshToken, accessToken } = await newGrant(server);
    for (let year = 1; year <= 3; year++) {
      server.passTime(UNUSED_MS - 1);
      expect((await renew({ refresh_token: refreshToken })).status).toBe(200);
    }
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

  test('a renewal can ask for fewer scopes, and the next one can have all of them again', async () => {
    const { refreshToken } = await newGrant(server);
    const { body } = await renew({ refresh_token: refreshToken, scope: 'rides.read public' });
    expect(body.scope).toBe('public rides.read');
    expect(await statusWith(server, body.access_token)).toBe(401);
    const full = await renew({ refresh_token: refreshToken });
    expect(full.body.scope).toBe('public rides.read rides.request profile offline');
  });

  test.each([LIVE_CLIENT, SANDBOX_CLIENT])(
    'only the newest access tokens of a consent work; older ones have expired',
    async (client) => {
      const [grant, other] = [await newGrant(server, client), await newGrant(server, client)];
      const tokens = [grant.accessToken];
      for (let n = 0; n < CONSENT_LIMITS.accessTokens; n++) {
        server.passTime(1);
        const { body } = await renew({ refresh_token: grant.refreshToken }, client);
        tokens.push(body.access_token);
      }
      const [oldest, ...newest] = tokens;
      const ended = await rawCall(server.baseUrl, 'listRideTypes', {
        token: oldest!,
        query: 'lat=37.7955&lng=-122.3937',
      });
      expect([ended.status, ended.headers.get('error'), await ended.text()]).toEqual([401, 'token_expired', '']);
      const query = { lat: 37.7955, lng: -122.3937 };
      for (const token of [...newest, other.accessToken]) {
        expect((await server.client({ token }).listRideTypes({ params: { query } })).response.status).toBe(200);
      }
    },
  );

  test.each([true, false])(
    'only the newest consents of a passenger to an application count, with a refresh token: %s',
    async (offline) => {
      const passenger = await newLivePassenger(server);
      const exchange = async (client = LIVE_CLIENT) => {
        server.passTime(1);
        const code = await newCode(server, passenger, { scopes: ['public', ...(offline ? ['offline'] : [])] });
        return (await askToken(server, { grant_type: 'authorization_code', code }, client)).body;
      };
      const [elsewhere, first] = [await exchange(SANDBOX_CLIENT), await exchange()];
      let second = first;
      for (let n = 0; n < CONSENT_LIMITS.consents; n++) {
        const next = await exchange();
        if (n === 0) second = next;
      }
      const { db } = server.store;
      const grants = db
        .selectFrom('accessGrants')
        .where('passengerId', '=', passenger.id)
        .where('worldId', '=', 'live');
      expect(await grants.select('id').execute()).toHaveLength(CONSENT_LIMITS.consents);
      if (!offline) return;
      expect(await renew({ refresh_token: first.refresh_token })).toMatchObject(REFUSED);
      expect((await renew({ refresh_token: second.refresh_token })).status).toBe(200);
      expect((await renew({ refresh_token: elsewhere.refresh_token }, SANDBOX_CLIENT)).status).toBe(200);
    },
  );

  const NARROWS = 'the passenger did not grant it, and a refresh cannot add scopes';
  test.each([
    ['profile', 'profile', NARROWS],
    ['public profile', 'profile', NARROWS],
    ['public rides.request offline', 'rides.request', NARROWS],
    ['everything', 'everything', 'there is no scope with this name'],
  ])('a renewal never adds scopes: %s', async (scope, refused, whyNot) => {
    const passenger = await newLivePassenger(server);
    const code = await newCode(server, passenger, { scopes: ['public', 'offline'] });
    const { body } = await askToken(server, { grant_type: 'authorization_code', code });
    const answer = await renew({ refresh_token: body.refresh_token, scope });
    const detail = [{ scope: `${refused} cannot be granted; available: public offline` }];
    expect(answer).toMatchObject(failure(400, 'invalid_scope', detail));
    expect(answer.body.error_description).toBe(
      `The scope ${refused} cannot be granted: ${whyNot}. Available scopes: public, offline.`,
    );
  });

  test('an access token does not work as a refresh token', async () => {
    const { accessToken } = await newGrant(server);
    expect(await renew({ refresh_token: accessToken })).toMatchObject(REFUSED);
  });

  test.each([
    ['live world', LIVE_CLIENT],
    ['sandbox', SANDBOX_CLIENT],
  ])('in the %s, a refresh token expires after a year without use, and is deleted a day later', async (_, client) => {
    const [unused, used] = [await newGrant(server, client), await newGrant(server, client)];
    const isKept = async () => (await findRefreshToken(server.store.db, hashOf(unused.refreshToken))) !== undefined;
    server.passTime(UNUSED_MS - 1);
    expect((await renew({ refresh_token: used.refreshToken }, client)).status).toBe(200);
    server.passTime(1);
    expect(await renew({ refresh_token: unused.refreshToken }, client)).toMatchObject(REFUSED);
    // a refused renewal does not count as use
    expect(await renew({ refresh_token: unused.refreshToken }, client)).toMatchObject(REFUSED);
    await sweep(server.parts);
    expect(await isKept()).toBe(true);
    server.passTime(DAY_MS + 1);
    await sweep(server.parts);
    expect(await isKept()).toBe(false);
    expect((await renew({ refresh_token: used.refreshToken }, client)).status).toBe(200);
  });

  describe('with rotation', () => {
    const rotate = (rotates: boolean) => setSettings(server.store.db, DEMO.clientId, { rotatesRefreshTokens: rotates });
    beforeAll(() => rotate(true));
    afterAll(() => rotate(false));

    /** Renews a new token repeatedly, after the grace period each time. @returns all tokens of the family */
    const familyOf = async (renewals: number, client = LIVE_CLIENT) => {
      const { accessToken, refreshToken, code } = await newGrant(server, client);
      const [refreshTokens, accessTokens] = [[refreshToken], [accessToken]];
      for (let n = 0; n < renewals; n++) {
        server.passTime(2 * GRACE_MS);
        const { status, body } = await renew({ refresh_token: refreshTokens.at(-1) }, client);
        expect({ status, refresh: body.refresh_token }).toEqual({
          status: 200,
          refresh: expect.stringMatching(/^[\w-]{86}$/),
        });
        refreshTokens.push(body.refresh_token);
        accessTokens.push(body.access_token);
      }
      return { refreshTokens, accessTokens, code };
    };
    const statusesOf = (accessTokens: readonly string[]) =>
      Promise.all(accessTokens.map((token) => statusWith(server, token)));
    const ended = ({ accessTokens }: { readonly accessTokens: readonly string[] }) => accessTokens.map(() => 401);

    test('each renewal returns a new refresh token, and earlier access tokens stay valid', async () => {
      const { refreshTokens, accessTokens } = await familyOf(3);
      expect(new Set(refreshTokens).size).toBe(4);
      expect(await statusesOf(accessTokens)).toEqual(accessTokens.map(() => 200));
    });

    test.each([0, 2])('reuse of the refresh token after %i renewals revokes the family', async (at) => {
      for (const client of [LIVE_CLIENT, SANDBOX_CLIENT]) {
        const [family, other] = [await familyOf(3, client), await familyOf(1, client)];
        server.passTime(GRACE_MS);
        expect(await renew({ refresh_token: family.refreshTokens[at] }, client)).toMatchObject(REFUSED);
        expect(await statusesOf(family.accessTokens)).toEqual(ended(family));
        for (const token of family.refreshTokens) {
          expect(await renew({ refresh_token: token }, client)).toMatchObject(REFUSED);
        }
        expect(await statusesOf(other.accessTokens)).toEqual([200, 200]);
      }
    });

    test('an old token revokes nothing if its client has disconnected, since it may be a late call', async () => {
      const { refreshTokens, accessTokens, code } = await familyOf(3);
      const { createToken } = tokenHandlers(server.parts);
      const context = {
        application: { id: DEMO.clientId } as CallingApplication,
        world: LIVE_WORLD,
        realNow: server.parts.now(),
        hasHungUp: () => true,
        audit: () => {},
        secretHash: '',
      };
      const late = [
        { grant_type: 'refresh_token', refresh_token: refreshTokens[0] },
        { grant_type: 'authorization_code', code },
      ] as const;
      for (const body of late) {
        const call = { params: {}, query: {}, body, context } as Parameters<typeof createToken>[0];
        await expect(createToken(call, reply as never)).rejects.toMatchObject({ code: 'invalid_grant' });
      }
      expect(await statusesOf(accessTokens)).toEqual(accessTokens.map(() => 200));
    });

    test('shortly after a renewal, the old token returns the same new one, in case the response was lost', async () => {
      const { refreshTokens } = await familyOf(1);
      const [, current] = refreshTokens;
      const first = await renew({ refresh_token: current });
      server.passTime(GRACE_MS - 1);
      const again = await renew({ refresh_token: current });
      expect(again.body.refresh_token).toBe(first.body.refresh_token);
      expect(again.body.access_token).not.toBe(first.body.access_token);
      expect((await renew({ refresh_token: again.body.refresh_token })).status).toBe(200);
      // its successor has been used, so the grace period no longer applies
      expect(await renew({ refresh_token: current })).toMatchObject(REFUSED);
      expect(await statusesOf([first.body.access_token, again.body.access_token])).toEqual([401, 401]);
    });

    test('the grace period ends on time', async () => {
      const { refreshToken } = await newGrant(server);
      const { body } = await renew({ refresh_token: refreshToken });
      server.passTime(GRACE_MS);
      expect(await renew({ refresh_token: refreshToken })).toMatchObject(REFUSED);
      expect(await statusWith(server, body.access_token)).toBe(401);
    });

    test('concurrent renewals all return the same new token', async () => {
      const { refreshToken } = await newGrant(server);
      const answers = await Promise.all(Array.from({ length: 20 }, () => renew({ refresh_token: refreshToken })));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
      expect(new Set(answers.map(({ body }) => body.access_token)).size).toBe(20);
      expect((await renew({ refresh_token: answers[0]!.body.refresh_token })).status).toBe(200);
    });

    test('a renewal that is refused for its scope does not rotate the token', async () => {
      const { refreshToken } = await newGrant(server);
      expect((await renew({ refresh_token: refreshToken, scope: 'everything' })).body.error).toBe('invalid_scope');
      server.passTime(2 * GRACE_MS);
      expect((await renew({ refresh_token: refreshToken })).status).toBe(200);
    });

    test('a family stays valid for years while it is used, and expires without use', async () => {
      const { refreshTokens } = await familyOf(1);
      server.passTime(UNUSED_MS - 1);
      const { body } = await renew({ refresh_token: refreshTokens[1] });
      server.passTime(UNUSED_MS - 1);
      const next = await renew({ refresh_token: body.refresh_token });
      expect(next.status).toBe(200);
      server.passTime(UNUSED_MS);
      expect(await renew({ refresh_token: next.body.refresh_token })).toMatchObject(REFUSED);
    });

    test('rotation starts at the next use; once it is off, the last token stays and old ones revoke it', async () => {
      await rotate(false);
      const { refreshToken } = await newGrant(server);
      expect((await renew({ refresh_token: refreshToken })).body.refresh_token).toBeUndefined();
      expect(await renew({ refresh_token: `${refreshToken}x` })).toMatchObject(REFUSED);
      await rotate(true);
      const { body } = await renew({ refresh_token: refreshToken });
      expect(body.refresh_token).toBeDefined();
      await rotate(false);
      for (let n = 0; n < 2; n++) {
        server.passTime(2 * GRACE_MS);
        const answer = await renew({ refresh_token: body.refresh_token });
        expect({ status: answer.status, next: answer.body.refresh_token }).toEqual({ status: 200, next: undefined });
      }
      expect(await renew({ refresh_token: refreshToken })).toMatchObject(REFUSED);
      expect(await renew({ refresh_token: body.refresh_token })).toMatchObject(REFUSED);
      await rotate(true);
    });
  });
});
