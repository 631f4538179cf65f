import { describe, expect, test } from 'vitest';
import { SECOND_MS } from '../../server/domain/time.ts';
import { ACCOUNT_PATHS } from '../../server/links.ts';
import { failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { credentialsOf, type MadeApplication, makeApplication } from '../support/made-application.ts';
import { askToken, statusWith } from '../support/oauth.ts';
import { allow, type Grant, grant, renew, signUp, trade } from '../support/signed-up.ts';
import { testServer } from '../support/started.ts';

const ENVIRONMENTS = ['live', 'sandbox'] as const;
const REFUSED = failure(400, 'invalid_grant');
const ALIVE = 200;
const ENDED = 401;

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });

  const statuses = (tokens: readonly Grant[]) =>
    Promise.all(tokens.map(({ accessToken }) => statusWith(server, accessToken)));

  test.each(ENVIRONMENTS)(
    'a code works only for its own application, even if another has the same redirect URI and has tried it: %s',
    async (to) => {
      const redirectUris = ['https://shared.example/callback'];
      const [one, other] = [
        await makeApplication(server, { redirectUris }),
        await makeApplication(server, { redirectUris }),
      ];
      const passenger = await signUp(server, one);
      const [code, codeOfOther] = [await allow(passenger, one), await allow(passenger, other)];
      const expectRefused = async () => {
        for (const environment of ENVIRONMENTS) {
          expect(await trade(server, code, credentialsOf(other, environment))).toMatchObject(REFUSED);
          expect(await trade(server, codeOfOther, credentialsOf(one, environment))).toMatchObject(REFUSED);
        }
      };
      await expectRefused();
      // the secret of one application does not work for another
      const asOne = { grant_type: 'authorization_code', code, client_id: one.id };
      expect((await askToken(server, asOne, credentialsOf(other))).body.error).toBe('invalid_request');
      const given = [
        await trade(server, code, credentialsOf(one, to)),
        await trade(server, codeOfOther, credentialsOf(other, to)),
      ];
      // a used code is refused too
      await expectRefused();
      for (const { body } of given) expect(await statusWith(server, body.access_token)).toBe(ALIVE);
    },
  );

  test.each(ENVIRONMENTS)(
    'a refresh token works only for its own application, and only that one revokes its family by reusing it: %s',
    async (environment) => {
      const one = await makeApplication(server, { rotatesRefreshTokens: true });
      const other = await makeApplication(server);
      const strangers = [
        ...ENVIRONMENTS.map((each) => credentialsOf(other, each)),
        credentialsOf(one, environment === 'live' ? 'sandbox' : 'live'),
      ];
      const { refreshToken } = await grant(server, await signUp(server, one), one, environment);
      const expectRefused = async () => {
        for (const credentials of strangers) {
          expect(await renew(server, refreshToken, credentials)).toMatchObject(REFUSED);
        }
      };
      await expectRefused();
      const own = credentialsOf(one, environment);
      const { status, body } = await renew(server, refreshToken, own);
      expect(status).toBe(200);
      server.passTime(60 * SECOND_MS);
      await expectRefused();
      expect(await statusWith(server, body.access_token)).toBe(ALIVE);
      expect(await renew(server, refreshToken, own)).toMatchObject(REFUSED);
      expect(await statusWith(server, body.access_token)).toBe(ENDED);
    },
  );

  test('a revocation by a passenger ends the live and sandbox tokens of only that application', async () => {
    const [one, other] = [await makeApplication(server), await makeApplication(server)];
    const passenger = await signUp(server, one);
    const grants = async (application: MadeApplication) => [
      await grant(server, passenger, application, 'live'),
      await grant(server, passenger, application, 'sandbox'),
    ];
    const [ofOne, ofOther] = [await grants(one), await grants(other)];
    const [codeOfOne, codeOfOther] = [await allow(passenger, one), await allow(passenger, other)];
    const { text } = await passenger.visitor.open(ACCOUNT_PATHS.applications);
    expect(text).toContain(`Remove access for ${one.name}`);
    expect(text).toContain(`Remove access for ${other.name}`);
    const after = await passenger.visitor.submit({ application_id: one.id });
    expect(after.text).not.toContain(`Remove access for ${one.name}`);
    expect(after.text).toContain(`Remove access for ${other.name}`);

    expect(await statuses([...ofOne, ...ofOther])).toEqual([ENDED, ENDED, ALIVE, ALIVE]);
    for (const [i, environment] of ENVIRONMENTS.entries()) {
      expect(await renew(server, ofOne[i]!.refreshToken, credentialsOf(one, environment))).toMatchObject(REFUSED);
      expect((await renew(server, ofOther[i]!.refreshToken, credentialsOf(other, environment))).status).toBe(200);
    }
    expect(await trade(server, codeOfOne, credentialsOf(one))).toMatchObject(REFUSED);
    expect((await trade(server, codeOfOther, credentialsOf(other))).status).toBe(200);
  });
});
