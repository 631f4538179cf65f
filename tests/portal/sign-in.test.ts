import { describe, expect, test } from 'vitest';
import { DEMO_DEVELOPER, WITHOUT_DEMO } from '../../server/demo.ts';
import { ACCOUNT_PATHS, PORTAL_PATHS } from '../../server/links.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { findSession } from '../../server/store/sessions.ts';
import { OF_DEVELOPERS } from '../../server/store/sign-in-tables.ts';
import { csrfTokenOn, MAYA } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { startTestServer } from '../support/server.ts';
import { forAll, testServer } from '../support/started.ts';
import { newVisitor, type Visitor } from '../support/visitor.ts';
import { inPortal, newOwnApplication, send } from './applications-support.ts';
import { at, DEVELOPER, developerAt, newDeveloper, newLink, setPasswordPath } from './support.ts';

const SESSION = 'ridehail_developer_session';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true });
  const onDatabaseThatHadTheDemo = forAll(() => {
    const store = { ...server.store, close: async () => {} };
    return startTestServer(engine, { ...WITHOUT_DEMO, hasDemo: false, withPages: true, store });
  });

  test('a wrong email and a wrong password give the same message', async () => {
    const texts = [];
    for (const change of [{ email: 'nobody@example.com' }, { password: 'not the password' }]) {
      const visitor = newVisitor(server.baseUrl);
      await visitor.open(PORTAL_PATHS.signIn);
      const view = await visitor.submit({ ...DEVELOPER, ...change });
      expect([view.status, visitor.cookies.has(SESSION)]).toEqual([422, false]);
      texts.push(view.text);
    }
    expect(texts[0]).toBe(texts[1]);
  });

  test('the sign-in ends a session that was planted before it', async () => {
    const tokenOf = ({ cookies }: Visitor) => cookies.get(SESSION)!.split(';')[0]!;
    const isThere = async (token: string) =>
      (await findSession(server.store.db, OF_DEVELOPERS, hashOf(token))) !== undefined;
    const attacker = await newDeveloper(server);
    const planted = tokenOf(await developerAt(server, PORTAL_PATHS.overview, attacker));
    for (const token of [planted, 'made-up']) {
      const visitor = newVisitor(server.baseUrl);
      visitor.cookies.set(SESSION, token);
      const csrf_token = csrfTokenOn(await visitor.open(PORTAL_PATHS.overview));
      const view = await visitor.post(PORTAL_PATHS.signIn, new URLSearchParams({ csrf_token, ...DEVELOPER }));
      expect(at(view)).toBe(PORTAL_PATHS.overview);
      expect(tokenOf(visitor)).not.toBe(token);
      expect([await isThere(tokenOf(visitor)), await isThere(token)]).toEqual([true, false]);
    }
  });

  test('wrong passwords slow down unknown browsers, not the known one', async () => {
    const { email, password } = await newDeveloper(server);
    const known = await developerAt(server, PORTAL_PATHS.overview, { email, password });
    await known.submit({}, PORTAL_PATHS.signOut);
    const stranger = newVisitor(server.baseUrl);
    await stranger.open(PORTAL_PATHS.signIn);
    const tries = [];
    for (let n = 0; n < 7; n++) {
      const { status, headers } = await stranger.submit({ email, password: 'not the password' });
      tries.push({ status, wait: Number(headers.get('retry-after')) });
      await stranger.open(PORTAL_PATHS.signIn);
    }
    expect(tries.at(-1)).toEqual({ status: 429, wait: expect.toSatisfy((wait: number) => wait >= 1 && wait <= 60) });
    expect(at(await known.submit({ email, password }))).toBe(PORTAL_PATHS.overview);
  });

  test('a developer and a passenger sign in and out independently in one browser', async () => {
    const visitor = await developerAt(server);
    await visitor.open(ACCOUNT_PATHS.overview);
    await visitor.submit(MAYA);
    await visitor.open(PORTAL_PATHS.overview);
    await visitor.submit({}, PORTAL_PATHS.signOut);
    expect(at(await visitor.open(ACCOUNT_PATHS.overview))).toBe(ACCOUNT_PATHS.overview);
    expect(at(await visitor.open(PORTAL_PATHS.overview))).toBe(PORTAL_PATHS.signIn);
  });

  test('an unknown path shows an error page, with or without a session', async () => {
    for (const visitor of [newVisitor(server.baseUrl), await developerAt(server)]) {
      for (const [path, status] of [
        ...['/', '/nothing', '/account/nothing', '/Account', '/%00', '/%'].map((path) => [path, 404] as const),
        ['/sign-out', 405] as const,
      ]) {
        const view = await visitor.open(PORTAL_PATHS.overview + path);
        expect([path, view.status, view.headers.get('cache-control')]).toEqual([path, status, 'no-store']);
        expect(view.headers.get('content-type')).toBe('text/html; charset=utf-8');
      }
    }
  });

  test('the sign-in page of a development server names the demo developer', async () => {
    const visitor = newVisitor(server.baseUrl);
    expect((await visitor.open(PORTAL_PATHS.signIn)).text).toContain(DEVELOPER.email);
  });

  test('without the demo, its developer cannot use a session, a password or a link', async () => {
    const signedIn = await developerAt(server);
    const { baseUrl } = onDatabaseThatHadTheDemo;
    const visitor = newVisitor(baseUrl);
    visitor.cookies.set(SESSION, signedIn.cookies.get(SESSION)!);
    const asked = await visitor.open(PORTAL_PATHS.overview);
    expect(at(asked)).toBe(PORTAL_PATHS.signIn);
    expect(asked.text).not.toContain(DEVELOPER.email);
    expect((await visitor.submit(DEVELOPER)).status).toBe(422);
    const link = await newLink(server, DEVELOPER.email, DEMO_DEVELOPER.id);
    expect((await visitor.open(setPasswordPath(link))).status).toBe(404);
  });

  test('without the demo, an application cannot be transferred to its developer', async () => {
    const owner = await newDeveloper(server);
    const { application } = await newOwnApplication(server, owner, { name: 'Mine' });
    const visitor = await inPortal(
      onDatabaseThatHadTheDemo,
      owner,
      `${PORTAL_PATHS.overview}/applications/${application.id}/settings`,
    );
    const view = await send(visitor, { action: 'transfer' }, { developer: DEMO_DEVELOPER.id, transfer_name: 'Mine' });
    expect([view.status, view.text.includes('No developer has this ID. Check it with the new owner.')]).toEqual([
      422,
      true,
    ]);
  });
});
