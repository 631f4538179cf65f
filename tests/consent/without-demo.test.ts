import { beforeAll, describe, expect, test } from 'vitest';
import { DEMO, DEMO_PASSENGERS, WITHOUT_DEMO } from '../../server/demo.ts';
import { findPassenger, insertStandIn } from '../../server/store/passengers.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { MAYA, newcomer, pageOf, signedInVisitor } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { askToken, newApplication, newCode, statusWith } from '../support/oauth.ts';
import { rawCall } from '../support/raw-call.ts';
import { LIVE, startTestServer } from '../support/server.ts';
import { forAll, testServer } from '../support/started.ts';

const APPLICATION = 'app';
const EMAILS = DEMO_PASSENGERS.map(({ email }) => email);

describe.each(engines)('on a database on %s that had the demo', (engine) => {
  const before = testServer(engine, { withPages: true });
  const server = forAll(() => {
    const store = { ...before.store, close: async () => {} };
    return startTestServer(engine, { ...WITHOUT_DEMO, hasDemo: false, withPages: true, store });
  });

  const ask = { client_id: APPLICATION };
  /** The live and the sandbox credentials of an application that the server knows. */
  let clients: Awaited<ReturnType<typeof newApplication>>[];
  beforeAll(async () => {
    clients = [
      await newApplication(server, APPLICATION),
      await newApplication(server, APPLICATION, `SANDBOX-${APPLICATION}-secret`),
    ];
  });
  const passengers = () => Promise.all(DEMO_PASSENGERS.map(({ id }) => findPassenger(server.store.db, LIVE.id, id)));

  test('a demo passenger is not named, and gets the same response as for a wrong password', async () => {
    const named = (text: string) => new Set([...EMAILS, DEMO.password].map((fact) => text.includes(fact)));
    expect(named((await newcomer(before.baseUrl)).view().text)).toEqual(new Set([true]));
    for (const email of EMAILS) {
      const visitor = await newcomer(server.baseUrl, ask);
      expect(named(visitor.view().text)).toEqual(new Set([false]));
      const wrong = await visitor.submit({ email, password: 'not the password' });
      expect(wrong.text).not.toContain(DEMO.password);
      const right = await visitor.submit({ email, password: MAYA.password });
      expect([right.status, pageOf(right), right.text]).toEqual([422, 'sign-in', wrong.text]);
      expect(visitor.cookies.has('ridehail_session')).toBe(false);
    }
  });

  test('the session of a demo passenger has ended', async () => {
    const signedIn = await signedInVisitor(before.baseUrl, ask);
    expect(pageOf(signedIn.view())).toBe('consent');
    const Cookie = `ridehail_session=${signedIn.cookies.get('ridehail_session')}`;
    expect(pageOf((await newcomer(server.baseUrl, ask, { Cookie })).view())).toBe('sign-in');
  });

  test('no token works for a demo passenger or their stand-in in a sandbox', async () => {
    const sandbox = await server.newWorld({ applicationId: APPLICATION });
    for (const passenger of await passengers()) {
      await insertStandIn(server.store.db, sandbox, passenger!.id, String, 0);
      for (const world of [LIVE, sandbox]) {
        const token = await server.newToken({ world, passenger, applicationId: APPLICATION });
        expect(await statusWith(before, token)).toBe(200);
        const refused = await rawAnswerOf(await rawCall(server.baseUrl, 'getProfile', { token }));
        expect(refused).toEqual(failure(401, 'invalid_token'));
      }
    }
  });

  test('no code or refresh token of a demo passenger returns a token, not even in a sandbox', async () => {
    for (const passenger of await passengers()) {
      for (const client of clients) {
        const newGrant = async () => ({
          grant_type: 'authorization_code',
          code: await newCode(server, passenger!, { applicationId: APPLICATION }),
        });
        const granted = await askToken(before, await newGrant(), client);
        const refresh = { grant_type: 'refresh_token', refresh_token: granted.body.refresh_token };
        expect((await askToken(before, refresh, client)).status).toBe(200);
        for (const parameters of [await newGrant(), refresh]) {
          expect(await askToken(server, parameters, client)).toMatchObject(failure(400, 'invalid_grant'));
        }
      }
    }
  });
});
