import { beforeEach, describe, expect, test, vi } from 'vitest';
import { DEMO_PASSENGERS } from '../../server/demo.ts';
import { ACCOUNT_PATHS, CONSENT_PATHS, PORTAL_PATHS } from '../../server/links.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { insertDeveloperIfAbsent } from '../../server/store/developers.ts';
import { csrfTokenOn, MAYA, queryOfRequest } from '../support/consent.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { TUESDAY_MORNING } from '../support/server.ts';
import { serverForEach } from '../support/started.ts';
import { newVisitor, type Visitor } from '../support/visitor.ts';
import { mayaAt, passengerAt, storedMaya } from './support.ts';

const NEW_PASSWORD = 'a brand new one';
const WRONG = 'wrong password';
const withCredentials = (password: string) => ({ email: MAYA.email, password });
const forNewPassword = (current_password: string) => {
  return { current_password, new_password: NEW_PASSWORD, repeated_password: NEW_PASSWORD };
};
const forDeletion = (password: string) => ({ password, word: 'delete' });

/** The forms that require a password, with their paths and fields. */
const DOORS: readonly [name: string, path: string, fields: (password: string) => Record<string, string>][] = [
  ['the sign-in of the account', ACCOUNT_PATHS.signIn, withCredentials],
  ['the sign-in for a consent', `${CONSENT_PATHS.signIn}?${queryOfRequest()}`, withCredentials],
  ['the form for a new password', ACCOUNT_PATHS.password, forNewPassword],
  ['the form for a deletion', ACCOUNT_PATHS.deletion, forDeletion],
];

const server = serverForEach('sqlite', { withPages: true });
/** The limits use the process clock. */
beforeEach(() => fakeTimers(['Date'], TUESDAY_MORNING));

const BROWSERS: readonly [string, () => Promise<Visitor>][] = [
  ['a known browser', () => mayaAt(server, ACCOUNT_PATHS.overview)],
  // without the password form, the browser stays unknown
  ['an unknown browser', () => passengerAt(server, DEMO_PASSENGERS[0]!, ACCOUNT_PATHS.overview)],
];

describe.each(BROWSERS)('in %s', (_, open) => {
  test.each(DOORS)(
    'after five wrong passwords at %s, the right one must wait at every form',
    async (_name, path, fields) => {
      const visitor = await open();
      const csrf_token = csrfTokenOn(visitor.view());
      const send = (to: string, form: Record<string, string>) =>
        visitor.post(to, new URLSearchParams({ csrf_token, ...form }));
      for (let tries = 0; tries < 5; tries++) expect((await send(path, fields(WRONG))).status).toBe(422);
      for (const [door, to, fieldsThere] of DOORS) {
        const { status, headers } = await send(to, fieldsThere(MAYA.password));
        expect([door, status, headers.get('retry-after')]).toEqual([door, 429, '1']);
      }
      vi.setSystemTime(Date.now() + 1000);
      expect((await send(ACCOUNT_PATHS.password, forNewPassword(MAYA.password))).text).toContain('was changed');
    },
  );
});

test.each([
  ['a new password', ACCOUNT_PATHS.password, forNewPassword(MAYA.password)],
  ['signing out everywhere', ACCOUNT_PATHS.sessions, {}],
  ['a deletion', ACCOUNT_PATHS.deletion, forDeletion(MAYA.password)],
])('%s makes all browsers unknown, except the one that chose the new password', async (_, path, fields) => {
  const [own] = [await mayaAt(server, path), await mayaAt(server, path)];
  const known = async () => {
    const rows = await server.store.db.selectFrom('devices').select('tokenHash').execute();
    return rows.map(({ tokenHash }) => tokenHash);
  };
  expect(await known()).toHaveLength(2);
  await own.submit(fields, path);
  const device = own.cookies.get('ridehail_device')!.split(';')[0]!;
  expect(await known()).toEqual(path === ACCOUNT_PATHS.password ? [hashOf(device)] : []);
});

test.each([
  ['passengers', ACCOUNT_PATHS, PORTAL_PATHS],
  ['developers', PORTAL_PATHS, ACCOUNT_PATHS],
])(
  'wrong passwords of %s delay an unknown browser, but not a known one or one of the other kind',
  async (_, own, other) => {
    const { id, email, passwordHash } = await storedMaya(server);
    await insertDeveloperIfAbsent(server.store.db, { id, email, passwordHash, createdAt: 0 });
    const visitorAt = async (path: string) => {
      const visitor = newVisitor(server.baseUrl);
      await visitor.open(path);
      return visitor;
    };
    const [known, visitor] = [await visitorAt(own.signIn), await visitorAt(own.signIn)];
    await known.submit(MAYA);
    await known.submit({}, own.signOut);
    for (let n = 0; n < 5; n++) expect((await visitor.submit(withCredentials(WRONG))).status).toBe(422);
    expect((await visitor.submit(MAYA)).status).toBe(429);
    expect((await (await visitorAt(other.signIn)).submit(MAYA)).url.pathname).toBe(other.overview);
    expect((await known.submit(MAYA)).url.pathname).toBe(own.overview);
  },
);
