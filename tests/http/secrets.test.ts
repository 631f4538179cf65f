import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { OPERATIONS, SCENARIO } from '../../generated/server.ts';
import { auditTo } from '../../server/audit.ts';
import { DEMO } from '../../server/demo.ts';
import { developmentRouter } from '../../server/http/development.ts';
import { ACCOUNT_PATHS } from '../../server/links.ts';
import { loggedError, newLogger } from '../../server/log.ts';
import { ask as askOf } from '../../server/operator/ask.ts';
import { openCommandSocket } from '../../server/operator/command-socket.ts';
import type { CommandName, InputOf } from '../../server/operator/commands.ts';
import { simulatedPaymentProvider } from '../../server/simulated/payment-provider.ts';
import { simulatedTextMessages } from '../../server/simulated/text-messages.ts';
import { passenger } from '../store/samples.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { ADA, csrfTokenOn, MAYA, newcomer, signedInVisitor } from '../support/consent.ts';
import { engines, openTestStore } from '../support/database.ts';
import { basic } from '../support/demo-caller.ts';
import { fragile } from '../support/fragile-store.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { rawCall } from '../support/raw-call.ts';
import { makePassenger, makeWorld } from '../support/sandboxes.ts';
import { SEARCHED_NUMBER } from '../support/searched.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { forAll, receiverForEach } from '../support/started.ts';
import type { View, Visitor } from '../support/visitor.ts';
import { serveWith } from './support/added-routers.ts';

/** Sent in unexpected places of a request, and contained in errors. */
const CANARY = 'c4nary-ada-lovelace';

/** The personal data of the test passengers and rides, and what a visitor enters. */
const PERSONAL = [
  ...['Maya', 'Okafor', '@example.com', 'ending in 4242', '4155550100', DEMO.password],
  ...[...Object.values(ADA), '4155550199'],
  ...[FERRY_BUILDING, DOLORES_PARK].flatMap(({ lat, lng }) => [String(lat), String(lng)]),
  ...['Quiet car, kind driver', 'Dolores Park', CANARY],
];

/** What a passenger enters on the account pages. */
const CARD = { action: 'add', card_number: '5555 5555 5555 4444', expires: '11/31', security_code: '9871' };
const STRANGE_CARD = { ...CARD, card_number: '6011 1111 1111 1117' };
const NUMBER = SEARCHED_NUMBER;
const NEW_PASSWORD = 'an entirely new one';
/** Too short for a search in a whole log: a time or an id can have the same digits. */
const DIGITS = [CARD.security_code, CARD.expires, '4444', '1117'];
const OF_ACCOUNT = [
  ...[CARD, STRANGE_CARD].flatMap(({ card_number: number }) => [number, number.replaceAll(' ', '')]),
  ...['ending in', NUMBER.slice(2), NEW_PASSWORD],
];

describe.each(engines)('on %s', (engine) => {
  const lines: string[] = [];
  /** Every token, code and secret that the server created or that a call sent. */
  const secrets = new Set<string>();
  /** Whether the external services fail. Their errors repeat what they received. */
  const outside = { fails: false };
  const fail = (...sent: string[]): never => {
    throw Object.assign(new Error(`cannot take ${sent.join(' ')}`), { code: sent[0], sent });
  };

  const start = async () => {
    const { store, faults } = fragile(await openTestStore(engine));
    const made = (size: number) => {
      const bytes = randomBytes(size);
      secrets.add(bytes.toString('base64url'));
      return bytes;
    };
    const simulated = simulatedTextMessages();
    const server = await startTestServer(engine, {
      store,
      textMessages: {
        ...simulated,
        send: async (to, text) => (outside.fails ? fail(to, text) : simulated.send(to, text)),
      },
      paymentProvider: {
        ...simulatedPaymentProvider,
        addCard: async (card) =>
          outside.fails ? fail(card.number, card.securityCode) : simulatedPaymentProvider.addCard(card),
      },
      logger: newLogger('trace', { write: (line) => void lines.push(line) }),
      randomBytes: made,
      rateLimitMultiplier: 1000,
    });
    return { ...server, faults };
  };
  const server = forAll(start);
  const receiver = receiverForEach();

  const expectNone = (text: string, more: readonly string[] = []) => {
    expect([...secrets, ...PERSONAL, ...more].filter((secret) => text.includes(secret))).toEqual([]);
  };
  /** What the server logs during `work`. Waits for at least one line. */
  const loggedOf = async (work: () => Promise<unknown>) => {
    lines.length = 0;
    await work();
    while (lines.length === 0) await new Promise(setImmediate);
    return lines.join('');
  };

  test.each(OPERATION_IDS)('valid and invalid calls of %s log no secrets or personal data', async (operation) => {
    const call = await acceptedCall(operation, server);
    keepSecretsOf(call, secrets);
    const log = await loggedOf(async () => {
      const response = await rawCall(server.baseUrl, operation, call);
      keepSecretsOf(JSON.parse((await response.text()).match(/^\{.*/s)?.[0] ?? '{}'), secrets);
      const wrong = [
        { ...call, query: `${call.query ?? ''}&email=${CANARY}` },
        { ...call, body: JSON.stringify({ [operation]: CANARY, email: CANARY, token: CANARY, seed: 7 }) },
        { ...call, body: `{"first_name": "${CANARY}" oops` },
        { ...call, headers: { ...call.headers, 'Content-Type': `text/plain; name=${CANARY}` }, body: CANARY },
        { ...call, headers: { ...call.headers, [SCENARIO]: CANARY } },
        { headers: { ...basic(DEMO.clientId, CANARY), Referer: `https://app.example/?code=${CANARY}` } },
        { token: CANARY, headers: { Cookie: `ridehail_session=${CANARY}`, 'X-Request-Id': CANARY } },
      ];
      for (const bad of wrong) {
        const { method } = OPERATIONS[operation];
        const { body: _, ...withoutBody } = bad as { body?: string };
        const sent = method === 'get' ? withoutBody : bad;
        const answer = await rawCall(server.baseUrl, operation, sent);
        // an error repeats no header or value of the request, but a successful page may contain its own link
        const text = (await answer.text()) + JSON.stringify([...answer.headers]);
        if (answer.status >= 400) expect(text).not.toContain(CANARY);
      }
      await fetch(`${server.baseUrl}/nowhere?token=${CANARY}`, { headers: { Cookie: `session=${CANARY}` } });
      server.faults.failOnce(1, hostileError());
      await rawCall(server.baseUrl, operation, call);
      server.faults.mend();
    });
    expect(log).toContain(`"route":"${OPERATIONS[operation].path}"`);
    expectNone(log);
  });

  test('sign-in, sign-up, consent and sign-out log no secrets or personal data', async () => {
    const log = await loggedOf(async () => {
      await signedInVisitor(server.baseUrl, { state: CANARY }, { email: MAYA.email, password: CANARY });
      await signedInVisitor(server.baseUrl, { state: CANARY }, { email: `${CANARY}@example.com`, password: CANARY });
      const visitor = await newcomer(server.baseUrl, { state: CANARY });
      await visitor.follow('Create an account');
      await visitor.submit({ ...ADA, phone_number: CANARY });
      await visitor.submit(ADA);
      await visitor.submit({ email: ADA.email, password: ADA.password });
      keepCookiesOf(visitor, secrets);
      server.faults.failOnce(1, hostileError());
      await visitor.submit({ decision: 'allow' }).catch(() => {});
      server.faults.mend();
      await visitor.open(`${OPERATIONS.authorizeApplication.path}?client_id=${CANARY}`);
      await visitor.post(`/sign-in?${CANARY}`, `email=${CANARY}&csrf_token=${CANARY}`);
      const again = await signedInVisitor(server.baseUrl, { state: CANARY });
      await again.submit({ decision: 'allow' });
      await (await signedInVisitor(server.baseUrl)).submit({}, '/sign-out');
    });
    expect(log).toContain('"event":"sign_up"');
    expectNone(log);
  });

  test('the account pages log no secrets or personal data', async () => {
    const { baseUrl, faults, parts } = server;
    const ada = { ...ADA, email: 'ada-account@example.com' };
    const visitor = await newcomer(baseUrl);
    await visitor.follow('Create an account');
    await visitor.submit(ada);
    /** Submits a form once for each query that fails, and then once without a failure. */
    const send = async (path: string, fields: Readonly<Record<string, string>>, failures = 0) => {
      for (let k = failures; k >= 0; k--) {
        const form = formOf(await visitor.open(path), fields);
        if (k > 0) faults.failOnce(k, hostileError());
        // an interrupted export fails the request
        await visitor.post(path, form).catch(() => {});
        faults.mend();
        keepCookiesOf(visitor, secrets);
      }
    };
    const codes: string[] = [];
    const log = await loggedOf(async () => {
      await send(ACCOUNT_PATHS.signIn, { email: ada.email, password: CANARY });
      await send(ACCOUNT_PATHS.signIn, { email: ada.email, password: ada.password });
      await send(ACCOUNT_PATHS.applications, { application_id: CANARY });
      for (outside.fails of [true, false]) {
        for (const card of [CARD, STRANGE_CARD, { ...CARD, card_number: CANARY }])
          await send(ACCOUNT_PATHS.payment, card, 4);
        for (const phone_number of [CANARY, NUMBER])
          await send(ACCOUNT_PATHS.phone, { action: 'send', phone_number }, 5);
      }
      codes.push(...(/\d{6}/.exec(parts.textMessages!.latestTo!(NUMBER)!) ?? []));
      for (const code of [CANARY, '000000', codes[0]!]) await send(ACCOUNT_PATHS.phone, { action: 'verify', code });
      await send(ACCOUNT_PATHS.data, {}, 8);
      const choice = { new_password: NEW_PASSWORD, repeated_password: NEW_PASSWORD };
      await send(ACCOUNT_PATHS.password, { ...choice, current_password: CANARY }, 3);
      await send(ACCOUNT_PATHS.password, { ...choice, current_password: ada.password }, 3);
      await send(ACCOUNT_PATHS.sessions, {}, 3);
      await visitor.open(`/account?${CANARY}`);
      await send(ACCOUNT_PATHS.signIn, { email: ada.email, password: NEW_PASSWORD });
      for (const word of [CANARY, 'delete']) await send(ACCOUNT_PATHS.deletion, { password: CANARY, word }, 2);
      await send(ACCOUNT_PATHS.deletion, { password: NEW_PASSWORD, word: 'delete' }, 3);
    });
    const happened = [
      ...['sign_in failed', 'access_revoked not_found', 'data_exported succeeded', 'signed_out_everywhere succeeded'],
      ...['payment_method_changed added', 'payment_method_changed declined', 'phone_verified code_sent'],
      ...['phone_verified failed', 'phone_verified succeeded', 'password_changed failed', 'password_changed succeeded'],
      ...['account_deleted failed', 'account_deleted succeeded'],
    ];
    const told = new Set(linesOf(log).map(({ event, result }) => `${event} ${result}`));
    expect(happened.filter((each) => !told.has(each))).toEqual([]);
    const failures = ['The payment provider failed', 'The text message service failed', 'data export interrupted'];
    for (const failure of failures) expect(log).toContain(failure);
    expectNone(log, OF_ACCOUNT);
    expectNone(withoutOwnDigits(log), [...DIGITS, ...codes]);
  });

  test('operator commands log no secrets or personal data', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ridehail-door-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const url = `file:${join(folder, 'ridehail.db')}`;
    // the door is next to this file, regardless of the store of the server
    writeFileSync(url.slice('file:'.length), '');
    const door = await openCommandSocket(url, { ...server.parts, audit: auditTo(server.parts.logger) });
    onTestFinished(() => door.close());
    const { webhookTargets, portalSignUp } = server.parts;
    const settings = { databaseUrl: url, publicUrl: null, webhookTargets, portalSignUp };
    const ask = <Name extends CommandName>(command: Name, input: InputOf<Name>) => askOf(settings, command, input);
    const printed: string[] = [];
    const log = await loggedOf(async () => {
      const email = `${CANARY}@example.com`;
      const { developer_id: developer, password_link } = await ask('developer.create', { email });
      const invited = await ask('developer.invite', { email: `${CANARY}-2@example.com` });
      const { password_link: another } = await ask('developer.reset-password', { developer });
      printed.push(...[password_link, invited.invitation_link, another].map((link) => link.split('=')[1]!));
      const made = await ask('application.create', {
        ...{ name: CANARY, redirect_uris: [`https://${CANARY}.example.com/callback`], developer: email },
        ...{ webhook_url: `https://hooks.example.com/${CANARY}`, sandbox_webhook_url: null },
      });
      const application = made.client_id;
      const rotated = await ask('application.rotate', { application, environment: 'live', overlap_hours: 1 });
      const changes = { name: `${CANARY}-3`, sandbox_webhook_url: `https://hooks.example.com/${CANARY}` };
      const shown = await ask('application.set', { application, changes });
      for (const one of [made, rotated, shown]) {
        const named = Object.entries(one).filter(([name]) =>
          /^(sandbox_)?(client_secret|verification_token)$/.test(name),
        );
        printed.push(...named.map(([, value]) => String(value)));
      }
      await ask('application.delete', { application });
      await ask('developer.delete', { developer });
      await ask('passenger.list', { limit: 20, after: null });
      for (const on of [true, false]) {
        for (const passenger of [MAYA.email, `${CANARY}@example.com`]) {
          await ask('passenger.suspended', { passenger, on }).catch(() => {});
          await ask('passenger.driver-mode', { passenger, on }).catch(() => {});
        }
      }
      const strange = { passenger: MAYA.email, [CANARY]: CANARY };
      await expect(ask('passenger.show', strange)).rejects.toThrow(CANARY);
      server.faults.failOnce(1, hostileError());
      await expect(ask('passenger.show', { passenger: MAYA.email })).rejects.toThrow('See the server log.');
      server.faults.mend();
    });
    expect(log).toContain('"event":"passenger_changed","result":"suspended"');
    expect(log).toContain('"event":"developer_deleted","result":"succeeded"');
    expect(log).toContain('operator command failed');
    expect(printed).toHaveLength(11);
    expectNone(log, [...OF_ACCOUNT, ...printed]);
  });

  test('webhooks that arrive, fail or are refused log no secrets or personal data', async () => {
    const log = await loggedOf(async () => {
      for (const answer of [204, 500, 'hang up'] as const) {
        receiver.answerWith(() => answer);
        const made = await makeWorld(server);
        const { data } = await made.api.setWebhooks({ body: { url: `${receiver.url}/${CANARY}?key=${CANARY}` } });
        secrets.add(data!.verification_token!);
        const { api } = await makePassenger(server, made);
        const { data: ride } = await api.requestRide({ body: ACROSS_TOWN });
        await api.setRideStatus({ params: { path: { ride_id: ride!.ride_id } }, body: { status: 'accepted' } });
        await server.runDeliveries();
        await made.api.setWebhooks({ body: { url: `ftp://${CANARY}` } });
      }
      server.faults.failFrom(1, hostileError());
      await server.runDeliveries().catch((error: unknown) => server.parts.logger.error({ err: error }, 'failed'));
      server.faults.mend();
    });
    expect(receiver.received.length).toBeGreaterThanOrEqual(3);
    expectNone(log);
  });

  test('the development route logs no secrets or personal data', async () => {
    const baseUrl = await serveWith(server.parts, [developmentRouter(server.parts)]);
    const headers = { 'Content-Type': 'application/json' };
    const log = await loggedOf(async () => {
      for (const email of [CANARY, MAYA.email]) {
        const body = JSON.stringify({ email });
        const answer = await fetch(`${baseUrl}/development/codes`, { method: 'POST', headers, body });
        expect(await answer.text()).not.toContain(email);
      }
      const body = JSON.stringify({ webhook_url: `http://127.0.0.1:9/${CANARY}` });
      await fetch(`${baseUrl}/development/demo`, { method: 'PUT', headers, body });
    });
    expectNone(log);
  });

  test.each<[string, (server: TestServer) => Promise<unknown>]>([
    ['a duplicate row', (on) => insertTwice(on)],
    ['a missing row', ({ store }) => rowWithEmail(store).executeTakeFirstOrThrow()],
    ['a value of another type', ({ store }) => insertText(store)],
    ['text that is not JSON', async () => JSON.parse(`{"first_name": "${CANARY}", oops`)],
    ['one word that is not JSON', async () => JSON.parse(CANARY)],
    ['an invalid URL', async () => new URL(CANARY)],
    ['a cause', async () => Promise.reject(new Error('failed', { cause: hostileError() }))],
    ['a message of several lines', async () => Promise.reject(new Error(`failed: "a\n    at ${CANARY}"`))],
    ['a value that is not an Error', async () => Promise.reject({ email: CANARY })],
  ])('an error about %s is logged without its data', async (_, fail) => {
    const error = await fail(server).then(
      () => expect.unreachable('nothing failed'),
      (thrown: unknown) => thrown,
    );
    const log = await loggedOf(async () => server.parts.logger.error({ err: error }, 'failed'));
    expectNone(log);
    expect(JSON.parse(log).err.type).toBeTruthy();
  });
});

test('an error is logged with its type, message, stack, code and cause', () => {
  const error = Object.assign(new TypeError('The fleet is lost'), { code: 'ECONNRESET', cause: new Error('no route') });
  expect(loggedError(error)).toEqual({
    type: 'TypeError',
    message: 'The fleet is lost',
    stack: expect.stringMatching(/^TypeError: The fleet is lost\n {4}at .*secrets\.test\.ts/),
    code: 'ECONNRESET',
    cause: expect.objectContaining({ message: 'no route' }),
  });
});

test('an AggregateError is logged with its first twenty errors, without the values that they quote', () => {
  const { errors } = loggedError(new AggregateError(Array.from({ length: 21 }, hostileError))) as { errors: object[] };
  expect(errors).toHaveLength(20);
  expect(JSON.stringify(errors)).not.toContain(CANARY);
});

/** An error like the ones from libraries, with values in the message and in extra fields. */
function hostileError(): Error {
  const fields = { detail: `Key (email)=(${CANARY}) already exists.`, parameters: [CANARY], node: { value: CANARY } };
  return Object.assign(new Error(`invalid input syntax for type bigint: "${CANARY}"`), fields);
}

async function insertTwice({ store }: TestServer): Promise<void> {
  const row = passenger({ email: `${CANARY}@example.com`, firstName: CANARY });
  const { hasTakenARide: _, ...columns } = row as unknown as Record<string, unknown>;
  const twice = [columns, columns] as never[];
  await store.db.insertInto('passengers').values(twice).execute();
}

function rowWithEmail({ db }: TestServer['store']) {
  return db.selectFrom('passengers').selectAll().where('email', '=', CANARY);
}

function insertText({ db }: TestServer['store']): Promise<unknown> {
  const broken = { tokenHash: null, accountId: CANARY, signedInAt: CANARY, expiresAt: CANARY };
  return db
    .insertInto('sessions')
    .values(broken as never)
    .execute();
}

function linesOf(log: string) {
  return log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** A log without times and ids, because their digits could match a code. */
function withoutOwnDigits(log: string): string {
  const ours = ({ time, pid, responseTime, requestId, passenger, req, ...rest }: Record<string, object>) => rest;
  return JSON.stringify(linesOf(log).map(ours));
}

function formOf(page: View, fields: Readonly<Record<string, string>>): URLSearchParams {
  return new URLSearchParams({ ...fields, csrf_token: csrfTokenOn(page) });
}

/** Adds the cookies of a browser and the CSRF token of its page to the secrets. */
function keepCookiesOf(visitor: Visitor, secrets: Set<string>): void {
  if (visitor.view().forms.length > 0) secrets.add(csrfTokenOn(visitor.view()));
  for (const said of visitor.cookies.values()) secrets.add(said.split(';')[0]!);
}

/** Adds the tokens in a call or a response to the secrets. */
function keepSecretsOf(value: unknown, secrets: Set<string>): void {
  JSON.stringify(value, (name, inner) => {
    const isSecret = /token$|^code$|^Authorization$|^Cookie$/i.test(name) && typeof inner === 'string';
    if (isSecret && inner.length > 12) secrets.add(inner.replace(/^(\w+=|Basic )/, ''));
    return name === 'body' && typeof inner === 'string' && inner.startsWith('{') ? JSON.parse(inner) : inner;
  });
}
