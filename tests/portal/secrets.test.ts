import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import { newLogger } from '../../server/log.ts';
import { findOwnApplication } from '../../server/store/applications.ts';
import { csrfTokenOn } from '../support/consent.ts';
import { engines, openTestStore } from '../support/database.ts';
import { basic } from '../support/demo-caller.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { fragile } from '../support/fragile-store.ts';
import { askToken } from '../support/oauth.ts';
import { startTestServer } from '../support/server.ts';
import { forAll, testReceiver } from '../support/started.ts';
import { newVisitor } from '../support/visitor.ts';
import { fieldValue, PAGES_OF_APPLICATION, shownAs } from './applications-support.ts';
import { newDeveloper, newLink, setPasswordPath, signUpPath, storedDeveloper } from './support.ts';

const CANARY = 'c4nary-ada-lovelace';
const EMAIL = `${CANARY}@example.com`;
const [PASSWORD, NEW_PASSWORD, RESET_PASSWORD] = ['a first long secret', 'a second long secret', 'a third long secret'];

describe.each(engines)('on %s', (engine) => {
  const receiver = testReceiver();
  const lines: string[] = [];
  const server = forAll(async () => {
    const { store, faults } = fragile(await openTestStore(engine));
    const logger = newLogger('trace', { write: (line) => void lines.push(line) });
    const settings = { logger, randomBytes, rateLimitMultiplier: 1000, withPages: true, portalSignUp: 'open' } as const;
    return { ...(await startTestServer(engine, { store, ...settings })), faults };
  });

  test('everything that a developer does leaves no secret in the log, in the database, or on later pages', async () => {
    const { store, faults, baseUrl } = server;
    const visitor = newVisitor(baseUrl);
    const cookies = new Set<string>();
    const shown: string[] = [];
    /** Sends a form several times. The database fails at a different query each time, except the last time. */
    const send = async (path: string, fields: Readonly<Record<string, string>>, failures = 3) => {
      const page = await visitor.open(path);
      const body = new URLSearchParams({ ...fields, csrf_token: csrfTokenOn(page) });
      for (let k = failures; k >= 0; k--) {
        if (k > 0) faults.failOnce(k, Object.assign(new Error(`cannot store "${body}"`), { detail: String(body) }));
        const { text } = await visitor.post(path, body);
        faults.mend();
        shown.push(text);
        for (const said of visitor.cookies.values()) cookies.add(said.split(';')[0]!);
        cookies.add(body.get('csrf_token')!);
      }
      return visitor.view();
    };
    const links = [await newLink(server, EMAIL)];
    await send(signUpPath(links[0]!), { invitation: links[0]!, password: PASSWORD });
    const { id: developer } = (await storedDeveloper(server, EMAIL))!;
    await send(PORTAL_PATHS.signIn, { email: EMAIL, password: CANARY }, 0);
    await send(PORTAL_PATHS.signIn, { email: EMAIL, password: PASSWORD });
    const url = `${receiver.url}/hook?key=${CANARY}`;
    const wanted = { name: 'Secretive', redirect_uris: 'https://app.example/', webhook_url: url };
    const form_id = fieldValue(await visitor.open(PORTAL_PATHS.newApplication), 'form_id')!;
    const made = await send(PORTAL_PATHS.newApplication, { ...wanted, sandbox_webhook_url: '', form_id }, 0);
    const id = shownAs('Client ID', made);
    const codesIn = (markup: string) =>
      [...markup.matchAll(/<code>((?:SANDBOX-)?[\w-]{43})<\/code>/g)].map(([, it]) => it!);
    const stored = async () => (await findOwnApplication(store.db, id))!;
    const tokensOf = async () => {
      const { verificationToken, sandboxVerificationToken } = await stored();
      return [verificationToken, sandboxVerificationToken];
    };
    const verifying = new Set(await tokensOf());
    const secrets = new Set(codesIn(made.markup).filter((code) => !verifying.has(code)));
    expect(secrets.size).toBe(2);
    const path = PORTAL_PATHS.application.replace(':application', id);
    for (const environment of ['live', 'sandbox'] as const) {
      server.passTime(1000);
      const at = (await stored())[`${environment}SecretMadeAt`];
      const rotating = { environment, [`${environment}_overlap_hours`]: '1', made_at: String(at) };
      const { markup } = await send(`${path}/secrets`, rotating, 0);
      for (const token of await tokensOf()) verifying.add(token);
      for (const code of codesIn(markup)) if (!verifying.has(code)) secrets.add(code);
      const field = environment === 'live' ? 'webhook_url' : 'sandbox_webhook_url';
      await send(`${path}/webhooks`, { environment, action: 'set', [field]: `${url}&${environment}` });
      for (const token of await tokensOf()) verifying.add(token);
      await send(`${path}/webhooks`, { environment, action: 'test' });
    }
    expect(secrets.size).toBe(4);
    const tokens: string[] = [];
    for (const secret of secrets) {
      const { body } = await askToken(server, { grant_type: 'client_credentials' }, basic(id, secret));
      tokens.push(body.access_token);
      const { body: refused } = await askToken(server, { grant_type: secret }, basic(id, `${secret}x`));
      expect(JSON.stringify(refused)).not.toContain(secret);
    }
    await fetch(`${baseUrl}${OPERATIONS.listRideTypes.path}`, { headers: { Authorization: `Bearer ${tokens[0]}` } });
    // no page shows the client secrets again, and only some pages show the signing keys
    for (const page of PAGES_OF_APPLICATION) {
      const { markup } = await visitor.open(path + page);
      expect([...secrets].filter((secret) => markup.includes(secret))).toEqual([]);
      if (['/settings', '/log', '/redirect-uris'].includes(page))
        expect([...verifying].filter((token) => markup.includes(token))).toEqual([]);
    }
    expect((await visitor.open(`${path}/log`)).text).not.toContain(CANARY.concat('&'));
    const change = { current_password: PASSWORD, new_password: NEW_PASSWORD, repeated_password: NEW_PASSWORD };
    await send(PORTAL_PATHS.password, change, 2);
    links.push(await newLink(server, EMAIL, developer));
    const reset = { link: links[1]!, new_password: RESET_PASSWORD, repeated_password: RESET_PASSWORD };
    await send(setPasswordPath(links[1]!), reset, 0);
    const other = await newDeveloper(server);
    await send(`${path}/settings`, { action: 'offer', developer: other.id, transfer_name: wanted.name });

    const log = lines.join('');
    const ofDeveloper = ['developer_sign_up', 'developer_password_changed', 'test_event_sent', 'webhook_changed'];
    for (const event of [...ofDeveloper, 'application_created', 'secret_rotated', 'application_changed']) {
      expect(log).toContain(`"event":"${event}"`);
    }
    const typed = [PASSWORD!, NEW_PASSWORD!, RESET_PASSWORD!];
    const once = [...secrets, ...links, ...typed, ...cookies, ...tokens].filter((each) => each.length > 3);
    const nowhere = [...once, ...typed.flatMap((text) => [encodeURIComponent(text), text.replaceAll(' ', '+')])];
    expect([...nowhere, ...verifying, CANARY].filter((secret) => log.includes(secret))).toEqual([]);
    const rows = JSON.stringify(await everythingStored(store));
    expect(nowhere.filter((secret) => rows.includes(secret))).toEqual([]);
    // includes the pages of failed requests
    for (const text of shown)
      expect([...links, ...typed, ...cookies].filter((each) => text.includes(each))).toEqual([]);
  });
});
