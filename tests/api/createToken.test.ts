import { describe, expect, test } from 'vitest';
import { document } from '../../scripts/contract/read.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { failure } from '../support/answers.ts';
import { SAN_FRANCISCO } from '../support/cities.ts';
import { engines } from '../support/database.ts';
import { askToken, LIVE_CLIENT, SANDBOX_CLIENT, sendTo } from '../support/oauth.ts';
import { testServer } from '../support/started.ts';

const FORM = 'application/x-www-form-urlencoded';
const PARAMETERS = Object.keys(document.components.schemas.TokenRequest!.properties!);

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

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
      expect(answer).toMatchObject(failure(400, 'invalid_scope', [{ scope: `${named}; available: public` }]));
      expect(answer.body.error_description).toBe(
        `${refused === null ? 'A scope' : `The scope ${refused}`} cannot be granted: ${whyNot}. Available scopes: public.`,
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

  describe('the secret', () => {
    test('of the sandbox returns a token that works in the sandbox', async () => {
      const world = (await askToken(server, { grant_type: 'client_credentials' }, SANDBOX_CLIENT)).body.access_token;
      const live = (await askToken(server, { grant_type: 'client_credentials' })).body.access_token;
      const carsOf = async (token: string) =>
        (await server.client({ token }).listDrivers({ params: { query: SAN_FRANCISCO.center } })).data;
      expect(await carsOf(world)).not.toEqual(await carsOf(live));
    });
  });

  describe('the body', () => {
    test('can be a form', async () => {
      const { status, body } = await send(typed(FORM, 'grant_type=client_credentials&scope=public'));
      expect({ status, body }).toEqual({ status: 200, body: CLIENT_TOKEN });
    });

    test.each([
      ['malformed JSON', json('{"grant_type": "client_credentials"')],
      ['JSON with an empty grant_type', json('{"grant_type": ""}')],
      ['a form with a list as grant_type', typed(FORM, 'grant_type[]=client_credentials')],
      ['a form without grant_type', typed(FORM, 'scope=public')],
      ['an empty form', typed(FORM, '')],
      ['a form declared as JSON', json('grant_type=client_credentials')],
      ['JSON declared as a form', typed(FORM, '{"grant_type": "client_credentials"}')],
      ['JSON in a broken encoding', { ...json('{}'), headers: { ...LIVE_CLIENT, 'Content-Encoding': 'gzip' } }],
    ])('that is %s is an invalid_request', async (_, call) => {
      const { status, headers, body } = await send(call);
      expect({ status, body }).toEqual(failure(400, 'invalid_request', expect.any(Array)));
      expect(headers.get('cache-control')).toBe('no-store');
    });

    const NOT_SUPPORTED = { grant_type: 'is not supported' };
    test.each<[object, string, Record<string, string>]>([
      [{ grant_type: 'authorization_code' }, 'invalid_request', { code: 'is required' }],
      [{ grant_type: 'refresh_token' }, 'invalid_request', { refresh_token: 'is required' }],
      [{ grant_type: 'password' }, 'unsupported_grant_type', NOT_SUPPORTED],
      [{ grant_type: 'constructor' }, 'unsupported_grant_type', NOT_SUPPORTED],
      [{ grant_type: 'Client_Credentials' }, 'unsupported_grant_type', NOT_SUPPORTED],
    ])('of %j is refused with %s', async (parameters, code, detail) => {
      expect(await send(json(JSON.stringify(parameters)))).toMatchObject(failure(400, code, [detail]));
    });

    test.each(PARAMETERS)('with %s twice, or with NUL, is an invalid_request that names it', async (name) => {
      const twice = failure(400, 'invalid_request', [{ [name]: 'must be sent only once' }]);
      const nul = failure(400, 'invalid_request', [{ [name]: 'must be valid Unicode text without NUL characters' }]);
      const grant: Record<string, string> = name === 'grant_type' ? {} : { grant_type: 'client_credentials' };
      const sound = new URLSearchParams(grant).toString();
      expect(await send(typed(FORM, `${sound}&${name}=a&${name}=a`))).toMatchObject(twice);
      expect(await send(typed(FORM, `${sound}&${name}=a%00`))).toMatchObject(nul);
      const field = (value: string) => JSON.stringify({ ...grant, [name]: value }).slice(1);
      expect(await send(json(`{"${name}": "a", ${field('a')}`))).toMatchObject(twice);
      expect(await send(json(`{${field('a\0')}`))).toMatchObject(nul);
    });
  });
});
