import { describe, expect, test } from 'vitest';
import { document } from '../../scripts/contract/read.ts';
import { DEMO } from '../../server/demo.ts';
import { DAY_MS, HOUR_MS } from '../../server/domain/time.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { replaceSecret } from '../../server/store/application-keys.ts';
import { failure } from '../support/answers.ts';
import { SAN_FRANCISCO } from '../support/cities.ts';
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
} from '../support/oauth.ts';
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
    test.each([
      ['rides.read', 'rides.read', NEEDS_CONSENT],
      ['public profile', 'profile', NEEDS_CONSENT],
      ['offline', 'offline', NEEDS_CONSENT],
      ['everything rides.read', 'everything', NO_SUCH],
    ])('the scope %j is an invalid_scope', async (scope, refused, whyNot) => {
      const answer = await askToken(server, { grant_type: 'client_credentials', scope });
      const detail = [{ scope: `${refused} cannot be granted; available: public` }];
      expect(answer).toMatchObject(failure(400, 'invalid_scope', detail));
      expect(answer.body.error_description).toBe(
        `The scope ${refused} cannot be granted: ${whyNot}. Available scopes: public.`,
      );
    });

    test.each([
      ['in upper case', 'Public'],
      ['with a comma', 'public,rides.read'],
      ['with a digit, as a token has', 'a1b2c3'],
      ['with a tab', 'public\trides.read'],
      ['with a quotation mark', '"'],
      ['with a backslash', '\\'],
      ['beyond ASCII', 'é'],
      ['of 60,000 characters', 'x'.repeat(60_000)],
    ])('a scope %s is an invalid_scope that does not repeat it', async (_, scope) => {
      const answer = await askToken(server, { grant_type: 'client_credentials', scope });
      expect(answer).toMatchObject(failure(400, 'invalid_scope', [{ scope: 'cannot be granted; available: public' }]));
      expect(answer.body.error_description).toBe(`A scope cannot be granted: ${NO_SUCH}. Available scopes: public.`);
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

  describe.each(['live', 'sandbox'] as const)('a rotated %s secret', (environment) => {
    const other = environment === 'live' ? 'sandbox' : 'live';
    let count = 0;

    /** Creates an application and gets a token with each of its secrets. */
    const newClient = async () => {
      count += 1;
      const id = `rotated-${environment}-${count}`;
      const secrets = { live: `${id}-secret`, sandbox: `SANDBOX-${id}-secret` };
      await newApplication(server, id);
      const askWith = (secret: string) => askToken(server, { grant_type: 'client_credentials' }, basic(id, secret));
      const statusWith = async (secret: string) => (await askWith(secret)).status;
      /** Replaces the secret of this environment. @returns the new one */
      const rotate = async (name: string, overlapMs: number | null) => {
        const now = server.parts.now();
        const previousEndsAt = overlapMs === null ? null : now + overlapMs;
        const fresh = { hash: hashOf(name), previousEndsAt, verificationToken: `for ${name}` };
        await replaceSecret(server.store.db, id, environment, fresh, now);
        return name;
      };
      const tokens = await Promise.all(Object.values(secrets).map(async (secret) => (await askWith(secret)).body));
      return { secrets, tokens, rotate, statusWith };
    };

    test('stops working at once; the other secret and all tokens stay valid', async () => {
      const { secrets, tokens, rotate, statusWith } = await newClient();
      const fresh = await rotate('fresh', null);
      expect(await statusWith(secrets[environment])).toBe(401);
      expect([await statusWith(fresh), await statusWith(secrets[other])]).toEqual([200, 200]);
      for (const { access_token } of tokens) expect((await placesWith(access_token)).response.status).toBe(200);
    });

    test('stays valid until the chosen time', async () => {
      const { secrets, rotate, statusWith } = await newClient();
      const fresh = await rotate('fresh', DAY_MS);
      server.passTime(DAY_MS - 1);
      expect([await statusWith(secrets[environment]), await statusWith(fresh)]).toEqual([200, 200]);
      server.passTime(1);
      expect([await statusWith(secrets[environment]), await statusWith(fresh)]).toEqual([401, 200]);
    });

    test('stops working at the next rotation, even if it was to stay valid for longer', async () => {
      const { secrets, rotate, statusWith } = await newClient();
      const second = await rotate('second', DAY_MS);
      const third = await rotate('third', HOUR_MS);
      const statuses = [secrets[environment], second, third].map((secret) => statusWith(secret));
      expect(await Promise.all(statuses)).toEqual([401, 200, 200]);
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

    test('can contain any character, form-encoded before base64', async () => {
      const secret = 'a b:c+d%e&ä/ö';
      await newApplication(server, 'odd-secret', secret);
      const encoded = basic('odd%2Dsecret', encodeURIComponent(secret).replaceAll('%20', '+'));
      expect((await askToken(server, { grant_type: 'client_credentials' }, encoded)).status).toBe(200);
    });

    test.each<[string, Record<string, string>]>([
      ['missing', {}],
      ['wrong', basic(DEMO.clientId, 'wrong')],
      ['empty', basic(DEMO.clientId, '')],
      ['of another application', basic('nobody', DEMO.clientSecret)],
      ['sent as a bearer token', { Authorization: `Bearer ${DEMO.clientSecret}` }],
      ['not base64', { Authorization: 'Basic ???' }],
      ['without a colon', { Authorization: `Basic ${btoa('demo')}` }],
      ['badly encoded', basic(DEMO.clientId, '%E0%A4%A')],
      ['with bytes that are not text', { Authorization: 'Basic ZGVtbzr//w==' }],
      ['without an id', basic('', DEMO.clientSecret)],
      ['with NUL in the client ID', basic('demo%00', DEMO.clientSecret)],
      ['with a client ID of 5,000 characters', basic('x'.repeat(5000), DEMO.clientSecret)],
      ['with the client ID __proto__', basic('__proto__', DEMO.clientSecret)],
    ])('%s is a 401 that asks for Basic', async (_, headers) => {
      const { status, headers: answered, body } = await askToken(server, { grant_type: 'client_credentials' }, headers);
      expect({ status, body }).toEqual(failure(401, 'invalid_client'));
      expect(answered.get('www-authenticate')).toMatch(/^Basic realm="[^"]+"/);
      expect(answered.get('cache-control')).toBe('no-store');
    });
  });

  describe('client credentials in the body', () => {
    const GRANT = { grant_type: 'client_credentials' };
    const BOTH = { client_id: DEMO.clientId, client_secret: DEMO.clientSecret };
    /** Sends the parameters as JSON, then as a form. */
    const askTwice = async (parameters: Record<string, string>, client: Record<string, string>) => [
      await askToken(server, parameters, client),
      await send({
        headers: { 'Content-Type': FORM, ...client },
        body: new URLSearchParams(parameters).toString(),
      }),
    ];

    test.each<[string, Record<string, string>]>([
      ['no other credentials', {}],
      ['a bearer token', { Authorization: `Bearer ${DEMO.clientSecret}` }],
      ['wrong credentials in Basic', basic(DEMO.clientId, 'wrong')],
    ])('do not count with %s', async (_, headers) => {
      for (const { status, headers: answered, body } of await askTwice({ ...GRANT, ...BOTH }, headers)) {
        expect({ status, body }).toEqual(failure(401, 'invalid_client'));
        expect(answered.get('www-authenticate')).toMatch(/^Basic /);
      }
    });

    test('get an error that explains how to send them', async () => {
      const { body } = await askToken(server, { ...GRANT, ...BOTH }, {});
      expect(body.error_description).toMatch(/^The client credentials are missing\. .*HTTP Basic/);
    });

    test.each<[string, Record<string, string>, string]>([
      ['the same secret', BOTH, 'client_secret'],
      ['a secret without an id', { client_secret: DEMO.clientSecret }, 'client_secret'],
      ['the secret of the sandbox', { client_secret: DEMO.sandboxClientSecret }, 'client_secret'],
      ['a wrong secret', { client_id: DEMO.clientId, client_secret: 'wrong' }, 'client_secret'],
      ['another id', { client_id: 'another' }, 'client_id'],
      ['the id in another case', { client_id: 'Demo' }, 'client_id'],
    ])('%s next to Basic is an invalid_request', async (_, credentials, blamed) => {
      const detail = [{ [blamed]: expect.stringMatching(/^must .*HTTP Basic/) }];
      for (const { status, body } of await askTwice({ ...GRANT, ...credentials }, LIVE_CLIENT)) {
        expect({ status, body }).toEqual(failure(400, 'invalid_request', detail));
      }
    });

    test('do not use up a code', async () => {
      const code = await newCode(server, await newLivePassenger(server));
      const trade = { grant_type: 'authorization_code', code };
      expect((await askToken(server, { ...trade, ...BOTH })).status).toBe(400);
      expect((await askToken(server, trade)).status).toBe(200);
    });

    test.each<Record<string, string>>([{ client_id: DEMO.clientId }, { client_id: '', client_secret: '' }])(
      '%j next to Basic is accepted, because clients send it',
      async (credentials) => {
        for (const { status } of await askTwice({ ...GRANT, ...credentials }, LIVE_CLIENT)) expect(status).toBe(200);
      },
    );
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

    test.each([
      ['authorization_code', 'code'],
      ['refresh_token', 'refresh_token'],
    ])('with grant_type %s requires a %s that is not empty', async (grant_type, name) => {
      const missing = failure(400, 'invalid_request', [{ [name]: 'is required' }]);
      expect(await askToken(server, { grant_type })).toMatchObject(missing);
      expect(await askToken(server, { grant_type, [name]: '' })).toMatchObject(missing);
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

    test.each(['password', 'constructor', 'Client_Credentials'])(
      'with grant_type %j is an unsupported_grant_type',
      async (grant_type) => {
        const answer = await askToken(server, { grant_type });
        expect(answer).toMatchObject(failure(400, 'unsupported_grant_type', [{ grant_type: expect.any(String) }]));
        expect(answer.headers.get('cache-control')).toBe('no-store');
      },
    );
  });
});
