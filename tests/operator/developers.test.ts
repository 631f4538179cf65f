import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../server/domain/time.ts';
import { isPassword } from '../../server/oauth/passwords.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { MOST_LISTED } from '../../server/operator/command.ts';
import { findDeveloperLink } from '../../server/store/developer-links.ts';
import { changeDeveloperPassword, findDeveloper, insertDeveloperIfAbsent } from '../../server/store/developers.ts';
import { insertDevice } from '../../server/store/devices.ts';
import { findSession, insertSession } from '../../server/store/sessions.ts';
import { OF_DEVELOPERS } from '../../server/store/sign-in-tables.ts';
import { NOON } from '../store/samples.ts';
import { engines } from '../support/database.ts';
import { allRows, type Desk, expectRejected, NOT_ACCEPTED, newApplication, newDesk } from './support.ts';

const EMAIL = 'ada@example.com';

/** Returns the token in a portal link. */
function tokenOf(link: string, page: string): string {
  const { origin, pathname, searchParams } = new URL(link);
  const [[field, token = ''] = []] = [...searchParams];
  expect([origin, `${pathname}?${field}`]).toEqual(['https://rides.example.com', page]);
  expect(token).toMatch(/^[\w-]{43}$/);
  return token;
}

const linkOf = ({ store }: Desk, token: string) => findDeveloperLink(store.db, hashOf(token));

describe.each(engines)('on %s', (engine) => {
  test('a new developer has no password and gets a link to set one, valid for seven days', async () => {
    const desk = await newDesk(engine);
    const made = await desk.run('developer.create', { email: '  Ada@Example.COM ' });
    expect(made).toMatchObject({ email: EMAIL, link_expires_at: new Date(NOON + 7 * DAY_MS).toISOString() });
    const link = await linkOf(desk, tokenOf(made.password_link, '/portal/set-password?link'));
    expect(link).toMatchObject({ email: EMAIL, developerId: made.developer_id, expiresAt: NOON + 7 * DAY_MS });
    const developer = await findDeveloper(desk.store.db, made.developer_id);
    expect(developer).toMatchObject({ email: EMAIL, createdAt: NOON });
    for (const password of ['', developer!.passwordHash, 'password']) {
      expect(await isPassword(password, developer!.passwordHash)).toBe(false);
    }
    expect(desk.events).toEqual([{ event: 'developer_created', result: 'succeeded', developer: made.developer_id }]);
    expect(await desk.rows()).not.toContain(made.password_link.split('=')[1]);
  });

  test('an invitation creates no account, and its link is valid for seven days', async () => {
    const desk = await newDesk(engine);
    const { invitation_link, ...invited } = await desk.run('developer.invite', { email: 'Ada@example.com' });
    expect(invited).toEqual({ email: EMAIL, link_expires_at: new Date(NOON + 7 * DAY_MS).toISOString() });
    const link = await linkOf(desk, tokenOf(invitation_link, '/portal/sign-up?invitation'));
    expect(link).toMatchObject({ email: EMAIL, developerId: null, expiresAt: NOON + 7 * DAY_MS });
    expect((await desk.run('developer.list', { limit: 1, after: null })).developers).toEqual([]);
    expect(desk.events).toEqual([{ event: 'developer_created', result: 'invited', developer: null }]);
  });

  test('a reset removes the password and the sessions, and its link is valid for a day', async () => {
    const desk = await newDesk(engine);
    const { developer_id: id } = await desk.run('developer.create', { email: EMAIL });
    await changeDeveloperPassword(desk.store.db, id, { after: 'a hash' });
    const signIn = { accountId: id, signedInAt: NOON, expiresAt: NOON + DAY_MS };
    await insertSession(desk.store.db, OF_DEVELOPERS, { ...signIn, tokenHash: 'session' });
    await insertDevice(desk.store.db, OF_DEVELOPERS, { ...signIn, tokenHash: 'device' });
    for (const who of [id, 'ADA@example.com']) {
      const reset = await desk.run('developer.reset-password', { developer: who });
      expect(reset).toMatchObject({ developer_id: id, email: EMAIL });
      const link = await linkOf(desk, tokenOf(reset.password_link, '/portal/set-password?link'));
      expect(link).toMatchObject({ email: EMAIL, developerId: id, expiresAt: NOON + DAY_MS });
    }
    expect((await desk.run('developer.list', { limit: 1, after: null })).developers[0]!.has_password).toBe(false);
    expect(await findSession(desk.store.db, OF_DEVELOPERS, 'session')).toBeUndefined();
    expect(await desk.store.db.selectFrom('developerDevices').selectAll().execute()).toEqual([]);
    expect(desk.events.at(-1)).toEqual({ event: 'developer_link_made', result: 'succeeded', developer: id });
  });

  test('a developer with applications cannot be deleted, and a deletion removes all data of a developer', async () => {
    const desk = await newDesk(engine);
    const { developer, id } = await newApplication(desk);
    await newApplication(desk, 'eve@example.com');
    const one = `${EMAIL} still has an app. Delete it or transfer it to another developer first.`;
    await expectRejected(desk, 'developer.delete', { developer }, one);
    await desk.run('application.set', { application: id, changes: { developer: 'eve@example.com' } });
    const eve = { developer: 'eve@example.com' };
    await expectRejected(desk, 'developer.delete', eve, 'eve@example.com still has 2 apps. Delete them');
    const session = { tokenHash: 'session', accountId: developer, signedInAt: NOON, expiresAt: NOON + DAY_MS };
    await insertSession(desk.store.db, OF_DEVELOPERS, session);
    expect(await desk.run('developer.delete', { developer })).toEqual({ developer_id: developer, email: EMAIL });
    expect(desk.events.at(-1)).toEqual({ event: 'developer_deleted', result: 'succeeded', developer });
    const after = JSON.parse(await desk.rows()) as string[][];
    expect(after.map((rows) => rows.length)).toEqual([1, 1, 0, 2, 3]);
  });

  const NOT_FULL = 'Enter a full email address';
  const EXISTS = 'The developer ada@example.com already exists.';
  test.each<[name: string, said: string, inputs: readonly object[]]>([
    ['developer.create', 'Enter your email address.', [{ email: '' }]],
    ['developer.create', NOT_FULL, ['ada', 'ada@example.com\0', 'ada li@example.com'].map((email) => ({ email }))],
    ['developer.create', 'at most 254 characters', [{ email: `${'a'.repeat(250)}@example.com` }]],
    ['developer.create', EXISTS, [{ email: 'ADA@example.com' }]],
    ['developer.create', NOT_ACCEPTED, [{ email: EMAIL, id: '1' }, {}]],
    ['developer.invite', EXISTS, [{ email: EMAIL }]],
    ['developer.invite', NOT_FULL, [{ email: '@' }]],
    ['developer.reset-password', 'No developer found for eve@example.com.', [{ developer: 'eve@example.com' }]],
    ['developer.reset-password', 'No developer found for 1.', [{ developer: '1' }]],
    ['developer.reset-password', NOT_ACCEPTED, [{ developer: '\0' }]],
    ['developer.delete', 'No developer found for eve.', [{ developer: 'eve' }]],
    ['developer.delete', NOT_ACCEPTED, [{ developer: '' }, { developer: null }]],
    ['developer.list', NOT_ACCEPTED, [0, MOST_LISTED.developers + 1].map((limit) => ({ limit, after: null }))],
    ['developer.list', NOT_ACCEPTED, [{ limit: 1, after: 'a b' }]],
    ['developer.eat', 'does not know this command', [{}]],
  ])('%s is rejected (%s): %j', async (name, said, inputs) => {
    const desk = await newDesk(engine);
    await desk.run('developer.create', { email: EMAIL });
    for (const input of inputs) await expectRejected(desk, name, input, said);
  });

  test.each(['developer.create', 'developer.invite', 'developer.reset-password'] as const)(
    '%s changes nothing if the public URL is not set',
    async (name) => {
      const desk = await newDesk(engine, { publicUrl: null });
      await insertDeveloperIfAbsent(desk.store.db, { id: '1', email: EMAIL, passwordHash: 'hash', createdAt: NOON });
      const input = name === 'developer.reset-password' ? { developer: '1' } : { email: 'eve@example.com' };
      await expectRejected(desk, name, input, 'PUBLIC_URL is not set');
    },
  );

  test('developer.invite changes nothing if nobody can sign up', async () => {
    const desk = await newDesk(engine, { portalSignUp: 'off' });
    await expectRejected(desk, 'developer.invite', { email: EMAIL }, 'PORTAL_SIGN_UP is off');
    await desk.run('developer.create', { email: EMAIL });
  });

  test('a list has each developer once, oldest first, with the number of their applications', async () => {
    const desk = await newDesk(engine);
    const { developer } = await newApplication(desk, 'first@example.com');
    const ids = [...Array(MOST_LISTED.developers + 1).keys()].map((n) => `x-${String(n).padStart(4, '0')}`);
    for (const id of ids) {
      const row = { id, email: `${id}@example.com`, passwordHash: 'a hash', createdAt: NOON };
      await insertDeveloperIfAbsent(desk.store.db, row);
    }
    for (const limit of [MOST_LISTED.developers, 51]) {
      const seen = await allRows(limit, async (after) => {
        const { developers, next } = await desk.run('developer.list', { limit, after });
        return [developers.map((one) => [one.developer_id, one.applications, one.has_password]), next];
      });
      expect(seen).toEqual([[developer, 1, false], ...ids.map((id) => [id, 0, true])]);
    }
  });
});
