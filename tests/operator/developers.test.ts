import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../server/domain/time.ts';
import { isPassword } from '../../server/oauth/passwords.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { findDeveloperLink } from '../../server/store/developer-links.ts';
import { changeDeveloperPassword, findDeveloper } from '../../server/store/developers.ts';
import { insertDevice } from '../../server/store/devices.ts';
import { findSession, insertSession } from '../../server/store/sessions.ts';
import { OF_DEVELOPERS } from '../../server/store/sign-in-tables.ts';
import { NOON } from '../store/samples.ts';
import { engines } from '../support/database.ts';
import { type Desk, newApplication, newDesk } from './support.ts';

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
    await desk.run('application.set', { application: id, changes: { developer: 'eve@example.com' } });
    const description = expect.stringContaining('eve@example.com still has 2 applications. Delete them');
    await expect(desk.run('developer.delete', { developer: 'eve@example.com' })).rejects.toMatchObject({ description });
    const session = { tokenHash: 'session', accountId: developer, signedInAt: NOON, expiresAt: NOON + DAY_MS };
    await insertSession(desk.store.db, OF_DEVELOPERS, session);
    expect(await desk.run('developer.delete', { developer })).toEqual({ developer_id: developer, email: EMAIL });
    expect(desk.events.at(-1)).toEqual({ event: 'developer_deleted', result: 'succeeded', developer });
    const after = JSON.parse(await desk.rows()) as string[][];
    expect(after.map((rows) => rows.length)).toEqual([1, 1, 0, 2, 3]);
  });
});
