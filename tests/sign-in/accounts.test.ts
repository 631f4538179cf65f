import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../server/domain/time.ts';
import { DEVELOPER_COOKIES, PASSENGER_COOKIES } from '../../server/http/browser.ts';
import { ACCOUNT_PATHS, PORTAL_PATHS } from '../../server/links.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { insertDeveloperIfAbsent } from '../../server/store/developers.ts';
import { deleteSignIns, findSession } from '../../server/store/sessions.ts';
import { OF_DEVELOPERS, OF_PASSENGERS } from '../../server/store/sign-in-tables.ts';
import { storedMaya } from '../account/support.ts';
import { csrfTokenOn, MAYA } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { LIVE, TUESDAY_MORNING } from '../support/server.ts';
import { serverForEach } from '../support/started.ts';
import { newVisitor, type Visitor } from '../support/visitor.ts';

/** Shared by an account of each kind, to test that the kinds do not mix. */
const SHARED = { id: 'ada', email: 'ada@example.com' };
const RIGHT = { email: SHARED.email, password: MAYA.password };
const WRONG = { ...RIGHT, password: 'not the password' };
const PASSENGERS = { name: 'passengers', paths: ACCOUNT_PATHS, cookies: PASSENGER_COOKIES, tables: OF_PASSENGERS };
const DEVELOPERS = { name: 'developers', paths: PORTAL_PATHS, cookies: DEVELOPER_COOKIES, tables: OF_DEVELOPERS };

describe.each(engines)('on %s', (engine) => {
  const server = serverForEach(engine, { withPages: true });
  beforeEach(async () => {
    const { passwordHash } = await storedMaya(server);
    await server.newPassenger(LIVE, { ...SHARED, passwordHash });
    await insertDeveloperIfAbsent(server.store.db, { ...SHARED, passwordHash, createdAt: 0 });
  });
  const visitorAt = async (path: string) => {
    const visitor = newVisitor(server.baseUrl);
    await visitor.open(path);
    return visitor;
  };

  describe.each([
    [PASSENGERS.name, PASSENGERS, DEVELOPERS],
    [DEVELOPERS.name, DEVELOPERS, PASSENGERS],
  ])('of %s', (_, own, other) => {
    test('a session is valid only for its own kind, until it expires or all sign-ins end', async () => {
      const visitor = await visitorAt(own.paths.overview);
      const isIn = async ({ overview } = own.paths) => (await visitor.open(overview)).url.pathname === overview;
      await visitor.submit(RIGHT);
      expect([await isIn(), await isIn(other.paths)]).toEqual([true, false]);
      await visitor.submit(RIGHT);
      expect([await isIn(), await isIn(other.paths)]).toEqual([true, true]);
      await visitor.submit({}, other.paths.signOut);
      visitor.cookies.set(other.cookies.session, visitor.cookies.get(own.cookies.session)!);
      expect([await isIn(), await isIn(other.paths)]).toEqual([true, false]);
      await deleteSignIns(server.store.db, other.tables, SHARED.id);
      server.passTime(DAY_MS - 1);
      expect(await isIn()).toBe(true);
      server.passTime(1);
      expect(await isIn()).toBe(false);
      await visitor.submit(RIGHT);
      expect(await isIn()).toBe(true);
      await deleteSignIns(server.store.db, own.tables, SHARED.id);
      expect(await isIn()).toBe(false);
    });

    test('a sign-in ends a session that was planted before it', async () => {
      const tokenOf = ({ cookies }: Visitor) => cookies.get(own.cookies.session)!.split(';')[0]!;
      const isThere = async (token: string) =>
        (await findSession(server.store.db, own.tables, hashOf(token))) !== undefined;
      const attacker = await visitorAt(own.paths.signIn);
      await attacker.submit(RIGHT);
      for (const planted of [tokenOf(attacker), 'made-up']) {
        const visitor = newVisitor(server.baseUrl);
        visitor.cookies.set(own.cookies.session, planted);
        const csrf_token = csrfTokenOn(await visitor.open(own.paths.signIn));
        await visitor.post(own.paths.signIn, new URLSearchParams({ csrf_token, ...RIGHT }));
        expect([await isThere(tokenOf(visitor)), await isThere(planted)]).toEqual([true, false]);
      }
    });

    test('after wrong passwords, an unknown browser must wait, but not a known one or one of the other kind', async () => {
      // the limits use the process clock
      fakeTimers(['Date'], TUESDAY_MORNING);
      const [known, visitor] = [await visitorAt(own.paths.signIn), await visitorAt(own.paths.signIn)];
      await known.submit(RIGHT);
      await known.submit({}, own.paths.signOut);
      for (let n = 0; n < 5; n++) expect((await visitor.submit(WRONG)).status).toBe(422);
      expect((await visitor.submit(RIGHT)).status).toBe(429);
      const elsewhere = await visitorAt(other.paths.signIn);
      expect((await elsewhere.submit(RIGHT)).url.pathname).toBe(other.paths.overview);
      expect((await known.submit(RIGHT)).url.pathname).toBe(own.paths.overview);
    });

    test('a form is accepted only with a CSRF token of its own kind', async () => {
      const visitor = await visitorAt(own.paths.signIn);
      const fields = new URLSearchParams({ ...RIGHT, csrf_token: csrfTokenOn(visitor.view()) });
      // a site on the same domain can set cookies and knows the names
      visitor.cookies.set(other.cookies.csrf, visitor.cookies.get(own.cookies.csrf)!);
      expect((await visitor.post(other.paths.signIn, fields)).status).toBe(403);
      expect((await visitor.post(own.paths.signIn, fields)).url.pathname).toBe(own.paths.overview);
    });
  });
});
