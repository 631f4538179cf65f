import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../server/domain/time.ts';
import { findPassenger } from '../../server/store/passengers.ts';
import { failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
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
import { startTestServer, type TestServer } from '../support/server.ts';

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const REFUSED = failure(400, 'invalid_grant');

describe.each(engines)('on %s', (engine) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(engine);
  });
  afterAll(() => server.close());

  const consent = async (change: Parameters<typeof newCode>[2] = {}) => {
    const passenger = await newLivePassenger(server);
    return { passenger, code: await newCode(server, passenger, change) };
  };
  const trade = (parameters: Record<string, unknown>, client = LIVE_CLIENT) =>
    askToken(server, { grant_type: 'authorization_code', ...parameters }, client);

  test('a code gives a user token for an hour, and a refresh token with offline', async () => {
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

  test('a form with redirect_uri, as standard clients send it, does too', async () => {
    const { code } = await consent();
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'https://app.example/cb',
    });
    const headers = { ...LIVE_CLIENT, 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await sendTo(server, 'createToken', { headers, body: form.toString() })).status).toBe(200);
  });

  test('what the passenger granted is what the token has', async () => {
    const { code } = await consent({ scopes: ['public', 'rides.read'] });
    const { body } = await trade({ code });
    expect(body.scope).toBe('public rides.read');
    expect(body).not.toHaveProperty('refresh_token');
    expect(await statusWith(server, body.access_token)).toBe(401);
  });

  test('with the sandbox secret the token acts there, and the passenger is there', async () => {
    const { passenger, code } = await consent();
    const { body } = await trade({ code }, SANDBOX_CLIENT);
    const { data } = await server.client({ token: body.access_token }).getProfile();
    expect(data).toMatchObject({ id: passenger.id, first_name: passenger.firstName });
    expect(await findPassenger(server.store.db, 'demo-sandbox', passenger.id)).toMatchObject({
      email: passenger.email,
    });
    // and once more, when the copy is there already
    const again = await trade({ code: await newCode(server, passenger) }, SANDBOX_CLIENT);
    expect(again.status).toBe(200);
  });

  test('a code works once, and a second use ends what the first gave', async () => {
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

  test('a second use is one also after the code would have expired', async () => {
    const { code } = await consent();
    const { body } = await trade({ code });
    server.passTime(11 * MINUTE_MS);
    expect(await trade({ code })).toMatchObject(REFUSED);
    expect(await statusWith(server, body.access_token)).toBe(401);
  });

  test('of twenty uses at once one gets a token, which the others end', async () => {
    const { code } = await consent();
    const answers = await Promise.all(Array.from({ length: 20 }, () => trade({ code })));
    const given = answers.filter(({ status }) => status === 200);
    expect(given).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(19);
    expect(await statusWith(server, given[0]!.body.access_token)).toBe(401);
  });

  test('a code works for ten minutes', async () => {
    const { code } = await consent();
    const { code: other } = await consent();
    server.passTime(10 * MINUTE_MS - 1);
    expect((await trade({ code })).status).toBe(200);
    server.passTime(1);
    expect(await trade({ code: other })).toMatchObject(REFUSED);
  });

  test('a code is for the application that it was given to, which can still use it', async () => {
    const { code } = await consent();
    const other = await newApplication(server, 'other');
    expect(await trade({ code }, other)).toMatchObject(REFUSED);
    expect((await trade({ code })).status).toBe(200);
  });

  test.each(['made-up', 'nul\0', '\ud800'])('the code %j is not one', async (code) => {
    expect((await trade({ code })).status).toBe(400);
  });

  test.each([{}, { code: '' }])('%j without a code is an invalid_request', async (parameters) => {
    expect(await trade(parameters)).toMatchObject(failure(400, 'invalid_request', [{ code: 'is required' }]));
  });

  test('a challenged code wants its verifier', async () => {
    const { code } = await consent({ codeChallenge: CHALLENGE });
    expect(await trade({ code })).toMatchObject(REFUSED);
    expect(await trade({ code, code_verifier: '' })).toMatchObject(REFUSED);
    expect(await trade({ code, code_verifier: CHALLENGE })).toMatchObject(REFUSED);
    expect((await trade({ code, code_verifier: VERIFIER })).status).toBe(200);
  });

  test('a challenge that was made of nothing is met by nothing', async () => {
    const { code } = await consent({ codeChallenge: createHash('sha256').update('').digest('base64url') });
    expect(await trade({ code })).toMatchObject(REFUSED);
    expect(await trade({ code, code_verifier: '' })).toMatchObject(REFUSED);
  });

  test('a redirect_uri that was named must be named again', async () => {
    const redirectUri = 'https://app.example/callback';
    const { code } = await consent({ redirectUri });
    expect(await trade({ code, redirect_uri: `${redirectUri}/other` })).toMatchObject(REFUSED);
    expect((await trade({ code, redirect_uri: redirectUri })).status).toBe(200);
  });
});
