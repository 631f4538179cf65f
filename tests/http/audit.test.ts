import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { AUDIT_EVENTS, type Audit, type AuditEvent, type AuditEventName, auditTo } from '../../server/audit.ts';
import { DEMO, DEMO_DEVELOPER, DEMO_PASSENGERS } from '../../server/demo.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { developmentRouter } from '../../server/http/development.ts';
import { ACCOUNT_PATHS, PORTAL_PATHS } from '../../server/links.ts';
import { newLogger } from '../../server/log.ts';
import { hashPassword } from '../../server/oauth/passwords.ts';
import { runCommand } from '../../server/operator/commands.ts';
import { KEY_SIGNS_MS, openSigningKeys } from '../../server/signing-keys.ts';
import { setRefreshTokenRotation } from '../../server/store/applications.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { inPortal, newOwnApplication, send as sendForm } from '../portal/applications-support.ts';
import { DEVELOPER, developerAt, newDeveloper, storedDeveloper } from '../portal/support.ts';
import { ADA, csrfTokenOn, MAYA, newcomer, signedInVisitor } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { basic } from '../support/demo-caller.ts';
import {
  askToken,
  LIVE_CLIENT,
  newApplication,
  newCode,
  newGrant,
  newLivePassenger,
  newSession,
  sendTo,
} from '../support/oauth.ts';
import { rawCall } from '../support/raw-call.ts';
import { startReceiver } from '../support/receiver.ts';
import { makePassenger, makeWorld } from '../support/sandboxes.ts';
import { SEARCHED_NUMBER } from '../support/searched.ts';
import { LIVE, startTestServer, type TestServer } from '../support/server.ts';
import { forAll } from '../support/started.ts';
import { type FormValues, newVisitor } from '../support/visitor.ts';
import { serveWith } from './support/added-routers.ts';

/** tests/process/ covers these events, and tests/operator/door.test.ts covers the last one. */
type OfProcesses = 'server' | 'backup' | 'restore' | 'migrate_to_postgres' | 'passenger_changed';
/** The part of a line that a test reads: the event with all its fields, and the operation. */
type Line = AuditEvent & { readonly operation: string | null };
type Causes = {
  readonly [Name in Exclude<AuditEventName, OfProcesses>]: Readonly<
    Record<(typeof AUDIT_EVENTS)[Name]['results'][number], (on: On) => Promise<Omit<Line, 'event' | 'result'>>>
  >;
};

interface On {
  readonly server: TestServer;
  /** A second server on the same database, which slows callers down after one attempt. */
  readonly strict: TestServer;
}

/** Allows one attempt to sign in, sign up or authenticate per window, and enough pages to reach the form. */
const STRICT = 0.02;
const SECRETS_BEFORE_SLOW = 20;
const MAYAS_ID = DEMO_PASSENGERS[0]!.id;
const demo = { application: DEMO.clientId };
const maya = { ...demo, passenger: MAYAS_ID };
const nobody = { ...demo, passenger: null };
const wrong = { email: MAYA.email, password: 'not her password' };

async function signUp({ baseUrl }: TestServer, change: Partial<typeof ADA> = {}): Promise<void> {
  const visitor = await newcomer(baseUrl);
  await visitor.follow('Create an account');
  await visitor.submit({ ...ADA, ...change });
}

async function idOf({ store }: TestServer, email: string): Promise<string> {
  const found = await store.db.selectFrom('passengers').select('id').where('email', '=', email).executeTakeFirst();
  return found!.id;
}

const PASSWORD = 'correct horse battery staple';
const NEW_PASSWORD = { new_password: 'a brand new one', repeated_password: 'a brand new one' };
const VISA = { action: 'add', card_number: '4242 4242 4242 4242', expires: '04/29', security_code: '123' };
const DECLINED = { ...VISA, card_number: '4000 0000 0000 0002' };
const PHONE = SEARCHED_NUMBER;
let passwordHash: Promise<string> | undefined;

/** Signs in a new passenger and opens an account page on one of the servers. */
async function inAccount({ server }: On, path: string, { baseUrl }: TestServer = server) {
  passwordHash ??= hashPassword(PASSWORD);
  const passenger = await server.newPassenger(LIVE, { passwordHash: await passwordHash });
  const visitor = newVisitor(baseUrl);
  const [name = '', value = ''] = (await newSession(server, passenger)).split('=');
  visitor.cookies.set(name, value);
  await visitor.open(path);
  return { visitor, passenger, said: { application: null, passenger: passenger.id, operation: path } };
}

/** Submits an account form once. */
const sent = (path: string, values: FormValues) => async (on: On) => {
  const { visitor, said } = await inAccount(on, path);
  await visitor.submit(values, path);
  return said;
};
/** Submits an account form until the server slows it down. */
const sentUntilSlow = (path: string, values: FormValues) => async (on: On) => {
  const { visitor, said } = await inAccount(on, path, on.strict);
  for (let tries = 0; (await visitor.submit(values, path)).status !== 429; tries++) {
    expect(tries).toBeLessThan(SECRETS_BEFORE_SLOW);
    await visitor.open(path);
  }
  return said;
};

/** Requests a verification code and enters it with `by` added. */
const verified = (by: number) => async (on: On) => {
  const { visitor, said } = await inAccount(on, ACCOUNT_PATHS.phone);
  await visitor.submit({ action: 'send', phone_number: PHONE });
  const [code = ''] = /\d{6}/.exec(on.server.parts.textMessages!.latestTo!(PHONE)!)!;
  const typed = String((Number(code) + by) % 1_000_000).padStart(6, '0');
  await visitor.submit({ action: 'verify', code: typed });
  return said;
};

const revokedAccess = (applicationId: string) => async (on: On) => {
  const { visitor, passenger, said } = await inAccount(on, ACCOUNT_PATHS.applications);
  await askToken(on.server, { grant_type: 'authorization_code', code: await newCode(on.server, passenger) });
  const form = { csrf_token: csrfTokenOn(visitor.view()), application_id: applicationId };
  await visitor.post(ACCOUNT_PATHS.applications, new URLSearchParams(form));
  return said;
};

const noDeveloper = { application: null, passenger: null, developer: null };
const demoDeveloper = { ...noDeveloper, developer: DEMO_DEVELOPER.id };

async function signUpDeveloper({ baseUrl }: TestServer, email: string): Promise<void> {
  const visitor = newVisitor(baseUrl);
  await visitor.open(PORTAL_PATHS.signUp);
  await visitor.submit({ email, password: 'a brand new one' });
}

/** Submits a portal form once. */
const sentByDeveloper =
  (path: string, values: FormValues, to = path) =>
  async ({ server }: On) => {
    const developer = await newDeveloper(server);
    const visitor = await developerAt(server, path, developer);
    await visitor.submit(values, to);
    return { ...noDeveloper, developer: developer.id, operation: to };
  };
/** Submits a portal form until the server slows it down. */
const sentByDeveloperUntilSlow =
  (path: string, values: FormValues) =>
  async ({ server, strict }: On) => {
    const developer = await newDeveloper(server);
    const visitor = await developerAt(strict, path, developer);
    for (let tries = 0; (await visitor.submit(values, path)).status !== 429; tries++) {
      expect(tries).toBeLessThan(SECRETS_BEFORE_SLOW);
      await visitor.open(path);
    }
    return { ...noDeveloper, developer: developer.id, operation: path };
  };
/** Runs an operator's command. */
const operate = ({ server: { parts } }: On, name: string, input: unknown) =>
  runCommand({ ...parts, audit: auditTo(parts.logger) }, name, input) as Promise<Record<string, string>>;
let developersMade = 0;
/** Creates a developer without applications. */
async function operatorsDeveloper(on: On): Promise<string> {
  developersMade += 1;
  const made = await operate(on, 'developer.create', { email: `operators-${developersMade}@example.com` });
  return made.developer_id!;
}
/** Runs a command on a new application of a new developer. */
const operated =
  (name: string | null, input: (developer: string) => object | Promise<object> = () => ({})) =>
  async (on: On) => {
    const developer = await operatorsDeveloper(on);
    const { client_id: application = '' } = await operate(on, 'application.create', {
      ...{ name: 'Mine', redirect_uris: ['https://app.example.com/callback'], developer },
      ...{ webhook_url: null, sandbox_webhook_url: null },
    });
    if (name !== null) await operate(on, name, { application, ...(await input(await operatorsDeveloper(on))) });
    return { application, passenger: null, developer: null, operation: null };
  };
const set = (changes: object) => operated('application.set', () => ({ changes }));
const developerSaid = (developer: string | null) => ({
  ...{ application: null, passenger: null, developer, operation: null },
});

const development = ({ server }: On) => serveWith(server.parts, [developmentRouter(server.parts)]);

/** Sends a test event from the portal to a receiver. @param isSlow sends more events than a minute allows */
const testEvent =
  (environment: 'live' | 'sandbox', status: number, isSlow = false) =>
  async ({ server, strict }: On) => {
    const receiver = await startReceiver(() => status);
    const { url } = receiver;
    const developer = await newDeveloper(server);
    const { application } = await newOwnApplication(server, developer, { webhookUrl: url, sandboxWebhookUrl: url });
    const path = PORTAL_PATHS.application.replace(':application', application.id);
    const visitor = await inPortal(isSlow ? strict : server, developer, `${path}/webhooks`);
    for (let sent = 0; sent < (isSlow ? 2 : 1); sent++) {
      await visitor.open(`${path}/webhooks`);
      await sendForm(visitor, { environment, action: 'test' });
    }
    await receiver.close();
    const world = environment === 'live' ? LIVE.id : application.sandboxWorldId;
    const operation = `${PORTAL_PATHS.application}/webhooks`;
    return { application: application.id, passenger: null, developer: developer.id, world, operation };
  };

/** Causes each result of each event and returns the expected fields. A missing entry does not compile. */
const CAUSES: Causes = {
  sign_in: {
    succeeded: async ({ server }) => {
      await signedInVisitor(server.baseUrl);
      return { ...maya, operation: '/sign-in' };
    },
    failed: async ({ server }) => {
      await signedInVisitor(server.baseUrl, {}, wrong);
      return { ...maya, operation: '/sign-in' };
    },
    slowed_down: async ({ strict }) => {
      for (const email of ['strange@example.com', 'strange@example.com']) {
        await signedInVisitor(strict.baseUrl, {}, { ...wrong, email });
      }
      return { ...nobody, operation: '/sign-in' };
    },
  },
  sign_up: {
    succeeded: async ({ server }) => {
      await signUp(server, { email: 'first@example.com' });
      return { ...demo, passenger: await idOf(server, 'first@example.com'), operation: '/sign-up' };
    },
    email_taken: async ({ server }) => {
      await signUp(server, { email: MAYA.email });
      return { ...nobody, operation: '/sign-up' };
    },
    slowed_down: async ({ strict }) => {
      for (const email of ['second@example.com', 'third@example.com']) await signUp(strict, { email });
      return { ...nobody, operation: '/sign-up' };
    },
  },
  sign_out: {
    succeeded: async ({ server }) => {
      await (await signedInVisitor(server.baseUrl)).submit({}, '/sign-out');
      return { ...maya, operation: '/sign-out' };
    },
  },
  consent: {
    allowed: async ({ server }) => {
      await (await signedInVisitor(server.baseUrl, { scope: 'public' })).submit({ decision: 'allow' });
      return { ...maya, scopes: ['public'], operation: 'authorizeApplication' };
    },
    denied: async ({ server }) => {
      await (await signedInVisitor(server.baseUrl)).submit({ decision: 'deny' });
      return { ...maya, scopes: [], operation: 'authorizeApplication' };
    },
    not_asked: async (on) => {
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify({ scope: 'public' });
      await fetch(`${await development(on)}/development/codes`, { method: 'POST', headers, body });
      return { ...maya, scopes: ['public'], operation: '/development/codes' };
    },
  },
  client_authentication: {
    failed: async ({ server }) => {
      await rawCall(server.baseUrl, 'createToken', { headers: basic(DEMO.clientId, 'guessed') });
      return { ...demo, passenger: null, operation: 'createToken' };
    },
    slowed_down: async ({ strict }) => {
      for (let n = 0; n <= SECRETS_BEFORE_SLOW; n++) {
        await rawCall(strict.baseUrl, 'revokeRefreshToken', { headers: basic('nobody', 'guessed') });
      }
      return { application: null, passenger: null, operation: 'revokeRefreshToken' };
    },
  },
  token_issued: {
    succeeded: async ({ server }) => {
      await askToken(server, { grant_type: 'client_credentials' });
      return { ...nobody, world: 'live', grant: 'client_credentials', scopes: ['public'], operation: 'createToken' };
    },
  },
  token_refused: {
    failed: async ({ server }) => {
      await askToken(server, { grant_type: 'authorization_code', code: 'guessed' });
      return { ...nobody, grant: 'authorization_code', refusal: 'invalid_grant', operation: 'createToken' };
    },
  },
  code_reused: {
    revoked: async ({ server }) => {
      const passenger = await newLivePassenger(server);
      const code = await newCode(server, passenger);
      for (let n = 0; n < 2; n++) await askToken(server, { grant_type: 'authorization_code', code });
      return { ...demo, passenger: passenger.id, operation: 'createToken' };
    },
  },
  refresh_token_reused: {
    revoked: async ({ server }) => {
      const client = { 'Content-Type': 'application/json', ...(await newApplication(server, 'rotating')) };
      await setRefreshTokenRotation(server.store.db, 'rotating', true);
      const passenger = await newLivePassenger(server);
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
    succeeded: async ({ server }) => {
      const { passenger, refreshToken } = await newGrant(server);
      await revoke(server, refreshToken);
      return { ...demo, passenger: passenger.id, operation: 'revokeRefreshToken' };
    },
    not_found: async ({ server }) => {
      await revoke(server, 'guessed', 'revokeToken');
      return { ...nobody, operation: 'revokeToken' };
    },
  },
  password_changed: {
    succeeded: sent(ACCOUNT_PATHS.password, { current_password: PASSWORD, ...NEW_PASSWORD }),
    failed: sent(ACCOUNT_PATHS.password, { current_password: 'guessed', ...NEW_PASSWORD }),
    slowed_down: sentUntilSlow(ACCOUNT_PATHS.password, { current_password: 'guessed', ...NEW_PASSWORD }),
  },
  signed_out_everywhere: { succeeded: sent(ACCOUNT_PATHS.sessions, {}) },
  access_revoked: {
    succeeded: async (on) => ({ ...(await revokedAccess(DEMO.clientId)(on)), ...demo }),
    not_found: revokedAccess('made-up'),
  },
  account_deleted: {
    succeeded: sent(ACCOUNT_PATHS.deletion, { password: PASSWORD, word: 'delete' }),
    failed: sent(ACCOUNT_PATHS.deletion, { password: 'guessed', word: 'delete' }),
    slowed_down: sentUntilSlow(ACCOUNT_PATHS.deletion, { password: 'guessed', word: 'delete' }),
  },
  data_exported: {
    succeeded: sent(ACCOUNT_PATHS.data, {}),
    slowed_down: sentUntilSlow(ACCOUNT_PATHS.data, {}),
  },
  payment_method_changed: {
    added: sent(ACCOUNT_PATHS.payment, VISA),
    declined: sent(ACCOUNT_PATHS.payment, DECLINED),
    removed: sent(ACCOUNT_PATHS.payment, { action: 'remove' }),
    slowed_down: sentUntilSlow(ACCOUNT_PATHS.payment, DECLINED),
  },
  phone_verified: {
    code_sent: sent(ACCOUNT_PATHS.phone, { action: 'send', phone_number: PHONE }),
    succeeded: verified(0),
    failed: verified(1),
    slowed_down: sentUntilSlow(ACCOUNT_PATHS.phone, { action: 'send', phone_number: PHONE }),
  },
  application_created: { succeeded: operated(null) },
  application_changed: {
    renamed: set({ name: 'Another' }),
    redirect_uris: set({ redirect_uris: ['https://app.example.com/another'] }),
    refresh_rotation_on: set({ rotate_refresh_tokens: true }),
    refresh_rotation_off: async (on) => {
      const said = await set({ rotate_refresh_tokens: true })(on);
      const changes = { rotate_refresh_tokens: false };
      await operate(on, 'application.set', { application: said.application, changes });
      return said;
    },
    transferred: operated('application.set', (developer) => ({ changes: { developer } })),
  },
  application_deleted: { succeeded: operated('application.delete') },
  secret_rotated: {
    live: operated('application.rotate', () => ({ environment: 'live', overlap_hours: 0 })),
    sandbox: operated('application.rotate', () => ({ environment: 'sandbox', overlap_hours: 24 })),
  },
  developer_created: {
    succeeded: async (on) => developerSaid(await operatorsDeveloper(on)),
    invited: async (on) => {
      await operate(on, 'developer.invite', { email: 'invited@example.com' });
      return developerSaid(null);
    },
  },
  developer_link_made: {
    succeeded: async (on) => {
      const developer = await operatorsDeveloper(on);
      await operate(on, 'developer.reset-password', { developer });
      return developerSaid(developer);
    },
  },
  developer_sign_in: {
    succeeded: async ({ server }) => {
      await developerAt(server);
      return { ...demoDeveloper, operation: PORTAL_PATHS.signIn };
    },
    failed: async ({ server }) => {
      await developerAt(server, PORTAL_PATHS.overview, { ...DEVELOPER, password: 'guessed' });
      return { ...demoDeveloper, operation: PORTAL_PATHS.signIn };
    },
    slowed_down: async ({ strict }) => {
      for (let n = 0; n < 2; n++) {
        await developerAt(strict, PORTAL_PATHS.overview, { email: 'strange@example.com', password: 'guessed' });
      }
      return { ...noDeveloper, operation: PORTAL_PATHS.signIn };
    },
  },
  developer_sign_up: {
    succeeded: async ({ server }) => {
      await signUpDeveloper(server, 'first@example.com');
      const developer = (await storedDeveloper(server, 'first@example.com'))!.id;
      return { ...noDeveloper, developer, operation: PORTAL_PATHS.signUp };
    },
    email_taken: async ({ server }) => {
      await signUpDeveloper(server, DEVELOPER.email);
      return { ...noDeveloper, operation: PORTAL_PATHS.signUp };
    },
    slowed_down: async ({ strict }) => {
      for (const email of ['second@example.com', 'third@example.com']) await signUpDeveloper(strict, email);
      return { ...noDeveloper, operation: PORTAL_PATHS.signUp };
    },
  },
  developer_sign_out: {
    succeeded: sentByDeveloper(PORTAL_PATHS.overview, {}, PORTAL_PATHS.signOut),
    everywhere: sentByDeveloper(PORTAL_PATHS.account, {}),
  },
  developer_password_changed: {
    succeeded: sentByDeveloper(PORTAL_PATHS.password, { current_password: PASSWORD, ...NEW_PASSWORD }),
    failed: sentByDeveloper(PORTAL_PATHS.password, { current_password: 'guessed', ...NEW_PASSWORD }),
    slowed_down: sentByDeveloperUntilSlow(PORTAL_PATHS.password, { current_password: 'guessed', ...NEW_PASSWORD }),
  },
  developer_deleted: {
    succeeded: sentByDeveloper(PORTAL_PATHS.deletion, { password: PASSWORD, word: 'delete' }),
    failed: sentByDeveloper(PORTAL_PATHS.deletion, { password: 'guessed', word: 'delete' }),
    slowed_down: sentByDeveloperUntilSlow(PORTAL_PATHS.deletion, { password: 'guessed', word: 'delete' }),
  },
  webhook_changed: {
    set: async ({ server }) => {
      const { api, world } = await makeWorld(server);
      // the second call changes nothing
      for (let n = 0; n < 2; n++) await api.setWebhooks({ body: { url: 'http://127.0.0.1:9/secret-path' } });
      return { ...nobody, world: world.world_id, newToken: true, operation: 'setWebhooks' };
    },
    removed: async (on) => {
      const put = async (webhook_url: string | null) => {
        const headers = { 'Content-Type': 'application/json' };
        const body = JSON.stringify({ webhook_url });
        await fetch(`${baseUrl}/development/demo`, { method: 'PUT', headers, body });
      };
      const baseUrl = await development(on);
      await put('http://127.0.0.1:9/secret-path');
      await put(null);
      return { ...nobody, world: 'live', newToken: true, operation: '/development/demo' };
    },
  },
  test_event_sent: {
    delivered: testEvent('live', 204),
    failed: testEvent('sandbox', 500),
    slowed_down: testEvent('live', 204, true),
  },
  world_created: {
    succeeded: async ({ server }) => {
      const { world } = await makeWorld(server);
      return { ...nobody, world: world.world_id, operation: 'createWorld' };
    },
  },
  world_reset: {
    succeeded: async ({ server }) => {
      const { api, world } = await makeWorld(server);
      await api.resetWorld();
      return { ...nobody, world: world.world_id, operation: 'resetWorld' };
    },
  },
  world_deleted: {
    succeeded: async ({ server }) => {
      const { api, world } = await makeWorld(server);
      await api.deleteWorld();
      return { ...nobody, world: world.world_id, operation: 'deleteWorld' };
    },
    unused: async ({ server }) => {
      const { world } = await makeWorld(server);
      const { parts } = server;
      await sweep({ ...parts, now: () => parts.now() + 40 * DAY_MS });
      return { ...nobody, world: world.world_id, operation: null };
    },
  },
  signing_key_added: {
    succeeded: async ({ server: { store, parts } }) => {
      const { now, randomBytes, logger } = parts;
      await openSigningKeys({ store, now: () => now() + KEY_SIGNS_MS, randomBytes, audit: auditTo(logger) });
      return { application: null, passenger: null, key: 2, operation: null };
    },
  },
};

function revoke(server: TestServer, token: string, by: 'revokeToken' | 'revokeRefreshToken' = 'revokeRefreshToken') {
  return sendTo(server, by, { headers: LIVE_CLIENT, body: JSON.stringify({ token }) });
}

const PAIRS = Object.entries(CAUSES).flatMap(([event, causes]) =>
  Object.entries(causes).map(([result, cause]) => ({ event, result, cause })),
);

describe.each(engines)('on %s', (engine) => {
  const lines: string[] = [];
  const logger = newLogger('error', { write: (line) => void lines.push(line) });
  const openServers = async () => {
    const server = await startTestServer(engine, { logger });
    const store = { ...server.store, close: async () => {} };
    const strict = await startTestServer(engine, { logger, store, rateLimitMultiplier: STRICT });
    const close = async () => {
      await strict.close();
      await server.close();
    };
    return { server, strict, close };
  };
  const on = forAll(openServers);
  const linesOf = (event: string, result: string) =>
    lines.map((line) => JSON.parse(line)).filter((line) => line.event === event && line.result === result);

  test.each(PAIRS)(
    '$event $result writes one line with the caller, the network and the operation, at every LOG_LEVEL',
    async ({ event, result, cause }) => {
      lines.length = 0;
      const said = await cause(on);
      const isOfCall = said.operation !== null;
      const own = linesOf(event, result).filter(({ world }) => !('world' in said) || world === said.world);
      expect(own).toEqual([
        {
          level: 30,
          time: expect.any(Number),
          pid: process.pid,
          hostname: expect.any(String),
          msg: 'audit',
          event,
          result,
          network: isOfCall ? '127.0.0.1' : null,
          requestId: isOfCall ? expect.stringMatching(/^[\da-f-]{36}$/) : null,
          ...said,
        },
      ]);
      const { fields } = AUDIT_EVENTS[event as AuditEventName];
      expect(Object.keys(said).sort()).toEqual(
        [...new Set(['application', 'operation', 'passenger', ...fields])].sort(),
      );
    },
  );

  test('the line for a token names its grant', async () => {
    lines.length = 0;
    const { refreshToken } = await newGrant(on.server);
    await askToken(on.server, { grant_type: 'refresh_token', refresh_token: refreshToken });
    await makePassenger(on.server, await makeWorld(on.server));
    const grants = linesOf('token_issued', 'succeeded').map(({ grant, passenger }) => [grant, passenger !== null]);
    const ofPassengers = ['authorization_code', 'refresh_token', 'sandbox'].map((grant) => [grant, true]);
    expect(grants).toEqual([...ofPassengers.slice(0, 2), ['sandbox', false], ofPassengers[2]]);
  });

  test.each(['accessToken', 'refreshToken'] as const)(
    'the line for a revoked %s names its passenger and the operation',
    async (kind) => {
      lines.length = 0;
      const { passenger, [kind]: token } = await newGrant(on.server);
      await revoke(on.server, token, 'revokeToken');
      expect(linesOf('token_revoked', 'succeeded')).toEqual([
        expect.objectContaining({ ...demo, passenger: passenger.id, operation: 'revokeToken' }),
      ]);
    },
  );

  test('a code that is entered with no attempts left also counts as failed', async () => {
    lines.length = 0;
    const { visitor, passenger } = await inAccount(on, ACCOUNT_PATHS.phone);
    const form = { csrf_token: csrfTokenOn(visitor.view()), action: 'verify', code: '123456' };
    await visitor.post(ACCOUNT_PATHS.phone, new URLSearchParams(form));
    expect(linesOf('phone_verified', 'failed')).toEqual([expect.objectContaining({ passenger: passenger.id })]);
  });

  test('a line has the request ID of the response', async () => {
    lines.length = 0;
    const { headers } = await askToken(on.server, { grant_type: 'client_credentials' });
    expect(linesOf('token_issued', 'succeeded')).toEqual([
      expect.objectContaining({ requestId: headers.get('x-request-id') }),
    ]);
  });
});

test('a silent server writes no audit trail', async () => {
  const lines: string[] = [];
  const server = await startTestServer('sqlite', {
    logger: newLogger('silent', { write: (line) => void lines.push(line) }),
  });
  await askToken(server, { grant_type: 'client_credentials' });
  await server.close();
  expect(lines).toEqual([]);
});

test('docs/audit.md lists every event with its results and fields, and no others', () => {
  const page = readFileSync('docs/audit.md', 'utf8');
  const cells = [...page.matchAll(/^\| `(\w+)` \| (.*?) \| (.*?) \|/gm)].map(([, event, results, fields]) => [
    event,
    { results: namesIn(results!), fields: namesIn(fields!) },
  ]);
  expect(Object.fromEntries(cells)).toEqual(AUDIT_EVENTS);
});

test('an event with wrong fields does not compile', () => {
  const audit = vi.fn<Audit>();
  audit({ event: 'sign_out', result: 'succeeded', application: 'demo', passenger: null });
  // @ts-expect-error without a field
  audit({ event: 'sign_out', result: 'succeeded', application: 'demo' });
  // @ts-expect-error with a field that it does not have
  audit({ event: 'sign_out', result: 'succeeded', application: 'demo', passenger: null, world: 'live' });
  // @ts-expect-error with the result of another event
  audit({ event: 'sign_out', result: 'denied', application: 'demo', passenger: null });
  // @ts-expect-error an event that is not in the list
  audit({ event: 'sign_off', result: 'succeeded' });
  // the compiler checks the lines above
  expect(audit).toHaveBeenCalledTimes(5);
});

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
}
