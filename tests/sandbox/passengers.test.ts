import { describe, expect, test } from 'vitest';
import { SECOND_MS } from '../../server/domain/time.ts';
import { answerOf, failure } from '../support/answers.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { engines } from '../support/database.ts';
import { basic } from '../support/demo-caller.ts';
import {
  askToken,
  LIVE_CLIENT,
  newApplication,
  newCode,
  newLivePassenger,
  SANDBOX_CLIENT,
  sendTo,
  statusWith,
} from '../support/oauth.ts';
import { defaultToken, FROZEN, type MadeWorld, makePassenger, makeWorld } from '../support/sandboxes.ts';
import { testServer } from '../support/started.ts';
import { requestRideOf } from '../support/take-ride.ts';

const ALL = ['public', 'rides.read', 'rides.request', 'profile', 'offline'] as const;

/** Every field that updatePassenger can change, with a value that is not the default. */
const OTHERWISE = {
  first_name: 'Ada',
  last_name: 'L',
  phone_number: null,
  phone_verified: false,
  payment_method: null,
  account_disabled: true,
  driver_mode: true,
  business_profile: true,
  rating: null,
};

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  const newHome = () => makeWorld(server, { clock: FROZEN });

  describe('a created passenger', () => {
    test('has default values, and can request a ride', async () => {
      const home = await newHome();
      const { data } = await home.api.createPassenger();
      const { passenger_id: id } = data!.passenger;
      expect(data).toEqual({
        passenger: {
          passenger_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          email: `${id}@example.com`,
          first_name: 'Sam',
          last_name: 'Miller',
          phone_number: '+14155550100',
          phone_verified: true,
          payment_method: 'Visa ending in 4242',
          account_disabled: false,
          driver_mode: false,
          business_profile: false,
          has_taken_a_ride: false,
          rating: '4.9',
        },
        token: {
          token_type: 'bearer',
          access_token: expect.any(String),
          expires_in: 3600,
          scope: 'public rides.read rides.request profile',
        },
      });
      const api = server.client({ token: data!.token.access_token });
      expect((await api.getProfile()).data).toMatchObject({ id, first_name: 'Sam', has_taken_a_ride: false });
      await requestRideOf({ api });
    });

    test('has the requested values', async () => {
      const traits = { ...OTHERWISE, first_name: 'Zoë', last_name: '王', has_taken_a_ride: true };
      const { passenger } = await makePassenger(server, await newHome(), { ...traits, email: 'Ada@Example.COM' });
      expect(passenger).toEqual({ passenger_id: expect.any(String), ...traits, email: 'ada@example.com' });
    });

    test('has a token with the requested scopes and lifetime', async () => {
      const home = await newHome();
      const { token, api } = await makePassenger(server, home, { scopes: ['profile', 'public'], expires_in: 5 });
      const rides = await api.listRides({ params: { query: { start_time: '2026-01-01T00:00:00Z' } } });
      expect(rides.response.status).toBe(401);
      server.passTime(5 * SECOND_MS - 1);
      expect(await statusWith(server, token)).toBe(200);
      server.passTime(1);
      expect((await api.getProfile()).response.headers.get('error')).toBe('token_expired');
      server.passTime(-5 * SECOND_MS);
    });
  });

  describe('an e-mail address', () => {
    const TAKEN = failure(400, 'bad_parameter', [{ email: 'must be unique in this world' }]);

    test('is unique in a world, ignoring case, but not across worlds', async () => {
      const [home, elsewhere] = [await newHome(), await newHome()];
      await makePassenger(server, home, { email: 'ada@example.com' });
      const body = { email: 'ADA@example.com' };
      const answer = await changingNothing(server, () => home.api.createPassenger({ body }));
      expect(answerOf(answer)).toEqual(TAKEN);
      expect((await elsewhere.api.createPassenger({ body })).response.status).toBe(201);
    });

    test('is assigned to only one of twenty concurrent calls', async () => {
      const home = await newHome();
      const body = { email: 'ada@example.com' };
      const answers = await Promise.all(
        Array.from({ length: 20 }, async () => answerOf(await home.api.createPassenger({ body }))),
      );
      const [first, ...others] = answers.sort((a, b) => a.status - b.status);
      expect(first!.status).toBe(201);
      expect(others).toEqual(Array(19).fill(TAKEN));
    });

    test('is derived from the id, even if that address is taken', async () => {
      const [home, twin] = [await makeWorld(server, { seed: 'twins' }), await makeWorld(server, { seed: 'twins' })];
      await makePassenger(server, home);
      const { passenger: expected } = await makePassenger(server, home);
      await makePassenger(server, twin, { email: expected.email });
      const { passenger } = await makePassenger(server, twin);
      expect(passenger.passenger_id).toBe(expected.passenger_id);
      expect(passenger.email).toBe(`${passenger.passenger_id}.2@example.com`);
    });

    test('of a created passenger does not prevent the consent of a live passenger with that address', async () => {
      const api = server.client({ token: await defaultToken(server) });
      const passenger = await newLivePassenger(server);
      await makePassenger(server, { api }, { email: passenger.email });
      const code = await newCode(server, passenger);
      const { body } = await askToken(server, { grant_type: 'authorization_code', code }, SANDBOX_CLIENT);
      const consented = server.client({ token: body.access_token });
      expect((await consented.getProfile()).data?.id).toBe(passenger.id);
      await api.resetWorld();
      expect((await consented.getProfile()).data?.id).toBe(passenger.id);
    });
  });

  describe('changing a passenger', () => {
    test('changes the given fields, and returns the whole passenger', async () => {
      const { passenger, api } = await makePassenger(server, await newHome());
      const change = { payment_method: null, rating: '1.0' };
      const changed = { status: 200, body: { ...passenger, ...change } };
      expect(answerOf(await api.updatePassenger({ body: change }))).toEqual(changed);
      const { data } = await api.updatePassenger({ body: OTHERWISE });
      expect(data).toEqual({ ...passenger, ...OTHERWISE });
    });

    test('in concurrent calls keeps every change', async () => {
      const { api, passenger } = await makePassenger(server, await newHome());
      const changes = [{ first_name: 'Ada' }, { rating: null }, { driver_mode: true }, { phone_number: null }];
      await Promise.all(changes.map((body) => api.updatePassenger({ body })));
      const { data } = await api.updatePassenger({ body: { last_name: 'L' } });
      expect(data).toEqual({ ...passenger, ...Object.assign({}, ...changes), last_name: 'L' });
    });
  });

  describe('a refresh token of a created sandbox', () => {
    async function offline({ api }: Pick<MadeWorld, 'api'>) {
      const { data } = await api.createPassenger({ body: { scopes: [...ALL], expires_in: 60 } });
      const { access_token: accessToken, refresh_token: refreshToken } = data!.token;
      return { accessToken, refreshToken: refreshToken!, id: data!.passenger.passenger_id };
    }
    const renew = (refresh_token: string, client = SANDBOX_CLIENT) =>
      askToken(server, { grant_type: 'refresh_token', refresh_token }, client);
    const REFUSED = failure(400, 'invalid_grant');

    test('is renewed and revoked only with the sandbox secret, and its access tokens work in its world', async () => {
      const home = await newHome();
      const { refreshToken, accessToken, id } = await offline(home);
      await newApplication(server, 'another');
      const ofAnother = basic('another', 'SANDBOX-another-secret');
      for (const client of [ofAnother, LIVE_CLIENT]) expect(await renew(refreshToken, client)).toMatchObject(REFUSED);
      const { status, body } = await renew(refreshToken);
      expect([status, body.scope, body.expires_in]).toEqual([200, ALL.join(' '), 3600]);
      const api = server.client({ token: body.access_token });
      expect((await api.getProfile()).data?.id).toBe(id);
      expect((await api.getWorld()).data).toEqual(home.world);

      const call = { headers: SANDBOX_CLIENT, body: JSON.stringify({ token: refreshToken }) };
      expect((await sendTo(server, 'revokeRefreshToken', call)).status).toBe(200);
      for (const token of [accessToken, body.access_token]) expect(await statusWith(server, token)).toBe(401);
      expect(await renew(refreshToken)).toMatchObject(REFUSED);
    });

    test.each(['deleteWorld', 'resetWorld'] as const)(
      'renewed twenty times during %s, returns no token that outlives it, and stops working',
      async (operation) => {
        const home = await newHome();
        const { refreshToken } = await offline(home);
        const renewals = Array.from({ length: 20 }, () => renew(refreshToken));
        const [answers, ended] = await Promise.all([Promise.all(renewals), home.api[operation]()]);
        expect(ended.response.status).toBe(204);
        for (const { status, body } of answers) {
          expect([200, 400]).toContain(status);
          if (status === 200) expect(await statusWith(server, body.access_token)).toBe(401);
        }
        expect(await renew(refreshToken)).toMatchObject(REFUSED);
      },
    );
  });
});
