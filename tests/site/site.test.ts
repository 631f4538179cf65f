import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { DEMO } from '../../server/demo.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { type CookieNames, DEVELOPER_COOKIES, PASSENGER_COOKIES } from '../../server/http/browser.ts';
import { ACCOUNT_PATHS, PORTAL_PATHS } from '../../server/links.ts';
import { findPassengerByEmail } from '../../server/store/passengers.ts';
import { newOwnApplication, PAGES_OF_APPLICATION } from '../portal/applications-support.ts';
import { at, newDeveloper } from '../portal/support.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { csrfTokenOn, MAYA } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { LIVE, type TestServer } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { newVisitor, type Visitor } from '../support/visitor.ts';

interface Who {
  readonly id: string;
  readonly email: string;
}

interface TestedSite {
  readonly paths: typeof ACCOUNT_PATHS | typeof PORTAL_PATHS;
  readonly pages: readonly string[];
  /** The pages that an account has only with data. */
  readonly morePages?: (server: TestServer, who: Who) => Promise<readonly string[]>;
  /** The page that signs out everywhere. */
  readonly everywhere: string;
  /** The new account has the password of the demo. */
  readonly newAccount: (server: TestServer) => Promise<Who>;
  readonly cookies: CookieNames;
}

const { password } = DEMO;
const NEW = { new_password: 'a brand new one', repeated_password: 'a brand new one' };
/** Of the message on a page, and of the place in a log. */
const ODD_QUERIES = [
  ...['done=constructor', 'done=__proto__', 'done=Your+secret+is+out'],
  ...['x', '', '0', '-1', '1e3', '9'.repeat(40), '%00', '1&before=2'].map((before) => `before=${before}`),
];
const { overview: PORTAL, newApplication: NEW_APPLICATION, account: DEVELOPER } = PORTAL_PATHS;

const SITES: Readonly<Record<'account' | 'portal', TestedSite>> = {
  account: {
    paths: ACCOUNT_PATHS,
    pages: Object.values(ACCOUNT_PATHS).filter((path) => !/sign/.test(path)),
    everywhere: ACCOUNT_PATHS.sessions,
    newAccount: async (server) => {
      const { passwordHash } = (await findPassengerByEmail(server.store.db, LIVE.id, MAYA.email))!;
      return server.newPassenger(LIVE, { passwordHash });
    },
    cookies: PASSENGER_COOKIES,
  },
  portal: {
    paths: PORTAL_PATHS,
    pages: [PORTAL, NEW_APPLICATION, DEVELOPER, PORTAL_PATHS.password, PORTAL_PATHS.deletion],
    morePages: async (server, who) => {
      const { application } = await newOwnApplication(server, who);
      return PAGES_OF_APPLICATION.map((page) => `${PORTAL}/applications/${application.id}${page}`);
    },
    everywhere: DEVELOPER,
    newAccount: newDeveloper,
    cookies: DEVELOPER_COOKIES,
  },
};

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });
  const post = (visitor: Visitor, path: string, fields: Readonly<Record<string, string>>) =>
    visitor.post(path, new URLSearchParams(fields));

  describe.each([
    ['account', SITES.account, SITES.portal],
    ['portal', SITES.portal, SITES.account],
  ] as const)('the %s', (_, site, other) => {
    const { overview, signIn, signOut } = site.paths;
    /** Signs in and opens a page. */
    const inside = async ({ email }: Who, path: string = overview, { paths } = site) => {
      const visitor = newVisitor(server.baseUrl);
      await visitor.open(path);
      await visitor.submit({ email, password }, paths.signIn);
      expect(at(visitor.view())).toBe(path);
      return visitor;
    };
    // every-form.test.ts has the forms, and pages/links.test.ts what all pages have in common
    test('without a session, every page leads to the sign-in and back', async () => {
      const who = await site.newAccount(server);
      const visitor = newVisitor(server.baseUrl);
      for (const path of site.pages) {
        expect([path, at(await visitor.open(path))]).toEqual([path, signIn]);
        const view = await visitor.submit({ email: who.email, password });
        expect(view.redirects.map(({ location }) => location)).toEqual([path]);
        expect(view.markup.match(/aria-current="page"/g), path).toHaveLength(1);
        // all forms of a page have the same token, so each of them works
        const tokens = view.forms.map((form) => csrfTokenOn({ ...view, forms: [form] }));
        expect(new Set(tokens).size, path).toBe(1);
        const left = await post(visitor, signOut, { csrf_token: tokens.at(-1)! });
        expect([at(left), left.text.includes('You’re signed out.')]).toEqual([signIn, true]);
      }
      for (const path of (await site.morePages?.(server, who)) ?? [])
        expect([path, at(await visitor.open(path))]).toEqual([path, signIn]);
    });

    test.each([
      'https://elsewhere.example/',
      `//elsewhere.example${overview}`,
      '/\\elsewhere.example',
      `${overview}/../docs`,
      `${site.paths.password}@elsewhere.example`,
      `${site.paths.password}?done=changed`,
      `${site.paths.password}\n`,
      signOut,
      other.paths.overview,
      '/docs',
      '',
    ])('a return to %j leads to the overview', async (to) => {
      const { email } = await site.newAccount(server);
      const visitor = newVisitor(server.baseUrl);
      await visitor.open(`${signIn}?${new URLSearchParams({ to })}`);
      expect((await visitor.submit({ email, password })).url.href).toBe(server.baseUrl + overview);
      const another = newVisitor(server.baseUrl);
      await another.open(signIn);
      const view = await post(another, signIn, { csrf_token: csrfTokenOn(another.view()), email, password, to });
      expect(view.url.href).toBe(server.baseUrl + overview);
    });

    test('no query adds text to a page or makes it fail', async () => {
      const who = await site.newAccount(server);
      const visitor = await inside(who);
      for (const path of [...site.pages, ...((await site.morePages?.(server, who)) ?? [])]) {
        const { status, text } = await visitor.open(path);
        expect([path, status]).toEqual([path, 200]);
        for (const query of ODD_QUERIES) {
          const view = await visitor.open(`${path}?${query}`);
          expect([path, query, view.status, view.text]).toEqual([path, query, 200, text]);
        }
      }
    });

    test('neither an API token nor a session of the other kind opens a page, and a session authorizes no API call', async () => {
      const maya = (await findPassengerByEmail(server.store.db, LIVE.id, MAYA.email))!;
      const token = await server.newToken({ world: LIVE, passenger: maya });
      const stranger = await inside(await other.newAccount(server), other.paths.overview, other);
      const renamed = newVisitor(server.baseUrl);
      renamed.cookies.set(site.cookies.session, stranger.cookies.get(other.cookies.session)!);
      for (const path of site.pages) {
        for (const visitor of [newVisitor(server.baseUrl, { Authorization: `Bearer ${token}` }), stranger, renamed]) {
          expect(at(await visitor.open(path))).toBe(signIn);
        }
      }
      const visitor = await inside(await site.newAccount(server));
      const session = visitor.cookies.get(site.cookies.session)!.split(';')[0]!;
      const credentials: Record<string, string>[] = [
        { Cookie: `${site.cookies.session}=${session}` },
        { Authorization: `Bearer ${session}` },
      ];
      for (const headers of credentials) {
        expect((await fetch(server.baseUrl + OPERATIONS.getProfile.path, { headers })).status).toBe(401);
      }
    });

    test('signing out ends only this session, and signing out everywhere ends all of the account', async () => {
      const who = await site.newAccount(server);
      const [visitor, elsewhere, stays] = [await inside(who), await inside(who), await inside(who)];
      const neighbor = await inside(await site.newAccount(server));
      await visitor.submit({}, signOut);
      expect(at(await visitor.open(overview))).toBe(signIn);
      expect(at(await elsewhere.open(site.everywhere))).toBe(site.everywhere);
      const left = await elsewhere.submit({}, site.everywhere);
      expect([at(left), left.text.includes('You’re signed out everywhere.')]).toEqual([signIn, true]);
      for (const each of [elsewhere, stays]) expect(at(await each.open(overview))).toBe(signIn);
      expect(at(await neighbor.open(overview))).toBe(overview);
    });

    test('a session ends after a day', async () => {
      const visitor = await inside(await site.newAccount(server));
      server.passTime(DAY_MS - 1);
      expect(at(await visitor.open(overview))).toBe(overview);
      server.passTime(1);
      expect(at(await visitor.open(overview))).toBe(signIn);
    });

    test('a sign-in ends a session that was planted before it', async () => {
      const who = await site.newAccount(server);
      const attacker = await inside(who);
      for (const planted of [attacker.cookies.get(site.cookies.session)!, 'made-up']) {
        const visitor = newVisitor(server.baseUrl);
        visitor.cookies.set(site.cookies.session, planted);
        const csrf_token = csrfTokenOn(await visitor.open(signIn));
        expect(at(await post(visitor, signIn, { csrf_token, email: who.email, password }))).toBe(overview);
        expect(visitor.cookies.get(site.cookies.session)).not.toBe(planted);
      }
      expect(at(await attacker.open(overview))).toBe(signIn);
    });

    test('a new password starts another session here and ends all others', async () => {
      const who = await site.newAccount(server);
      const elsewhere = await inside(who);
      const visitor = await inside(who, site.paths.password);
      const before = visitor.cookies.get(site.cookies.session);
      const view = await visitor.submit({ current_password: password, ...NEW });
      expect([at(view), view.text.includes('Your password was changed.')]).toEqual([site.paths.password, true]);
      expect(visitor.cookies.get(site.cookies.session)).not.toBe(before);
      expect(at(await elsewhere.open(overview))).toBe(signIn);
      expect((await elsewhere.submit({ email: who.email, password })).status).toBe(422);
      expect(at(await elsewhere.submit({ email: who.email, password: NEW.new_password }))).toBe(overview);
    });

    test.each([
      [{ current_password: '' }, 'Enter your current password.'],
      [{ current_password: 'not the password' }, 'Wrong current password. Try again.'],
      [{ repeated_password: 'another one' }, 'The new passwords don’t match.'],
      [{ new_password: 'short' }, 'Choose a password with at least 8 characters.'],
      [{ new_password: 'x'.repeat(201) }, 'Choose a password with at most 200 characters.'],
      [{ new_password: 'ridehail1' }, 'based on your name, your email address or the word Ridehail'],
    ])('a new password with %j is rejected and changes nothing', async (change, sentence) => {
      const visitor = await inside(await site.newAccount(server), site.paths.password);
      const fields = { current_password: password, ...NEW, ...change };
      const view = await changingNothing(server, () => visitor.submit(fields));
      expect([view.status, view.text.includes(sentence)]).toEqual([422, true]);
      expect(view.markup).not.toContain(NEW.new_password);
      // the summary links to the field
      expect(view.markup).toMatch(/<a href="#(current|new|repeated)_password">/);
    });

    test.each([
      [{ word: 'yes' }, 'Type “delete” to confirm.'],
      [{ password: '' }, 'Enter your password.'],
      [{ password: 'not the password' }, 'Wrong password. Try again.'],
    ])('a deletion with %j is rejected and changes nothing', async (change, sentence) => {
      const visitor = await inside(await site.newAccount(server), site.paths.deletion);
      const fields = { password, word: 'delete', ...change };
      const view = await changingNothing(server, () => visitor.submit(fields));
      expect([view.status, view.text.includes(sentence)]).toEqual([422, true]);
    });
  });
});
