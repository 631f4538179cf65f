import { describe, expect, test } from 'vitest';
import { SCOPES } from '../../generated/server.ts';
import { deleteApplication } from '../../server/applications/delete.ts';
import { ACCOUNT_PATHS } from '../../server/links.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { runCommand } from '../../server/operator/commands.ts';
import { findBearer } from '../../server/store/bearers.ts';
import { engines } from '../support/database.ts';
import { credentialsOf, type MadeApplication, makeApplication } from '../support/made-application.ts';
import { askToken, sendTo } from '../support/oauth.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import type { TestServer } from '../support/server.ts';
import { clientToken, type Grant, grant, type SignedUp, signUp } from '../support/signed-up.ts';
import { testServer } from '../support/started.ts';
import { requestRideOf } from '../support/take-ride.ts';

/** A passenger who has authorized an application, live and in its sandbox. */
interface Allowed {
  readonly server: TestServer;
  readonly application: MadeApplication;
  readonly passenger: SignedUp;
  readonly live: Grant;
  readonly sandbox: Grant;
  readonly client: string;
}

type Who = 'live' | 'sandbox' | 'client';

async function allowed(server: TestServer): Promise<Allowed> {
  const application = await makeApplication(server);
  const passenger = await signUp(server, application);
  const live = await grant(server, passenger, application);
  const sandbox = await grant(server, passenger, application, 'sandbox', SCOPES.userToken);
  const client = await clientToken(server, application, 'sandbox');
  return { server, application, passenger, live, sandbox, client };
}

const control = ({ server, client }: Allowed) => server.client({ token: client });
const inSandbox = ({ server, sandbox }: Allowed) => server.client({ token: sandbox.accessToken });
const revoke = ({ server, application }: Allowed, operation: 'revokeToken' | 'revokeRefreshToken', token: string) =>
  sendTo(server, operation, { headers: credentialsOf(application), body: JSON.stringify({ token }) });

/** Each kind of change that a request, a form or a command can make, and the tokens that it affects. */
const CHANGES: [what: string, whose: readonly Who[], change: (allowed: Allowed) => Promise<unknown>][] = [
  ['a revoked token', ['live'], (on) => revoke(on, 'revokeToken', on.live.accessToken)],
  ['a revoked refresh token', ['live'], (on) => revoke(on, 'revokeRefreshToken', on.live.refreshToken)],
  ['a frozen clock', ['sandbox', 'client'], (on) => control(on).setClock({ body: { state: 'frozen' } })],
  ['an advanced clock', ['sandbox', 'client'], (on) => control(on).advanceClock({ body: { seconds: 60 } })],
  ['settings', ['sandbox', 'client'], (on) => control(on).updateWorld({ body: { limits: false } })],
  [
    'Prime Time',
    ['sandbox', 'client'],
    (on) => control(on).setPrimeTime({ body: { ...FERRY_BUILDING, primetime_percentage: '50%' } }),
  ],
  ['a webhook URL', ['sandbox', 'client'], (on) => control(on).setWebhooks({ body: { url: 'http://127.0.0.1:9/' } })],
  ['a reset', ['sandbox', 'client'], (on) => control(on).resetWorld()],
  ['traits of a passenger', ['sandbox'], (on) => inSandbox(on).updatePassenger({ body: { driver_mode: true } })],
  [
    'a first ride',
    ['sandbox', 'client'],
    async (on) => {
      await control(on).setClock({ body: { state: 'frozen' } });
      await control(on).updateWorld({ body: { auto_advance: true } });
      await requestRideOf({ api: inSandbox(on) });
      await control(on).advanceClock({ body: { seconds: 7200 } });
    },
  ],
  [
    'an application that the passenger revoked',
    ['live', 'sandbox'],
    async ({ passenger: { visitor }, application }) => {
      await visitor.open(ACCOUNT_PATHS.applications);
      await visitor.submit({ application_id: application.id });
    },
  ],
  [
    'an application that was deleted',
    ['live', 'sandbox', 'client'],
    ({ server, application: { id, developerId } }) =>
      deleteApplication(server.parts, { developerId, network: null, realNow: server.parts.now(), audit: () => {} }, id),
  ],
  [
    'a command of an operator',
    ['live'],
    async ({ server, passenger: { email } }) => {
      const parts = { ...server.parts, audit: () => {} };
      await runCommand(parts, 'passenger.suspended', { passenger: email, on: true });
    },
  ],
];

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 1000 });

  test.each(CHANGES)('the next call sees %s', async (_, whose, change) => {
    const on = await allowed(server);
    const tokens = { live: on.live.accessToken, sandbox: on.sandbox.accessToken, client: on.client };
    const each = <T>(find: (token: string) => Promise<T>) => Promise.all(Object.values(tokens).map(find));
    const kept = () => each((token) => server.store.bearers.find(server.store.db, hashOf(token)));
    const stored = () => each((token) => findBearer(server.store.db, hashOf(token)));
    const called = () =>
      each(
        async (token) =>
          (await server.client({ token }).listRideTypes({ params: { query: FERRY_BUILDING } })).response.status,
      );
    expect(await called()).toEqual([200, 200, 200]);
    const before = await kept();
    await change(on);
    const after = await stored();
    expect(await kept()).toEqual(after);
    const changed = Object.keys(tokens).filter((_, i) => JSON.stringify(after[i]) !== JSON.stringify(before[i]));
    expect(changed).toEqual(whose);
    const valid = after.map((bearer) => (bearer !== undefined && bearer.token.revokedAt === null ? 200 : 401));
    expect(await called()).toEqual(valid);
  });

  test('a token is valid as soon as it is issued, even after a refused call', async () => {
    const application = await makeApplication(server);
    const { status, body } = await askToken(server, { grant_type: 'client_credentials' }, credentialsOf(application));
    expect(status).toBe(200);
    const call = (token: string) => server.client({ token }).listRideTypes({ params: { query: FERRY_BUILDING } });
    expect((await call(`${body.access_token}x`)).response.status).toBe(401);
    expect((await call(body.access_token)).response.status).toBe(200);
  });
});
