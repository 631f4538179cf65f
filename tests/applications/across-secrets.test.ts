import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../server/domain/time.ts';
import { failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { credentialsOf, cycleSecret, makeApplication } from '../support/made-application.ts';
import { askToken, sendTo, statusWith } from '../support/oauth.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { clientToken, grant, renew, signUp } from '../support/signed-up.ts';
import { testServer } from '../support/started.ts';

const ENVIRONMENTS = ['live', 'sandbox'] as const;
const WRONG = failure(401, 'invalid_client');

// webhooks/keys tests which webhooks get another key
describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 1000 });

  const ask = (credentials: Readonly<Record<string, string>>) =>
    askToken(server, { grant_type: 'client_credentials' }, credentials);

  describe.each(ENVIRONMENTS)('a %s secret that is rotated', (environment) => {
    const other = environment === 'live' ? 'sandbox' : 'live';

    test.each([
      ['immediately', 0],
      ['half an hour later', 0.5],
      ['a day later', 24],
    ])('expires %s, to the millisecond, or at the next rotation, and the new one is valid', async (_, overlapHours) => {
      const before = await makeApplication(server);
      const after = await cycleSecret(server, before, environment, overlapHours);
      const [old, fresh] = [credentialsOf(before, environment), credentialsOf(after, environment)];
      expect((await ask(fresh)).status).toBe(200);
      if (overlapHours > 0) {
        server.passTime(overlapHours * HOUR_MS - 1);
        expect((await ask(old)).status).toBe(200);
        server.passTime(1);
      }
      for (const operation of ['createToken', 'revokeToken', 'revokeRefreshToken'] as const) {
        const call = { headers: old, body: '{"grant_type":"client_credentials","token":"x"}' };
        expect(await sendTo(server, operation, call), operation).toMatchObject(WRONG);
      }
      const second = credentialsOf(await cycleSecret(server, after, environment, 24), environment);
      const third = credentialsOf(await cycleSecret(server, after, environment, 1), environment);
      expect(await ask(fresh)).toMatchObject(WRONG);
      for (const valid of [second, third]) expect((await ask(valid)).status).toBe(200);
    });

    test('does not affect the other secret, the tokens and other applications', async () => {
      const before = await makeApplication(server);
      const sibling = await makeApplication(server, { developerId: before.developerId });
      const passenger = await signUp(server, before);
      const given = await grant(server, passenger, before, environment);
      const ofClient = await clientToken(server, before, environment);
      const after = await cycleSecret(server, before, environment);
      expect((await ask(credentialsOf(before, other))).status).toBe(200);
      const places = await server.client({ token: ofClient }).listRideTypes({ params: { query: FERRY_BUILDING } });
      expect(places.response.status).toBe(200);
      for (const each of ENVIRONMENTS) {
        expect((await ask(credentialsOf(sibling, each))).status).toBe(200);
        // the rotated secrets do not work for the sibling
        const { liveSecret, sandboxSecret } = after;
        const mixed = { ...sibling, liveSecret, sandboxSecret };
        expect(await ask(credentialsOf(mixed, each))).toMatchObject(WRONG);
      }
      expect(await statusWith(server, given.accessToken)).toBe(200);
      expect(await renew(server, given.refreshToken, credentialsOf(before, environment))).toMatchObject(WRONG);
      expect((await renew(server, given.refreshToken, credentialsOf(after, environment))).status).toBe(200);
    });
  });
});
