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
import { fieldValue } from './applications-support.ts';
import { at, developerAt, newDeveloper, newLink, setPasswordPath, signUpPath, storedDeveloper } from './support.ts';

const GRACE = { email: 'Grace@Example.com', password: 'a nanosecond of wire' };
const CHOSEN = { new_password: 'a brand new one', repeated_password: 'a brand new one' };
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

  const visitorAt = async (path: string, { baseUrl } = open) => {
    const visitor = newVisitor(baseUrl);
    await visitor.open(path);
    return visitor;
  };
  /** Sends a form that the page does not offer. */
  const post = async (path: string, fields: Readonly<Record<string, string>>, on = open) => {
    const visitor = await visitorAt(PORTAL_PATHS.signIn, on);
    const body = new URLSearchParams({ csrf_token: csrfTokenOn(visitor.view()), ...fields });
    return changingNothing(open, () => visitor.post(path, body));
  };

  test.each(MODES)('a sign-up in mode %s', async (mode) => {
    const invitation = await newLink(open, `${mode}@example.com`);
    for (const [i, token] of ['', invitation, 'x'.repeat(43), 'short'].entries()) {
      const expected = ANSWERS[mode][i]!;
      const path = token === '' ? PORTAL_PATHS.signUp : signUpPath(token);
      const { status, forms, text } = (await visitorAt(path, servers[mode])).view();
      expect([token, status, forms.length]).toEqual([token, expected, expected === 200 ? 1 : 0]);
      if (expected === 200) continue;
      expect(text).toContain('operator');
      const sent = await post(PORTAL_PATHS.signUp, { ...GRACE, invitation: token }, servers[mode]);
      expect(sent.status).toBe(expected);
    }
  });

  test("an account's email is stored in lower case, and its owner can sign in", async () => {
    const visitor = await visitorAt(PORTAL_PATHS.signUp);
    await visitor.submit(GRACE);
    expect(at(await visitor.submit({ password: GRACE.password }))).toBe(PORTAL_PATHS.overview);
    expect(await storedDeveloper(open, GRACE.email.toLowerCase())).toBeDefined();
  });

  test('a sign-up with the email of an account gets the same response and does not change the account', async () => {
    const { email } = await newDeveloper(open);
    const before = await storedDeveloper(open, email);
    const answers = [];
    for (const free of [email, 'ada@example.com']) {
      const visitor = await visitorAt(PORTAL_PATHS.signUp);
      const { status, text, headers } = await visitor.submit({ email: free, password: 'a brand new one' });
      answers.push([status, text, headers.get('cache-control')]);
    }
    expect(await storedDeveloper(open, email)).toEqual(before);
    expect(answers[0]).toEqual(answers[1]);
  });

  test.each([
    [{ email: 'no address' }, 'Enter a full email address'],
    [{ password: 'grace@example.com' }, 'based on your name, your email address or the word Ridehail'],
  ])('%j is rejected with a message, and the form keeps the email', async (change, sentence) => {
    const visitor = await visitorAt(PORTAL_PATHS.signUp);
    const typed = { ...GRACE, email: 'grace@example.com', ...change };
    const view = await changingNothing(open, () => visitor.submit(typed));
    expect([view.status, view.title]).toEqual([422, expect.stringMatching(/^Error: /)]);
    expect(view.text).toContain(sentence);
    expect([fieldValue(view, 'email'), fieldValue(view, 'password')]).toEqual([typed.email, '']);
  });

  /** Sends the form of a link twenty times at once. @returns the only browser that succeeds, and its password */
  const onlyOneOf = async (path: string, fieldsWith: (password: string) => Record<string, string>, on = open) => {
    const visitors = await Promise.all(Array.from({ length: 20 }, () => visitorAt(path, on)));
    const sent = visitors.map(async (visitor, i) => {
      const password = `a password of number ${i}`;
      const body = new URLSearchParams({ csrf_token: csrfTokenOn(visitor.view()), ...fieldsWith(password) });
      return { visitor, password, status: (await visitor.post(path, body)).status };
    });
    const outcomes = await Promise.all(sent);
    // the server rejects too many concurrent hashes
    expect(outcomes.filter(({ status }) => ![200, 404, 503].includes(status))).toEqual([]);
    const [successful, ...more] = outcomes.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    return successful!;
  };

  test('an invitation creates one account, only for its email, even if it is used concurrently', async () => {
    const other = await newLink(open, 'invited@example.com');
    const invitation = await newLink(open, 'invited@example.com');
    const fieldsWith = (password: string) => ({ invitation, email: 'else@example.com', password });
    const { visitor, password } = await onlyOneOf(signUpPath(invitation), fieldsWith, servers.invite);
    expect(at(await visitor.submit({ password }))).toBe(PORTAL_PATHS.overview);
    expect(await storedDeveloper(open, 'invited@example.com')).toBeDefined();
    expect(await storedDeveloper(open, 'else@example.com')).toBeUndefined();
    for (const used of [invitation, other]) expect((await visitor.open(signUpPath(used))).status).toBe(404);
  });

  test('an invitation expires, and a password link is not an invitation', async () => {
    const { email, id } = await newDeveloper(open);
    expect((await visitorAt(signUpPath(await newLink(open, email, id)))).view().status).toBe(404);
    const visitor = await visitorAt(signUpPath(await newLink(open, 'late@example.com')));
    expect(visitor.view().status).toBe(200);
    open.passTime(DAY_MS);
    expect((await visitor.submit({ password: 'a brand new one' })).status).toBe(404);
    expect(await storedDeveloper(open, 'late@example.com')).toBeUndefined();
  });

  test('too many sign-ups from one network are rejected, but developers can still sign in', async () => {
    const strict = await startTestServer(engine, { withPages: true, rateLimitMultiplier: 0.02 });
    const visitor = await visitorAt(PORTAL_PATHS.signUp, strict);
    expect((await visitor.submit(GRACE)).status).toBe(200);
    const invited = signUpPath(await newLink(strict, 'second@example.com'));
    await visitor.open(invited);
    expect((await visitor.submit({ password: GRACE.password })).status).toBe(429);
    const { status, url } = await visitor.follow('Try again');
    expect([status, `${url.pathname}${url.search}`]).toEqual([200, invited]);
    expect(at((await developerAt(strict)).view())).toBe(PORTAL_PATHS.overview);
    await strict.close();
  });

  describe('a password link', () => {
    test('sets one password, even if it is used concurrently, and ends all other sessions and links', async () => {
      const developer = await newDeveloper(open);
      const elsewhere = await developerAt(open, PORTAL_PATHS.overview, developer);
      const other = await newLink(open, developer.email, developer.id);
      const link = await newLink(open, developer.email, developer.id);
      const page = (await visitorAt(setPasswordPath(link))).view();
      for (const header of ['referrer-policy', 'cache-control']) expect(page.headers.get(header)).toMatch(/^no-/);
      expect(page.text).toContain(developer.email);
      const fieldsWith = (password: string) => ({ link, new_password: password, repeated_password: password });
      const { visitor, password } = await onlyOneOf(setPasswordPath(link), fieldsWith);
      expect(at(visitor.view())).toBe(PORTAL_PATHS.overview);
      expect(at(await elsewhere.open(PORTAL_PATHS.overview))).toBe(PORTAL_PATHS.signIn);
      expect((await elsewhere.submit({ email: developer.email, password: developer.password })).status).toBe(422);
      expect(at(await elsewhere.submit({ email: developer.email, password }))).toBe(PORTAL_PATHS.overview);
      for (const used of [link, other]) expect((await visitor.open(setPasswordPath(used))).status).toBe(404);
    });

    test.each([
      [{ repeated_password: 'another one' }, 'The new passwords don’t match.'],
      [{ new_password: 'password1' }, 'too easy to guess'],
    ])('with %j is rejected with a message, and still works', async (change, sentence) => {
      const { email, id } = await newDeveloper(open);
      const visitor = await visitorAt(setPasswordPath(await newLink(open, email, id)));
      const view = await changingNothing(open, () => visitor.submit({ ...CHOSEN, ...change }));
      expect([view.status, view.text.includes(sentence)]).toEqual([422, true]);
      expect(at(await visitor.submit(CHOSEN))).toBe(PORTAL_PATHS.overview);
    });

    test('that is invalid says what to do and changes nothing', async () => {
      const { email, id } = await newDeveloper(open);
      const late = await newLink(open, email, id);
      open.passTime(DAY_MS);
      const links = [late, await newLink(open, email), await newLink(open, 'gone@example.com', 'gone')];
      for (const link of [...links, 'x'.repeat(43), '', '\0', `${links[0]}x`]) {
        const { status, text } = (await visitorAt(setPasswordPath(link))).view();
        expect([status, text.includes('operator')]).toEqual([404, true]);
        const sent = await post(PORTAL_PATHS.setPassword, { ...CHOSEN, link });
        expect(sent.status).toBe(link === '\0' ? 400 : 404);
      }
    });
  });
});
