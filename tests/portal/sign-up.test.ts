import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../server/domain/time.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import type { PortalSignUp } from '../../server/parts.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { csrfTokenOn } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { startTestServer } from '../support/server.ts';
import { forAll, testServer } from '../support/started.ts';
import { newVisitor } from '../support/visitor.ts';
import { at, DEVELOPER, developerAt, newDeveloper, newLink, signUpPath, storedDeveloper } from './support.ts';

const GRACE = { email: 'Grace@Example.com', password: 'a nanosecond of wire' };
const MODES: readonly PortalSignUp[] = ['open', 'invite', 'off'];
/** Statuses of a sign-up in each mode: without an invitation, and with a real, a made-up and a malformed one. */
const ANSWERS: Readonly<Record<PortalSignUp, readonly number[]>> = {
  open: [200, 200, 404, 404],
  invite: [403, 200, 404, 404],
  off: [403, 403, 403, 403],
};

describe.each(engines)('on %s', (engine) => {
  const open = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });
  const inMode = (portalSignUp: PortalSignUp) =>
    forAll(() => {
      const store = { ...open.store, close: async () => {} };
      return startTestServer(engine, { withPages: true, rateLimitMultiplier: 1000, portalSignUp, store });
    });
  const servers = { open, invite: inMode('invite'), off: inMode('off') };

  test.each(MODES)('a sign-up in mode %s', async (mode) => {
    const { baseUrl } = servers[mode];
    const invitation = await newLink(open, `${mode}@example.com`);
    const paths = [PORTAL_PATHS.signUp, ...[invitation, 'x'.repeat(43), 'short'].map(signUpPath)];
    const answers = [];
    for (const path of paths) answers.push(await newVisitor(baseUrl).open(path));
    expect(answers.map(({ status }) => status)).toEqual(ANSWERS[mode]);
    for (const { status, text, forms } of answers) {
      expect(forms).toHaveLength(status === 200 ? 1 : 0);
      if (status !== 200) expect(text).toContain('operator');
    }
    // a form that is sent anyway gets the same statuses
    const visitor = newVisitor(baseUrl);
    await visitor.open(PORTAL_PATHS.signIn);
    const csrf_token = csrfTokenOn(visitor.view());
    for (const [i, token] of ['', invitation, 'x'.repeat(43), 'short'].entries()) {
      if (ANSWERS[mode][i] === 200) continue;
      const body = new URLSearchParams({ csrf_token, ...GRACE, invitation: token });
      const { status } = await changingNothing(open, () => visitor.post(PORTAL_PATHS.signUp, body));
      expect(status).toBe(ANSWERS[mode][i]);
    }
  });

  test("an account's email is stored in lower case, and its owner can sign in", async () => {
    const visitor = newVisitor(open.baseUrl);
    await visitor.open(PORTAL_PATHS.signUp);
    await visitor.submit(GRACE);
    expect(at(await visitor.submit({ password: GRACE.password }))).toBe(PORTAL_PATHS.overview);
    expect(await storedDeveloper(open, GRACE.email.toLowerCase())).toBeDefined();
  });

  test('a sign-up with the email of an account gets the same response and does not change the account', async () => {
    const { email } = await newDeveloper(open);
    const answers = [];
    for (const free of [email, 'ada@example.com']) {
      const visitor = newVisitor(open.baseUrl);
      await visitor.open(PORTAL_PATHS.signUp);
      const before = await storedDeveloper(open, email);
      const { status, text, headers } = await visitor.submit({ email: free, password: 'a brand new one' });
      answers.push([status, text, headers.get('cache-control')]);
      expect(await storedDeveloper(open, email)).toEqual(before);
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  test.each([
    [{ email: 'no address' }, 'Enter a full email address'],
    [{ password: 'grace@example.com' }, 'based on your name, your email address or the word Ridehail'],
  ])('%j is rejected with a message, and the form keeps the email', async (change, sentence) => {
    const visitor = newVisitor(open.baseUrl);
    await visitor.open(PORTAL_PATHS.signUp);
    const typed = { ...GRACE, email: 'grace@example.com', ...change };
    const view = await changingNothing(open, () => visitor.submit(typed));
    expect([view.status, view.title]).toEqual([422, expect.stringMatching(/^Error: /)]);
    expect(view.text).toContain(sentence);
    const fields = view.forms[0]!.fields;
    expect(fields.find(({ name }) => name === 'email')?.value).toBe(typed.email);
    expect(fields.find(({ name }) => name === 'password')?.value).toBe('');
  });

  test('an invitation creates one account, only for its email, even if it is used concurrently', async () => {
    const { baseUrl } = servers.invite;
    const other = await newLink(open, 'invited@example.com');
    const token = await newLink(open, 'invited@example.com');
    const visitors = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const visitor = newVisitor(baseUrl);
        const { text, headers } = await visitor.open(signUpPath(token));
        expect([text.includes(token), headers.get('referrer-policy')]).toEqual([false, 'no-referrer']);
        return { visitor, password: `a password of number ${i}` };
      }),
    );
    const statuses = await Promise.all(
      visitors.map(async ({ visitor, password }) => {
        const body = new URLSearchParams({ csrf_token: csrfTokenOn(visitor.view()), invitation: token });
        for (const [name, value] of Object.entries({ email: 'else@example.com', password })) body.set(name, value);
        return (await visitor.post(PORTAL_PATHS.signUp, body)).status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    // the server rejects too many concurrent hashes
    expect(statuses.filter((status) => status !== 200 && status !== 404 && status !== 503)).toEqual([]);
    const { visitor, password } = visitors[statuses.indexOf(200)]!;
    expect(at(await visitor.submit({ password }))).toBe(PORTAL_PATHS.overview);
    expect(await storedDeveloper(open, 'invited@example.com')).toBeDefined();
    expect(await storedDeveloper(open, 'else@example.com')).toBeUndefined();
    for (const used of [token, other]) expect((await visitor.open(signUpPath(used))).status).toBe(404);
  });

  test('an invitation expires, and a password link is not an invitation', async () => {
    const { email, id } = await newDeveloper(open);
    const visitor = newVisitor(open.baseUrl);
    expect((await visitor.open(signUpPath(await newLink(open, email, id)))).status).toBe(404);
    const late = await newLink(open, 'late@example.com');
    expect((await visitor.open(signUpPath(late))).status).toBe(200);
    open.passTime(DAY_MS);
    expect((await visitor.submit({ password: 'a brand new one' })).status).toBe(404);
    expect(await storedDeveloper(open, 'late@example.com')).toBeUndefined();
  });

  test('too many sign-ups from one network are rejected, but developers can still sign in', async () => {
    const strict = await startTestServer(engine, { withPages: true, rateLimitMultiplier: 0.02 });
    const visitor = newVisitor(strict.baseUrl);
    await visitor.open(PORTAL_PATHS.signUp);
    expect((await visitor.submit(GRACE)).status).toBe(200);
    const invited = signUpPath(await newLink(strict, 'second@example.com'));
    await visitor.open(invited);
    expect((await visitor.submit({ password: GRACE.password })).status).toBe(429);
    const { status, url } = await visitor.follow('Try again');
    expect([status, `${url.pathname}${url.search}`]).toEqual([200, invited]);
    expect(at((await developerAt(strict, PORTAL_PATHS.overview, DEVELOPER)).view())).toBe(PORTAL_PATHS.overview);
    await strict.close();
  });
});
