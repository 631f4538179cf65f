import { describe, expect, test } from 'vitest';
import { DEMO } from '../../server/demo.ts';
import { failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { basic } from '../support/demo-caller.ts';
import {
  askToken,
  LIVE_CLIENT,
  newApplication,
  newCode,
  newGrant,
  newLivePassenger,
  sendTo,
  statusWith,
} from '../support/oauth.ts';
import { testServer } from '../support/started.ts';

type Texts = Readonly<Record<string, string>>;

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const BOTH = { client_id: DEMO.clientId, client_secret: DEMO.clientSecret };
/** A body that all three operations accept, because they ignore unknown parameters. */
const BODY = { grant_type: 'client_credentials', token: 'made-up' };

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 100 });

  /** Sends the body to each operation as JSON and as a form. */
  const answersTo = (headers: Texts, more: Texts = {}) => {
    const body = { ...BODY, ...more };
    const calls = [
      { headers, body: JSON.stringify(body) },
      { headers: { ...FORM, ...headers }, body: new URLSearchParams(body).toString() },
    ];
    const operations = ['createToken', 'revokeToken', 'revokeRefreshToken'] as const;
    return Promise.all(operations.flatMap((operation) => calls.map((call) => sendTo(server, operation, call))));
  };

  test.each<[string, Texts, Texts?]>([
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
    ['only in the body', {}, BOTH],
    ['in the body next to a bearer token', { Authorization: `Bearer ${DEMO.clientSecret}` }, BOTH],
    ['in the body next to a wrong one in Basic', basic(DEMO.clientId, 'wrong'), BOTH],
  ])('a secret that is %s is a 401 that asks for Basic', async (_, headers, inBody) => {
    for (const { status, headers: answered, body } of await answersTo(headers, inBody)) {
      expect({ status, body }).toEqual(failure(401, 'invalid_client'));
      expect(answered.get('www-authenticate')).toMatch(/^Basic realm="[^"]+"/);
      expect(answered.get('cache-control')).toBe('no-store');
      if (inBody && headers.Authorization === undefined)
        expect(body.error_description).toMatch(/^The client credentials are missing\. .*HTTP Basic/);
    }
  });

  test('a secret can contain any character, form-encoded before base64', async () => {
    const secret = 'a b:c+d%e&ä/ö';
    await newApplication(server, 'odd-secret', secret);
    const encoded = basic('odd%2Dsecret', encodeURIComponent(secret).replaceAll('%20', '+'));
    for (const { status } of await answersTo(encoded)) expect(status).toBe(200);
  });

  describe('client credentials in the body, next to Basic,', () => {
    test.each<[string, Texts, string]>([
      ['the secret of the sandbox', { client_secret: DEMO.sandboxClientSecret }, 'client_secret'],
      ['a wrong secret', { client_id: DEMO.clientId, client_secret: 'wrong' }, 'client_secret'],
      ['another id', { client_id: 'another' }, 'client_id'],
      ['the id in another case', { client_id: 'Demo' }, 'client_id'],
    ])('are an invalid_request: %s', async (_, credentials, blamed) => {
      const detail = [{ [blamed]: expect.stringMatching(/^must .*HTTP Basic/) }];
      for (const { status, headers, body } of await answersTo(LIVE_CLIENT, credentials)) {
        expect({ status, body }).toEqual(failure(400, 'invalid_request', detail));
        expect(headers.get('cache-control')).toBe('no-store');
      }
    });

    test('neither use up a code nor revoke a token', async () => {
      const code = await newCode(server, await newLivePassenger(server));
      const trade = { grant_type: 'authorization_code', code };
      const wrong = { client_secret: 'wrong' };
      expect((await askToken(server, { ...trade, ...wrong })).status).toBe(400);
      expect((await askToken(server, trade)).status).toBe(200);
      const { refreshToken, accessToken } = await newGrant(server);
      for (const { status } of await answersTo(LIVE_CLIENT, { ...wrong, token: refreshToken }))
        expect(status).toBe(400);
      expect(await statusWith(server, accessToken)).toBe(200);
    });

    test.each<Texts>([
      { client_id: DEMO.clientId },
      { client_secret: DEMO.clientSecret },
      BOTH,
      { client_id: '', client_secret: '' },
    ])('are accepted if they are %j, because clients send it', async (credentials) => {
      for (const { status } of await answersTo(LIVE_CLIENT, credentials)) expect(status).toBe(200);
    });
  });
});
