import { describe, expect, test } from 'vitest';
import { DEMO_PASSENGERS, WITHOUT_DEMO } from '../../server/demo.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { findPassenger, insertStandIn } from '../../server/store/passengers.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { MAYA, newcomer, pageOf, signedInVisitor } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { askToken, newApplication, newCode } from '../support/oauth.ts';
import { rawCall } from '../support/raw-call.ts';
import { LIVE, startTestServer } from '../support/server.ts';
import { forAll, testServer } from '../support/started.ts';

const APPLICATION = 'app';

describe.each(engines)('on a database on %s that had the demo', (engine) => {
  const before = testServer(engine, { withPages: true });
  const server = forAll(() => {
    const store = { ...before.store, close: async () => {} };
    return startTestServer(engine, { ...WITHOUT_DEMO, hasDemo: false, withPages: true, store });
  });

  /** An application that the server knows, with its live and its sandbox credentials. */
  const newClient = async () => {
    const live = await newApplication(server, APPLICATION);
    const sandbox = await newApplication(server, APPLICATION, `SANDBOX-${APPLICATION}-secret`);
    return { live, sandbox };
  };
  const passengerOf = async (id: string) => (await findPassenger(server.store.db, LIVE_WORLD.id, id))!;

  test('a demo passenger gets the same response as for a wrong password', async () => {
    await newClient();
    for (const { email } of DEMO_PASSENGERS) {
      const visitor = await newcomer(server.baseUrl, { client_id: APPLICATION });
      const wrong = await visitor.submit({ email, password: 'not the password' });
      const right = await visitor.submit({ email, password: MAYA.password });
      expect([right.status, pageOf(right), right.text]).toEqual([422, 'sign-in', wrong.text]);
      expect(visitor.cookies.has('ridehail_session')).toBe(false);
    }
  });

  test('the session of a demo passenger has ended', async () => {
    await newClient();
    const signedIn = await signedInVisitor(before.baseUrl, { client_id: APPLICATION });
    expect(pageOf(signedIn.view())).toBe('consent');
    const visitor = await newcomer(
      server.baseUrl,
      { client_id: APPLICATION },
      {
        Cookie: `ridehail_session=${signedIn.cookies.get('ridehail_session')}`,
      },
    );
    expect(pageOf(visitor.view())).toBe('sign-in');
  });

  test('no token works for a demo passenger or their stand-in in a sandbox', async () => {
    await newClient();
    const sandbox = await server.newWorld({ applicationId: APPLICATION });
    for (const { id } of DEMO_PASSENGERS) {
      const passenger = await passengerOf(id);
      await insertStandIn(server.store.db, sandbox, id, String, 0);
      for (const world of [LIVE, sandbox]) {
        const token = await server.newToken({ world, passenger, applicationId: APPLICATION });
        expect((await rawCall(before.baseUrl, 'getProfile', { token })).status).toBe(200);
        const refused = await rawAnswerOf(await rawCall(server.baseUrl, 'getProfile', { token }));
        expect(refused).toEqual(failure(401, 'invalid_token'));
      }
    }
  });

  test('no code or refresh token of a demo passenger returns a token, not even in a sandbox', async () => {
    const { live, sandbox } = await newClient();
    for (const { id } of DEMO_PASSENGERS) {
      const passenger = await passengerOf(id);
      for (const client of [live, sandbox]) {
        const [code, other] = [
          await newCode(server, passenger, { applicationId: APPLICATION }),
          await newCode(server, passenger, { applicationId: APPLICATION }),
        ];
        const granted = await askToken(before, { grant_type: 'authorization_code', code: other }, client);
        const refresh = { grant_type: 'refresh_token', refresh_token: granted.body.refresh_token };
        expect((await askToken(before, refresh, client)).status).toBe(200);
        for (const parameters of [{ grant_type: 'authorization_code', code }, refresh]) {
          const { status, body } = await askToken(server, parameters, client);
          expect({ status, body }).toEqual(failure(400, 'invalid_grant'));
        }
      }
    }
  });
});
