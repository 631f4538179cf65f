import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../server/domain/time.ts';
import { findPassenger } from '../../server/store/passengers.ts';
import { failure } from '../support/answers.ts';
import { SAN_FRANCISCO } from '../support/cities.ts';
import { engines } from '../support/database.ts';
import {
  askToken,
  LIVE_CLIENT,
  LOOKALIKES,
  MIXTURES,
  newApplication,
  newCode,
  newLivePassenger,
  REDIRECT_URI,
  SANDBOX_CLIENT,
  SEVERAL_URIS,
  sendTo,
  statusWith,
} from '../support/oauth.ts';
import { rounds } from '../support/run.ts';
import { testServer } from '../support/started.ts';

const FORM = 'application/x-www-form-urlencoded';
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const REFUSED = failure(400, 'invalid_grant');
const ROUNDS = rounds({ usually: 4, atLength: 200 });

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 1000 });

  const send = (call: Parameters<typeof sendTo>[2]) => sendTo(server, 'createToken', call);
  const json = (body: string) => ({ headers: LIVE_CLIENT, body });
  const typed = (type: string, body: string) => ({ headers: { ...LIVE_CLIENT, 'Content-Type': type }, body });
  const placesWith = (token: string) =>
    server.client({ token }).listRideTypes({ params: { query: SAN_FRANCISCO.center } });

  const CLIENT_TOKEN = {
    token_type: 'Bearer',
    access_token: expect.stringMatching(/^[\w-]{43}$/),
    expires_in: 86400,
    scope: 'public',
  };

  describe('by client credentials', () => {
    test.each([{}, { scope: 'public' }, { scope: '' }])('%j returns a client token for a day', async (scope) => {
      const { status, headers, body } = await askToken(server, { grant_type: 'client_credentials', ...scope });
      expect({ status, body }).toEqual({ status: 200, body: CLIENT_TOKEN });
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('pragma')).toBe('no-cache');
      expect((await placesWith(body.access_token)).response.status).toBe(200);
    });

    const NEEDS_CONSENT = 'it requires the consent of a passenger, and a client token has none';
    const NO_SUCH = 'there is no scope with this name';
    const SCOPES: readonly [scope: string, refused: string | null, whyNot: string][] = [
      ['rides.read', 'rides.read', NEEDS_CONSENT],
      ['public profile', 'profile', NEEDS_CONSENT],
      ['offline', 'offline', NEEDS_CONSENT],
      ['everything rides.read', 'everything', NO_SUCH],
      // a text that may be a secret, or markup, is not repeated
      ...['Public', 'public,rides.read', 'a1b2c3', 'public\trides.read', '"', '\\', 'é', 'x'.repeat(60_000)].map(
        (scope): [string, null, string] => [scope, null, NO_SUCH],
      ),
    ];
    test.each(SCOPES)('the scope %.20j is an invalid_scope that names %s', async (scope, refused, whyNot) => {
      const answer = await askToken(server, { grant_type: 'client_credentials', scope });
      const named = refused === null ? 'cannot be granted' : `${refused} cannot be granted`;
      expect(answer).toMatchObject(failure(400, 'invalid_scope', [{ scope: `${named}; available: public events` }]));
      expect(answer.body.error_description).toBe(
        `${refused === null ? 'A scope' : `The scope ${refused}`} cannot be granted: ${whyNot}. Available scopes: public, events.`,
      );
    });
    test('several tokens are valid at the same time, and each expires after a day', async () => {
      const tokens = await Promise.all([1, 2].map(() => askToken(server, { grant_type: 'client_credentials' })));
      const [first, second] = tokens.map(({ body }) => body.access_token);
      expect(first).not.toBe(second);
      server.passTime(DAY_MS - 1);
      for (const token of [first, second]) expect((await placesWith(token)).response.status).toBe(200);
      server.passTime(1);
      for (const token of [first, second]) expect((await placesWith(token)).response.status).toBe(401);
    });
  });

  describe('by code', () => {
    const consent = async (change: Parameters<typeof newCode>[2] = {}) => {
      const passenger = await newLivePassenger(server);
      return { passenger, code: await newCode(server, passenger, change) };
    };
    const trade = (parameters: Record<string, unknown>, client = LIVE_CLIENT) =>
      askToken(server, { grant_type: 'authorization_code', ...parameters }, client);

    test('a code returns a user token for an hour, and a refresh token with the scope offline', async () => {
      const { passenger, code } = await consent();
      const { status, headers, body } = await trade({ code });
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          token_type: 'bearer',
          access_token: expect.stringMatching(/^[\w-]{43}$/),
          refresh_token: expect.stringMatching(/^[\w-]{43}$/),
          expires_in: 3600,
          scope: 'public rides.read rides.request profile offline',
        },
      });
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('pragma')).toBe('no-cache');
      const { data } = await server.client({ token: body.access_token }).getProfile();
      expect(data!.id).toBe(passenger.id);
      server.passTime(HOUR_MS - 1);
      expect(await statusWith(server, body.access_token)).toBe(200);
      server.passTime(1);
      expect(await statusWith(server, body.access_token)).toBe(401);
    });

    test('with the sandbox secret, the token works in the sandbox, which then has the passenger', async () => {
      const { passenger, code } = await consent();
      const { body } = await trade({ code }, SANDBOX_CLIENT);
      const { data } = await server.client({ token: body.access_token }).getProfile();
      expect(data).toMatchObject({ id: passenger.id });
      expect(await findPassenger(server.store.db, 'demo-sandbox', passenger.id)).toBeDefined();
      // now the sandbox already has the stand-in
      const again = await trade({ code: await newCode(server, passenger) }, SANDBOX_CLIENT);
      expect(again.status).toBe(200);
    });

    test('a code works once, and a second use revokes the tokens of the first', async () => {
      const { code } = await consent();
      const { body } = await trade({ code });
      const renewed = await askToken(server, { grant_type: 'refresh_token', refresh_token: body.refresh_token });
      expect(await statusWith(server, body.access_token)).toBe(200);
      expect(await trade({ code })).toMatchObject(REFUSED);
      expect(await statusWith(server, body.access_token)).toBe(401);
      expect(await statusWith(server, renewed.body.access_token)).toBe(401);
      const refresh = await askToken(server, { grant_type: 'refresh_token', refresh_token: body.refresh_token });
      expect(refresh).toMatchObject(REFUSED);
    });

    test('of twenty concurrent uses, one returns a token, and the others revoke it', async () => {
      const passenger = await newLivePassenger(server);
      for (let round = 0; round < ROUNDS; round++) {
        const code = await newCode(server, passenger);
        const answers = await Promise.all(Array.from({ length: 20 }, () => trade({ code })));
        const given = answers.filter(({ status }) => status === 200);
        expect(given).toHaveLength(1);
        expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(19);
        const { access_token, refresh_token } = given[0]!.body;
        expect(await statusWith(server, access_token)).toBe(401);
        expect(await askToken(server, { grant_type: 'refresh_token', refresh_token })).toMatchObject(REFUSED);
      }
    });

    test.each<[string, Record<string, string>, number?]>([
      ['no verifier', {}],
      ['a wrong verifier', { code_verifier: CHALLENGE }],
      ['a wrong redirect_uri', { code_verifier: VERIFIER, redirect_uri: 'https://elsewhere.example/' }],
      ['a code that has expired since', { code_verifier: VERIFIER }, 11 * MINUTE_MS],
    ])('a second use revokes the tokens even with %s', async (_, parameters, later = 0) => {
      const { code } = await consent({ codeChallenge: CHALLENGE });
      const { body } = await trade({ code, code_verifier: VERIFIER });
      server.passTime(later);
      expect(await trade({ code, ...parameters })).toMatchObject(REFUSED);
      expect(await statusWith(server, body.access_token)).toBe(401);
    });

    test.each<[string, string | undefined]>([
      ['no verifier', undefined],
      ['an empty one', ''],
      ['the challenge itself', CHALLENGE],
      ['one in another case', VERIFIER.toLowerCase()],
      ['one with an extra character', `${VERIFIER}A`],
      ['the longest', 'A'.repeat(128)],
    ])('a code with a challenge requires its verifier, and refuses %s', async (_, code_verifier) => {
      const { code } = await consent({ codeChallenge: CHALLENGE });
      expect(await trade({ code, code_verifier })).toMatchObject(REFUSED);
      expect((await trade({ code, code_verifier: VERIFIER })).status).toBe(200);
    });

    test.each([
      ['42 characters', VERIFIER.slice(0, -1)],
      ['129 characters', 'A'.repeat(129)],
      ['a space', ` ${VERIFIER}`],
    ])('a verifier with %s is invalid, and leaves the code valid', async (_, code_verifier) => {
      const { code } = await consent({ codeChallenge: CHALLENGE });
      const { status, body } = await trade({ code, code_verifier });
      expect([status, body.error]).toEqual([400, 'invalid_request']);
      expect((await trade({ code, code_verifier: VERIFIER })).status).toBe(200);
    });

    test('a code without a challenge refuses a verifier, because someone may have removed the challenge', async () => {
      const { code } = await consent();
      expect(await trade({ code, code_verifier: VERIFIER })).toMatchObject(REFUSED);
      expect((await trade({ code, code_verifier: '' })).status).toBe(200);
    });

    test('no verifier meets the challenge of an empty string', async () => {
      const { code } = await consent({ codeChallenge: createHash('sha256').update('').digest('base64url') });
      expect(await trade({ code })).toMatchObject(REFUSED);
      expect(await trade({ code, code_verifier: '' })).toMatchObject(REFUSED);
    });

    /** Exchanges a new code of an application with these redirect URIs, that was sent to one of them. */
    const newTrade = async (redirectUris: readonly string[], redirectUri: string) => {
      const applicationId = `with-${redirectUris.length}`;
      const client = await newApplication(server, applicationId, undefined, { redirectUris });
      const { code } = await consent({ applicationId, redirectUri });
      return (parameters: Record<string, unknown>) => trade({ code, ...parameters }, client);
    };

    describe('the redirect_uri of a code', () => {
      test.each([{ redirect_uri: REDIRECT_URI }, { redirect_uri: '' }, {}])(
        'can be left out, and does not match a lookalike: %j',
        async (parameters) => {
          const tradeWith = await newTrade([REDIRECT_URI], REDIRECT_URI);
          for (const redirect_uri of LOOKALIKES) {
            expect(await tradeWith({ redirect_uri }), redirect_uri).toMatchObject(REFUSED);
          }
          expect((await tradeWith(parameters)).status).toBe(200);
        },
      );

      test.each(SEVERAL_URIS)('is %s if an application with several sent it there', async (sentTo) => {
        const tradeWith = await newTrade(SEVERAL_URIS, sentTo);
        for (const redirect_uri of [...SEVERAL_URIS.filter((uri) => uri !== sentTo), ...MIXTURES]) {
          expect(await tradeWith({ redirect_uri }), redirect_uri).toMatchObject(REFUSED);
        }
        expect((await tradeWith({ redirect_uri: sentTo })).status).toBe(200);
      });
    });
  });

  describe('the body', () => {
    test.each([
      ['a form with a list as grant_type', typed(FORM, 'grant_type[]=client_credentials')],
      ['a form without grant_type', typed(FORM, 'scope=public')],
      ['a form declared as JSON', json('grant_type=client_credentials')],
      ['JSON declared as a form', typed(FORM, '{"grant_type": "client_credentials"}')],
    ])('that is %s is an invalid_request', async (_, call) => {
      const { status, headers, body } = await send(call);
      expect({ status, body }).toEqual(failure(400, 'invalid_request', expect.any(Array)));
      expect(headers.get('cache-control')).toBe('no-store');
    });

    const NOT_SUPPORTED = { grant_type: 'is not supported' };
    test.each<[object, string, Record<string, string>]>([
      [{ grant_type: 'refresh_token' }, 'invalid_request', { refresh_token: 'is required' }],
      [{ grant_type: 'constructor' }, 'unsupported_grant_type', NOT_SUPPORTED],
      [{ grant_type: 'Client_Credentials' }, 'unsupported_grant_type', NOT_SUPPORTED],
    ])('of %j is refused with %s', async (parameters, code, detail) => {
      expect(await send(json(JSON.stringify(parameters)))).toMatchObject(failure(400, code, [detail]));
    });
  });
});
