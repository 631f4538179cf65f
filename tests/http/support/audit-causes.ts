import { expect } from 'vitest';
import { acceptOffer, declineOffer, withdrawOffer } from '../../../server/applications/transfer.ts';
import { type AUDIT_EVENTS, type AuditEventName, auditTo } from '../../../server/audit.ts';
import { DEMO, DEMO_DEVELOPER, DEMO_PASSENGERS } from '../../../server/demo.ts';
import type { Passenger } from '../../../server/domain/passenger.ts';
import { DAY_MS } from '../../../server/domain/time.ts';
import { developmentRouter } from '../../../server/http/development.ts';
import { ACCOUNT_PATHS, CONSENT_PATHS, PORTAL_PATHS } from '../../../server/links.ts';
import { KEY_SIGNS_MS, openSigningKeys } from '../../../server/signing-keys.ts';
import { setSettings } from '../../../server/store/applications.ts';
import { findPassengerByEmail } from '../../../server/store/passengers.ts';
import { sweep } from '../../../server/workers/sweep.ts';
import { passengerAt, storedMaya } from '../../account/support.ts';
import { atOwn, newEventOf, REDIRECT_URI, send as sendForm } from '../../portal/applications-support.ts';
import { DEVELOPER, developerAt, newDeveloper, storedDeveloper } from '../../portal/support.ts';
import { ADA, csrfTokenOn, MAYA, queryOfRequest, signedInVisitor } from '../../support/consent.ts';
import { basic } from '../../support/demo-caller.ts';
import { askToken, LIVE_CLIENT, newApplication, newCode, newGrant, sendTo } from '../../support/oauth.ts';
import { rawCall } from '../../support/raw-call.ts';
import { startReceiver } from '../../support/receiver.ts';
import { type MadeWorld, makeWorld } from '../../support/sandboxes.ts';
import { SEARCHED_NUMBER } from '../../support/searched.ts';
import { LIVE, type TestServer } from '../../support/server.ts';
import { type FormValues, newVisitor } from '../../support/visitor.ts';
import { serveWith } from './added-routers.ts';
import { type On, offered, operate, operated, operatorsDeveloper, set } from './operated.ts';

/** tests/process/ covers these events, and tests/operator/ covers the last one. */
type OfProcesses = 'server' | 'backup' | 'restore' | 'migrate_to_postgres' | 'passenger_changed';
/** What a line is expected to contain. All other fields of its event are null. */
export type Said = Readonly<Record<string, unknown>>;
type Cause = (on: On) => Promise<Said>;
type Causes = {
  readonly [Name in Exclude<AuditEventName, OfProcesses>]: Readonly<
    Record<(typeof AUDIT_EVENTS)[Name]['results'][number], Cause | readonly Cause[]>
  >;
};

const SECRETS_BEFORE_SLOW = 20;
const UNTIL_SLOW = { isSlow: true };
const demo = { application: DEMO.clientId };
const maya = { ...demo, passenger: DEMO_PASSENGERS[0]!.id };
const WRONG = { email: MAYA.email, password: 'not her password' };
const GRANT = { ...demo, grant: 'authorization_code', operation: 'createToken' };
const AT_SIGN_IN = { developer: DEMO_DEVELOPER.id, operation: PORTAL_PATHS.signIn };
const STRANGER = 'strange@example.com';
const FIRST = 'first@example.com';
const OTHERS = ['second@example.com', 'third@example.com'];
const HOOK = 'http://127.0.0.1:65530/secret-path';

/** Sends the form of a page as a new visitor. */
async function sendAt({ baseUrl }: TestServer, path: string, values: FormValues): Promise<void> {
  const visitor = newVisitor(baseUrl);
  await visitor.open(path);
  await visitor.submit(values);
}
const signUp = (server: TestServer, email: string) =>
  sendAt(server, `${CONSENT_PATHS.signUp}?${queryOfRequest()}`, { ...ADA, email });
const signUpDeveloper = (server: TestServer, email: string) =>
  sendAt(server, PORTAL_PATHS.signUp, { email, password: NEW_PASSWORD.new_password });

const NEW_PASSWORD = { new_password: 'a brand new one', repeated_password: 'a brand new one' };
const VISA = { action: 'add', card_number: '4242 4242 4242 4242', expires: '04/29', security_code: '123' };
const DECLINED = { ...VISA, card_number: '4000 0000 0000 0002' };
const PHONE = { action: 'send', phone_number: SEARCHED_NUMBER };

/** Signs in a new passenger and opens an account page. */
async function inAccount({ server }: On, path: string, at: TestServer = server) {
  const { passwordHash } = await storedMaya(server);
  const passenger = await server.newPassenger(LIVE, { passwordHash });
  const visitor = await passengerAt(at, passenger, path);
  return { visitor, passenger, said: { passenger: passenger.id, operation: path } };
}

async function inDevelopersAccount({ server }: On, path: string, at: TestServer) {
  const developer = await newDeveloper(server);
  return { visitor: await developerAt(at, path, developer), said: { developer: developer.id } };
}

/** @returns the cause `work`, after which a line has these fields */
const after = (said: Said, work: (on: On) => Promise<unknown>) => async (on: On) => {
  await work(on);
  return said;
};

/** Does the same twice on the strict server. */
const twice = (said: Said, work: (strict: TestServer, n: number) => Promise<unknown>) =>
  after(said, async ({ strict }) => {
    for (let n = 0; n < 2; n++) await work(strict, n);
  });

/** Submits a form of a new account, once or until the server slows it down. */
const submits =
  (path: string, values: FormValues, { to = path, isSlow = false } = {}) =>
  async (on: On): Promise<Said> => {
    const signIn = path.startsWith(PORTAL_PATHS.overview) ? inDevelopersAccount : inAccount;
    const { visitor, said } = await signIn(on, path, isSlow ? on.strict : on.server);
    for (let tries = 0; (await visitor.submit(values, to)).status !== 429 && isSlow; tries++) {
      expect(tries).toBeLessThan(SECRETS_BEFORE_SLOW);
      await visitor.open(path);
    }
    return { ...said, operation: to };
  };

/** Submits a form with the password of the account, with another one, and with others until the server slows it down. */
const withPassword = (path: string, values: FormValues, field: string) => ({
  succeeded: submits(path, { ...values, [field]: DEMO.password }),
  failed: submits(path, { ...values, [field]: 'guessed' }),
  slowed_down: submits(path, { ...values, [field]: 'guessed' }, UNTIL_SLOW),
});
const DELETION = { word: 'delete' };

/** Decides on a request for the scope public. */
const decides = (decision: 'allow' | 'deny', scopes: readonly string[]) =>
  after({ ...maya, scopes, operation: 'authorizeApplication' }, async ({ server }) =>
    (await signedInVisitor(server.baseUrl, { scope: 'public' })).submit({ decision }),
  );

/** Posts fields that the page of a new account has no form for. */
const posts =
  (path: string, fields: Readonly<Record<string, string>>, before = async (_on: On, _passenger: Passenger) => {}) =>
  async (on: On): Promise<Said> => {
    const { visitor, passenger, said } = await inAccount(on, path);
    await before(on, passenger);
    await visitor.post(path, new URLSearchParams({ ...fields, csrf_token: csrfTokenOn(visitor.view()) }));
    return said;
  };
/** Requests a verification code and enters it with `by` added. */
const verified = (by: number) => async (on: On) => {
  const { visitor, said } = await inAccount(on, ACCOUNT_PATHS.phone);
  await visitor.submit(PHONE);
  const [code = ''] = /\d{6}/.exec(on.server.parts.textMessages!.latestTo!(SEARCHED_NUMBER)!)!;
  const typed = String((Number(code) + by) % 1_000_000).padStart(6, '0');
  await visitor.submit({ action: 'verify', code: typed });
  return said;
};

const revokedAccess = (application_id: string) =>
  posts(ACCOUNT_PATHS.applications, { application_id }, async ({ server }, passenger) => {
    await askToken(server, { grant_type: 'authorization_code', code: await newCode(server, passenger) });
  });

const revoke = (server: TestServer, token: string, by: 'revokeToken' | 'revokeRefreshToken') =>
  sendTo(server, by, { headers: LIVE_CLIENT, body: JSON.stringify({ token }) });
const revoked =
  (kind: 'accessToken' | 'refreshToken', operation: Parameters<typeof revoke>[2]): Cause =>
  async ({ server }) => {
    const { passenger, [kind]: token } = await newGrant(server);
    const { headers } = await revoke(server, token, operation);
    return { ...demo, passenger: passenger.id, operation, requestId: headers.get('x-request-id') };
  };

async function onDevelopment({ server }: On, method: string, path: string, body: object): Promise<void> {
  const baseUrl = await serveWith(server.parts, [developmentRouter(server.parts)]);
  const headers = { 'Content-Type': 'application/json' };
  await fetch(`${baseUrl}/development/${path}`, { method, headers, body: JSON.stringify(body) });
}

const inWorld =
  (operation: string, work: (made: MadeWorld) => Promise<unknown> = async () => {}) =>
  async ({ server }: On) => {
    const made = await makeWorld(server);
    await work(made);
    return { ...demo, world: made.world.world_id, operation };
  };

/** Sends a test event from the portal to a receiver. @param isSlow sends more events than a minute allows */
const testEvent =
  (environment: 'live' | 'sandbox', status: number, isSlow = false) =>
  async ({ server, strict }: On) => {
    const receiver = await startReceiver(() => status);
    const urls = { webhookUrl: receiver.url, sandboxWebhookUrl: receiver.url };
    const { visitor, path, developer, application } = await atOwn(isSlow ? strict : server, '/webhooks', urls);
    for (let sent = 0; sent < (isSlow ? 2 : 1); sent++) {
      await visitor.open(`${path}/webhooks`);
      await sendForm(visitor, { environment, action: 'test' });
    }
    await receiver.close();
    const world = environment === 'live' ? LIVE.id : application.sandboxWorldId;
    const operation = `${PORTAL_PATHS.application}/webhooks`;
    return { application: application.id, developer: developer.id, world, operation };
  };

/** Guesses the password that lets the live secret read events. */
const guessesForEvents =
  (isSlow = false) =>
  async ({ server, strict }: On) => {
    const { visitor, path, developer, application } = await atOwn(isSlow ? strict : server, '/settings');
    const guess = () => sendForm(visitor, { action: 'events' }, { password: 'guessed' });
    for (let tries = 0; (await guess()).status !== 429 && isSlow; tries++) {
      expect(tries).toBeLessThan(SECRETS_BEFORE_SLOW);
      await visitor.open(`${path}/settings`);
    }
    const operation = `${PORTAL_PATHS.application}/settings`;
    return { application: application.id, developer: developer.id, operation };
  };

/** Causes each result of each event. A missing entry does not compile. */
export const CAUSES: Causes = {
  sign_in: {
    succeeded: after({ ...maya, operation: '/sign-in' }, ({ server }) => signedInVisitor(server.baseUrl)),
    failed: after({ ...maya, operation: '/sign-in' }, ({ server }) => signedInVisitor(server.baseUrl, {}, WRONG)),
    slowed_down: twice({ ...demo, operation: '/sign-in' }, ({ baseUrl }) =>
      signedInVisitor(baseUrl, {}, { ...WRONG, email: STRANGER }),
    ),
  },
  sign_up: {
    succeeded: async ({ server }) => {
      await signUp(server, FIRST);
      const { id: passenger } = (await findPassengerByEmail(server.store.db, LIVE.id, FIRST))!;
      return { ...demo, passenger, operation: '/sign-up' };
    },
    email_taken: after({ ...demo, operation: '/sign-up' }, ({ server }) => signUp(server, MAYA.email)),
    slowed_down: twice({ ...demo, operation: '/sign-up' }, (strict, n) => signUp(strict, OTHERS[n]!)),
  },
  sign_out: {
    succeeded: after({ ...maya, operation: '/sign-out' }, async ({ server }) =>
      (await signedInVisitor(server.baseUrl)).submit({}, '/sign-out'),
    ),
  },
  consent: {
    allowed: decides('allow', ['public']),
    denied: decides('deny', []),
    not_asked: after({ ...maya, scopes: ['public'], operation: '/development/codes' }, (on) =>
      onDevelopment(on, 'POST', 'codes', { scope: 'public' }),
    ),
  },
  client_authentication: {
    failed: after({ ...demo, operation: 'createToken' }, ({ server }) =>
      rawCall(server.baseUrl, 'createToken', { headers: basic(DEMO.clientId, 'guessed') }),
    ),
    slowed_down: after({ operation: 'revokeRefreshToken' }, async ({ strict }) => {
      const headers = basic('nobody', 'guessed');
      for (let n = 0; n <= SECRETS_BEFORE_SLOW; n++) await rawCall(strict.baseUrl, 'revokeRefreshToken', { headers });
    }),
  },
  token_issued: {
    succeeded: after(
      { ...demo, world: 'live', grant: 'client_credentials', scopes: ['public'], operation: 'createToken' },
      ({ server }) => askToken(server, { grant_type: 'client_credentials' }),
    ),
  },
  token_refused: {
    failed: after({ ...GRANT, refusal: 'invalid_grant' }, ({ server }) =>
      askToken(server, { grant_type: 'authorization_code', code: 'guessed' }),
    ),
  },
  code_reused: {
    revoked: async ({ server }) => {
      const { passenger, code } = await newGrant(server);
      await askToken(server, { grant_type: 'authorization_code', code });
      return { ...demo, passenger: passenger.id, operation: 'createToken' };
    },
  },
  refresh_token_reused: {
    revoked: async ({ server }) => {
      const client = await newApplication(server, 'rotating');
      await setSettings(server.store.db, 'rotating', { rotatesRefreshTokens: true });
      const passenger = await server.newPassenger(LIVE);
      const code = await newCode(server, passenger, { applicationId: 'rotating' });
      const { body: first } = await askToken(server, { grant_type: 'authorization_code', code }, client);
      const renew = (refresh_token: string) => askToken(server, { grant_type: 'refresh_token', refresh_token }, client);
      const { body: second } = await renew(first.refresh_token);
      await renew(second.refresh_token);
      await renew(first.refresh_token);
      return { application: 'rotating', passenger: passenger.id, operation: 'createToken' };
    },
  },
  token_revoked: {
    succeeded: [
      revoked('refreshToken', 'revokeRefreshToken'),
      revoked('refreshToken', 'revokeToken'),
      revoked('accessToken', 'revokeToken'),
    ],
    not_found: after({ ...demo, operation: 'revokeToken' }, ({ server }) => revoke(server, 'guessed', 'revokeToken')),
  },
  password_changed: withPassword(ACCOUNT_PATHS.password, NEW_PASSWORD, 'current_password'),
  signed_out_everywhere: { succeeded: submits(ACCOUNT_PATHS.sessions, {}) },
  access_revoked: {
    succeeded: async (on) => ({ ...(await revokedAccess(DEMO.clientId)(on)), ...demo }),
    not_found: revokedAccess('made-up'),
  },
  account_deleted: withPassword(ACCOUNT_PATHS.deletion, DELETION, 'password'),
  data_exported: {
    succeeded: submits(ACCOUNT_PATHS.data, {}),
    slowed_down: submits(ACCOUNT_PATHS.data, {}, UNTIL_SLOW),
  },
  payment_method_changed: {
    added: submits(ACCOUNT_PATHS.payment, VISA),
    declined: submits(ACCOUNT_PATHS.payment, DECLINED),
    removed: submits(ACCOUNT_PATHS.payment, { action: 'remove' }),
    slowed_down: submits(ACCOUNT_PATHS.payment, DECLINED, UNTIL_SLOW),
  },
  phone_verified: {
    code_sent: submits(ACCOUNT_PATHS.phone, PHONE),
    succeeded: verified(0),
    // the second has no attempts left
    failed: [verified(1), posts(ACCOUNT_PATHS.phone, { action: 'verify', code: '123456' })],
    slowed_down: submits(ACCOUNT_PATHS.phone, PHONE, UNTIL_SLOW),
  },
  application_created: { succeeded: operated(null) },
  application_deleted: { succeeded: operated('application.delete') },
  secret_rotated: {
    live: operated('application.rotate', () => ({ environment: 'live', overlap_hours: 0 })),
    sandbox: operated('application.rotate', () => ({ environment: 'sandbox', overlap_hours: 24 })),
  },
  developer_created: {
    succeeded: async (on) => ({ developer: await operatorsDeveloper(on) }),
    invited: after({}, (on) => operate(on, 'developer.invite', { email: 'invited@example.com' })),
  },
  developer_link_made: {
    succeeded: async (on) => {
      const developer = await operatorsDeveloper(on);
      await operate(on, 'developer.reset-password', { developer });
      return { developer };
    },
  },
  developer_sign_in: {
    succeeded: after(AT_SIGN_IN, ({ server }) => developerAt(server)),
    failed: after(AT_SIGN_IN, ({ server }) => developerAt(server, '/portal', { ...DEVELOPER, password: 'guessed' })),
    slowed_down: twice({ operation: PORTAL_PATHS.signIn }, (strict) =>
      developerAt(strict, '/portal', { email: STRANGER, password: 'guessed' }),
    ),
  },
  developer_sign_up: {
    succeeded: async ({ server }) => {
      await signUpDeveloper(server, FIRST);
      return { developer: (await storedDeveloper(server, FIRST))!.id, operation: PORTAL_PATHS.signUp };
    },
    email_taken: after({ operation: PORTAL_PATHS.signUp }, ({ server }) => signUpDeveloper(server, DEVELOPER.email)),
    slowed_down: twice({ operation: PORTAL_PATHS.signUp }, (strict, n) => signUpDeveloper(strict, OTHERS[n]!)),
  },
  developer_sign_out: {
    succeeded: submits(PORTAL_PATHS.overview, {}, { to: PORTAL_PATHS.signOut }),
    everywhere: submits(PORTAL_PATHS.account, {}),
  },
  developer_password_changed: withPassword(PORTAL_PATHS.password, NEW_PASSWORD, 'current_password'),
  developer_deleted: withPassword(PORTAL_PATHS.deletion, DELETION, 'password'),
  webhook_changed: {
    set: async ({ server }) => {
      const { api, world } = await makeWorld(server);
      // the second call changes nothing
      for (let n = 0; n < 2; n++) await api.setWebhooks({ body: { url: HOOK } });
      return { ...demo, world: world.world_id, newToken: true, operation: 'setWebhooks' };
    },
    removed: after({ ...demo, world: 'live', newToken: true, operation: '/development/demo' }, async (on) => {
      for (const webhook_url of [HOOK, null]) await onDevelopment(on, 'PUT', 'demo', { webhook_url });
    }),
  },
  // after those that sign in: it slows down the network
  application_changed: {
    renamed: set({ name: 'Another' }),
    redirect_uris: set({ redirect_uris: ['https://app.example.com/another'] }),
    refresh_rotation_on: set({ rotate_refresh_tokens: true }),
    refresh_rotation_off: async (on) => {
      const said = await set({ rotate_refresh_tokens: true })(on);
      await operate(on, 'application.set', { ...said, changes: { rotate_refresh_tokens: false } });
      return said;
    },
    live_events_on: set({ live_events: true }),
    live_events_off: async (on) => {
      const said = await set({ live_events: true })(on);
      await operate(on, 'application.set', { ...said, changes: { live_events: false } });
      return said;
    },
    failed: guessesForEvents(),
    slowed_down: guessesForEvents(true),
    transfer_offered: offered(),
    transfer_withdrawn: offered(withdrawOffer),
    transfer_declined: offered(declineOffer),
    transfer_accepted: offered(acceptOffer),
    transferred: operated('application.set', (developer) => ({ changes: { developer } })),
  },
  test_event_sent: {
    delivered: testEvent('live', 204),
    failed: testEvent('sandbox', 500),
    slowed_down: testEvent('live', 204, true),
  },
  event_resent: {
    succeeded: async ({ server }) => {
      const { visitor, developer, application } = await atOwn(server, '', { sandboxWebhookUrl: REDIRECT_URI });
      const { detail } = await newEventOf(server, application, 'sandbox');
      await visitor.open(detail);
      await visitor.submit({}, detail);
      const operation = `${PORTAL_PATHS.application}/deliveries/:world/:event`;
      const { id, sandboxWorldId: world } = application;
      return { application: id, developer: developer.id, world, operation };
    },
  },
  world_created: { succeeded: inWorld('createWorld') },
  world_reset: { succeeded: inWorld('resetWorld', ({ api }) => api.resetWorld()) },
  world_deleted: {
    succeeded: inWorld('deleteWorld', ({ api }) => api.deleteWorld()),
    unused: async ({ server }) => {
      const { world } = await makeWorld(server);
      const { parts } = server;
      await sweep({ ...parts, now: () => parts.now() + 40 * DAY_MS });
      return { ...demo, world: world.world_id };
    },
  },
  signing_key_added: {
    succeeded: after({ key: 2 }, ({ server: { store, parts } }) => {
      const { now, randomBytes, logger } = parts;
      return openSigningKeys({ store, now: () => now() + KEY_SIGNS_MS, randomBytes, audit: auditTo(logger) });
    }),
  },
};
