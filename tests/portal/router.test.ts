import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { DEMO_DEVELOPER } from '../../server/demo.ts';
import { ACCOUNT_PATHS, PORTAL_PATHS } from '../../server/links.ts';
import { findPassengerByEmail } from '../../server/store/passengers.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { csrfTokenOn, MAYA, signedInVisitor } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { LIVE } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { newVisitor, type Visitor } from '../support/visitor.ts';
import { inPortal, newOwnApplication, PAGES_OF_APPLICATION } from './applications-support.ts';
import { at, DEVELOPER, developerAt, newDeveloper, newLink } from './support.ts';

const { signIn, signOut, signUp, setPassword } = PORTAL_PATHS;
const PAGES = [PORTAL_PATHS.overview, PORTAL_PATHS.account, PORTAL_PATHS.password, PORTAL_PATHS.deletion];
const NEW = { new_password: 'a brand new one', repeated_password: 'a brand new one' };
/** The forms that require a session, and the forms in DOORS. */
const FORMS: readonly [path: string, fields: Readonly<Record<string, string>>][] = [
  [PORTAL_PATHS.account, {}],
  [PORTAL_PATHS.password, { current_password: DEVELOPER.password, ...NEW }],
  [PORTAL_PATHS.deletion, { password: DEVELOPER.password, word: 'delete' }],
  [signOut, {}],
  [signIn, DEVELOPER],
  [signUp, { email: 'grace@example.com', password: 'a brand new one' }],
  [setPassword, NEW],
];
const DOORS: readonly string[] = [signOut, signIn, signUp, setPassword];
/** Values that are not valid pages to return to. */
const STRANGE_RETURNS = [
  'https://elsewhere.example/portal',
  '//elsewhere.example/portal',
  '/\\elsewhere.example',
  '/portal/../docs',
  '/portal/account@elsewhere.example',
  '/portal/account?done=changed',
  '/portal/account\n',
  '/portal/sign-out',
  '/account',
  '',
];

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });
  const post = (visitor: Visitor, path: string, fields: Readonly<Record<string, string>>) =>
    visitor.post(path, new URLSearchParams(fields));

  test.each(PAGES)('%s leads to the sign-in and back', async (path) => {
    const visitor = newVisitor(server.baseUrl);
    const asked = await visitor.open(path);
    expect([asked.status, at(asked)]).toEqual([200, signIn]);
    const view = await visitor.submit(DEVELOPER);
    expect(view.redirects.map(({ location }) => location)).toEqual([path]);
    expect([view.status, view.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(view.headers.get('referrer-policy')).toBe('no-referrer');
    expect(view.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(view.markup.match(/<h1>/g)).toHaveLength(1);
    expect(view.markup).toContain('aria-current="page"');
    expect(at(await visitor.submit({}, signOut))).toBe(signIn);
    expect(at(await visitor.open(path))).toBe(signIn);
  });

  test.each(FORMS.filter(([path]) => !DOORS.includes(path)))(
    'the form of %s leads to the sign-in and changes nothing',
    async (path, fields) => {
      const visitor = newVisitor(server.baseUrl);
      await visitor.open(signIn);
      const csrf_token = csrfTokenOn(visitor.view());
      const view = await changingNothing(server, () => post(visitor, path, { csrf_token, ...fields }));
      expect(at(view)).toBe(signIn);
    },
  );

  test.each(FORMS)('the form of %s with a wrong CSRF token is rejected and changes nothing', async (path, fields) => {
    const link = await newLink(server, DEVELOPER.email, DEMO_DEVELOPER.id);
    const sent = path === setPassword ? { ...fields, link } : fields;
    const visitor = await developerAt(server);
    const passenger = await signedInVisitor(server.baseUrl);
    const stranger = await developerAt(server);
    // a passenger's token is as wrong as a token of another browser
    const wrong: Record<string, string>[] = [passenger, stranger].map((of) => ({ csrf_token: csrfTokenOn(of.view()) }));
    for (const token of [{}, { csrf_token: 'x' }, ...wrong]) {
      const view = await changingNothing(server, () => post(visitor, path, { ...token, ...sent }));
      expect([view.status, view.title]).toEqual([403, 'This form has expired · Ridehail']);
    }
    expect(at(await visitor.open(PORTAL_PATHS.account))).toBe(PORTAL_PATHS.account);
  });

  test.each(STRANGE_RETURNS)('a return to %j leads to the overview', async (to) => {
    const visitor = newVisitor(server.baseUrl);
    await visitor.open(`${signIn}?${new URLSearchParams({ to })}`);
    expect((await visitor.submit(DEVELOPER)).url.href).toBe(server.baseUrl + PORTAL_PATHS.overview);
    const other = newVisitor(server.baseUrl);
    await other.open(signIn);
    const view = await post(other, signIn, { csrf_token: csrfTokenOn(other.view()), ...DEVELOPER, to });
    expect(view.url.href).toBe(server.baseUrl + PORTAL_PATHS.overview);
  });

  test('no query adds text to a page or makes it fail', async () => {
    const developer = await newDeveloper(server);
    const { application } = await newOwnApplication(server, developer);
    const visitor = await inPortal(server, developer);
    const own = PAGES_OF_APPLICATION.map((page) => `${PORTAL_PATHS.overview}/applications/${application.id}${page}`);
    for (const path of [...PAGES, PORTAL_PATHS.newApplication, ...own]) {
      const { status, text } = await visitor.open(path);
      expect([path, status]).toEqual([path, 200]);
      for (const done of ['constructor', '__proto__', 'Your secret is out']) {
        const view = await visitor.open(`${path}?${new URLSearchParams({ done })}`);
        expect([path, done, view.status, view.text]).toEqual([path, done, 200, text]);
      }
    }
  });

  test('neither an API token nor a passenger session opens the portal', async () => {
    const maya = (await findPassengerByEmail(server.store.db, LIVE.id, MAYA.email))!;
    const token = await server.newToken({ world: LIVE, passenger: maya });
    const passenger = await signedInVisitor(server.baseUrl);
    const session = passenger.cookies.get('ridehail_session')!;
    const renamed = newVisitor(server.baseUrl);
    renamed.cookies.set('ridehail_developer_session', session);
    for (const path of PAGES) {
      for (const visitor of [newVisitor(server.baseUrl, { Authorization: `Bearer ${token}` }), passenger, renamed]) {
        expect(at(await visitor.open(path))).toBe(signIn);
      }
    }
  });

  test('a developer session opens no passenger account and authorizes no API call', async () => {
    const developer = await developerAt(server);
    const session = developer.cookies.get('ridehail_developer_session')!;
    const renamed = newVisitor(server.baseUrl);
    renamed.cookies.set('ridehail_session', session);
    for (const visitor of [developer, renamed]) {
      expect(at(await visitor.open(ACCOUNT_PATHS.overview))).toBe(ACCOUNT_PATHS.signIn);
    }
    const token = session.split(';')[0]!;
    const credentials: Record<string, string>[] = [
      { Cookie: `ridehail_developer_session=${token}` },
      { Authorization: `Bearer ${token}` },
    ];
    for (const headers of credentials) {
      expect((await fetch(server.baseUrl + OPERATIONS.getProfile.path, { headers })).status).toBe(401);
    }
  });

  test('a developer and a passenger sign in and out independently in one browser', async () => {
    const visitor = await developerAt(server);
    await visitor.open(ACCOUNT_PATHS.overview);
    await visitor.submit(MAYA);
    await visitor.open(PORTAL_PATHS.overview);
    await visitor.submit({}, signOut);
    expect(at(await visitor.open(ACCOUNT_PATHS.overview))).toBe(ACCOUNT_PATHS.overview);
    expect(at(await visitor.open(PORTAL_PATHS.overview))).toBe(signIn);
  });

  test.each([
    ['twice', ['a brand new one', 'a brand new one']],
    ['too long', ['x'.repeat(8001)]],
    ['with NUL', ['\0']],
  ])('a field that is sent %s is rejected and changes nothing', async (_, values) => {
    const visitor = await developerAt(server, PORTAL_PATHS.password);
    const body = new URLSearchParams({ csrf_token: csrfTokenOn(visitor.view()), current_password: DEVELOPER.password });
    for (const value of values) body.append('new_password', value);
    const { status } = await changingNothing(server, () => visitor.post(PORTAL_PATHS.password, body));
    expect(status).toBe(422);
  });

  test.each([
    ['/portal/', 404],
    ['/portal/nothing', 404],
    ['/portal/account/nothing', 404],
    ['/portal/Account', 404],
    ['/portal/%00', 404],
    ['/portal/%', 404],
    ['/portal/sign-out', 405],
  ])('%s shows an error page, with or without a session', async (path, status) => {
    for (const visitor of [newVisitor(server.baseUrl), await developerAt(server)]) {
      const view = await visitor.open(path);
      expect([view.status, view.headers.get('cache-control')]).toEqual([status, 'no-store']);
      expect(view.headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
  });
});
