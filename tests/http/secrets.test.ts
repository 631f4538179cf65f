import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { OPERATIONS, SCENARIO } from '../../generated/server.ts';
import { auditTo } from '../../server/audit.ts';
import { DEMO } from '../../server/demo.ts';
import { ACCOUNT_PATHS, CONSENT_PATHS, PORTAL_PATHS } from '../../server/links.ts';
import { newLogger } from '../../server/log.ts';
import { loggedError } from '../../server/logged-error.ts';
import { ask } from '../../server/operator/ask.ts';
import { openCommandSocket } from '../../server/operator/command-socket.ts';
import { simulatedPaymentProvider } from '../../server/simulated/payment-provider.ts';
import { simulatedTextMessages } from '../../server/simulated/text-messages.ts';
import { shownAs } from '../portal/applications-support.ts';
import { newLink, signUpPath } from '../portal/support.ts';
import { passenger } from '../store/samples.ts';
import { ACROSS_TOWN, CLOSED_PORT_URL } from '../support/accepted-calls.ts';
import { ADA, csrfTokenOn, MAYA, newcomer, queryOfRequest } from '../support/consent.ts';
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
import { newVisitor, type View, type Visitor } from '../support/visitor.ts';

/** Sent in unexpected places of a request, and contained in errors. */
const CANARY = 'c4nary-ada-lovelace';

/** The personal data of the test passengers and rides, and what a visitor enters. */
const PERSONAL = [
  ...['Maya', 'Okafor', '@example.com', 'ending in 4242', '4155550100', DEMO.password],
  ...[...Object.values(ADA), '4155550199'],
  ...[FERRY_BUILDING, DOLORES_PARK].flatMap(({ lat, lng }) => [String(lat), String(lng)]),
  ...['Quiet car, kind driver', 'Dolores Park', CANARY],
];

/** Rows that the database refuses, with an error that quotes them. */
const { hasTakenARide: _, ...named } = passenger({ email: `${CANARY}@example.com`, firstName: CANARY });
const NAMED = named as never;
const UNTYPED = { tokenHash: null, accountId: CANARY, signedInAt: CANARY, expiresAt: CANARY } as never;

/** Their errors repeat what the payment provider and the text message service received. */
const CARD = { action: 'add', card_number: '5555 5555 5555 4444', expires: '11/31', security_code: '9871' };
const PHONE = { action: 'send', phone_number: SEARCHED_NUMBER };

describe.each(engines)('on %s', (engine) => {
  const lines: string[] = [];
  /** Every token, code and secret that the server created or that a call sent. */
  const secrets = new Set<string>();
  const fail = async (...sent: string[]): Promise<never> => {
    throw Object.assign(new Error(`cannot take ${sent.join(' ')}`), { code: sent[0], sent });
  };

  const start = async () => {
    const { store, faults } = fragile(await openTestStore(engine));
    const made = (size: number) => {
      const bytes = randomBytes(size);
      secrets.add(bytes.toString('base64url'));
      return bytes;
    };
    const server = await startTestServer(engine, {
      store,
      textMessages: { ...simulatedTextMessages(), send: fail },
      paymentProvider: { ...simulatedPaymentProvider, addCard: (card) => fail(card.number, card.securityCode) },
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
        await rawCall(server.baseUrl, operation, sent);
      }
      await fetch(`${server.baseUrl}/nowhere?token=${CANARY}`, { headers: { Cookie: `session=${CANARY}` } });
      server.faults.failOnce(1, hostileError());
      await rawCall(server.baseUrl, operation, call);
      server.faults.mend();
    });
    expect(log).toContain(`"route":"${OPERATIONS[operation].path}"`);
    expectNone(log);
  });

  // audit.test.ts searches the log of every page and command that succeeds or is refused
  test('forms whose queries or services fail log no secrets or personal data', async () => {
    const { baseUrl, faults } = server;
    const visitor = await newcomer(baseUrl, { state: CANARY });
    /** Submits a form of a page once for each query that fails, and then once without a failure. */
    const sendBy = async (by: Visitor, path: string, submit: (page: View) => Promise<unknown>, failures = 4) => {
      for (let k = failures; k >= 0; k--) {
        const page = await by.open(path);
        if (k > 0) faults.failOnce(k, hostileError());
        // an interrupted export fails the request
        await submit(page).catch(() => {});
        faults.mend();
        secrets.add(csrfTokenOn(page));
        for (const said of by.cookies.values()) secrets.add(said.split(';')[0]!);
      }
    };
    const send = (path: string, fields: Readonly<Record<string, string>>, failures?: number) => {
      const bodyOn = (page: View) => new URLSearchParams({ ...fields, csrf_token: csrfTokenOn(page) });
      return sendBy(visitor, path, (page) => visitor.post(path, bodyOn(page)), failures);
    };
    const developer = newVisitor(baseUrl);
    const sendOwn = (path: string, values: Readonly<Record<string, string>>) =>
      sendBy(developer, path, () => developer.submit(values));
    const request = `?${queryOfRequest({ state: CANARY })}`;
    const password = { new_password: CANARY, repeated_password: CANARY };
    const log = await loggedOf(async () => {
      await send(CONSENT_PATHS.signUp + request, { ...ADA, phone_number: CANARY });
      await send(CONSENT_PATHS.signUp + request, ADA);
      await visitor.open(`${ACCOUNT_PATHS.overview}?${CANARY}`);
      await send(ACCOUNT_PATHS.signIn, { email: ADA.email, password: CANARY });
      await send(ACCOUNT_PATHS.signIn, { email: ADA.email, password: ADA.password });
      await send(ACCOUNT_PATHS.applications, { application_id: CANARY });
      for (const card of [CARD, { ...CARD, card_number: CANARY }]) await send(ACCOUNT_PATHS.payment, card);
      for (const phone of [PHONE, { ...PHONE, phone_number: CANARY }]) await send(ACCOUNT_PATHS.phone, phone);
      await send(ACCOUNT_PATHS.phone, { action: 'verify', code: CANARY });
      await send(ACCOUNT_PATHS.data, {}, 8);
      await send(ACCOUNT_PATHS.password, { ...password, current_password: ADA.password });
      await send(ACCOUNT_PATHS.signIn, { email: ADA.email, password: CANARY });
      await send(ACCOUNT_PATHS.deletion, { password: CANARY, word: CANARY });
      await send(ACCOUNT_PATHS.deletion, { password: CANARY, word: 'delete' });

      const email = 'grace@example.com';
      const invitation = await newLink(server, email);
      await sendOwn(signUpPath(invitation), { password: ADA.password });
      for (const typed of [CANARY, ADA.password]) await sendOwn(PORTAL_PATHS.signIn, { email, password: typed });
      const hook = `${CLOSED_PORT_URL}?key=${CANARY}`;
      const wanted = { name: CANARY, redirect_uris: `https://app.example/?${CANARY}`, webhook_url: hook };
      await sendOwn(PORTAL_PATHS.newApplication, wanted);
      const path = PORTAL_PATHS.application.replace(':application', shownAs('Client ID', developer.view()));
      server.passTime(1000);
      await sendOwn(`${path}/secrets`, { environment: 'live', live_overlap_hours: '1' });
      await sendOwn(`${path}/webhooks`, { environment: 'live', action: 'set', webhook_url: `${hook}&again` });
      await sendOwn(`${path}/webhooks`, { environment: 'live', action: 'test' });
      await sendOwn(`${path}/settings`, { action: 'offer', developer: CANARY, transfer_name: CANARY });
      await sendOwn(PORTAL_PATHS.password, { ...password, current_password: ADA.password });
    });
    const failures = ['The payment provider failed', 'The text message service failed', 'data export interrupted'];
    const events = ['account_deleted', 'application_created', 'secret_rotated', 'test_event_sent', 'webhook_changed'];
    for (const failure of [...failures, ...events.map((event) => `"event":"${event}"`)]) expect(log).toContain(failure);
    expect(log).toContain('"event":"developer_password_changed","result":"succeeded"');
    expectNone(log, [CARD.card_number, CARD.card_number.replaceAll(' ', ''), SEARCHED_NUMBER.slice(2)]);
  });

  test('operator commands that fail log no secrets or personal data', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ridehail-door-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const databaseUrl = `file:${join(folder, 'ridehail.db')}`;
    // the door is next to this file, regardless of the store of the server
    writeFileSync(databaseUrl.slice('file:'.length), '');
    const door = await openCommandSocket(databaseUrl, { ...server.parts, audit: auditTo(server.parts.logger) });
    onTestFinished(() => door.close());
    const { webhookTargets, portalSignUp } = server.parts;
    const settings = { databaseUrl, publicUrl: null, webhookTargets, portalSignUp };
    const passenger = `${CANARY}@example.com`;
    const log = await loggedOf(async () => {
      await expect(ask(settings, 'passenger.suspended', { passenger, on: true })).rejects.toThrow();
      const strange = { passenger: MAYA.email, [CANARY]: CANARY };
      await expect(ask(settings, 'passenger.show', strange)).rejects.toThrow(CANARY);
      server.faults.failOnce(1, hostileError());
      await expect(ask(settings, 'passenger.show', { passenger: MAYA.email })).rejects.toThrow('See the server log.');
      server.faults.mend();
    });
    expect(log).toContain('operator command failed');
    expectNone(log);
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

  test.each<[string, (store: TestServer['store']) => Promise<unknown>]>([
    ['a duplicate row', ({ db }) => db.insertInto('passengers').values([NAMED, NAMED]).execute()],
    ['a missing row', ({ db }) => db.selectFrom('sessions').where('accountId', '=', CANARY).executeTakeFirstOrThrow()],
    ['a value of another type', ({ db }) => db.insertInto('sessions').values(UNTYPED).execute()],
    ['text that is not JSON', async () => JSON.parse(`{"first_name": "${CANARY}", oops`)],
    ['one word that is not JSON', async () => JSON.parse(CANARY)],
    ['an invalid URL', async () => new URL(CANARY)],
    ['a cause', async () => Promise.reject(new Error('failed', { cause: hostileError() }))],
    ['a message of several lines', async () => Promise.reject(new Error(`failed: "a\n    at ${CANARY}"`))],
    ['a value that is not an Error', async () => Promise.reject({ email: CANARY })],
  ])('an error about %s is logged without its data', async (_, fail) => {
    const error = await fail(server.store).then(
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

/** Adds the tokens in a call or a response to the secrets. */
function keepSecretsOf(value: unknown, secrets: Set<string>): void {
  JSON.stringify(value, (name, inner) => {
    const isSecret = /token$|^code$|^Authorization$|^Cookie$/i.test(name) && typeof inner === 'string';
    if (isSecret && inner.length > 12) secrets.add(inner.replace(/^(\w+=|Basic )/, ''));
    return name === 'body' && typeof inner === 'string' && inner.startsWith('{') ? JSON.parse(inner) : inner;
  });
}
