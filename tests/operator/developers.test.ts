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

  test('a new link replaces all earlier links of its email and no others', async () => {
    const desk = await newDesk(engine);
    const other = await desk.run('developer.invite', { email: 'eve@example.com' });
    const links = [
      (await desk.run('developer.invite', { email: EMAIL })).invitation_link,
      (await desk.run('developer.invite', { email: EMAIL })).invitation_link,
      (await desk.run('developer.create', { email: EMAIL })).password_link,
      (await desk.run('developer.reset-password', { developer: EMAIL })).password_link,
    ];
    const found = await Promise.all([other.invitation_link, ...links].map((link) => linkOf(desk, link.split('=')[1]!)));
    expect(found.map((link) => link !== undefined)).toEqual([true, false, false, false, true]);
  });

  test('a developer with applications cannot be deleted, and a deletion removes all data of a developer', async () => {
    const desk = await newDesk(engine);
    const { developer, id } = await newApplication(desk);
    await newApplication(desk, 'eve@example.com');
    const before = await desk.rows();
    await expect(desk.run('developer.delete', { developer })).rejects.toMatchObject({
      description: `${EMAIL} still has an app. Delete it or transfer it to another developer first.`,
    });
    expect(await desk.rows()).toBe(before);
    await desk.run('application.set', { application: id, changes: { developer: 'eve@example.com' } });
    await expect(desk.run('developer.delete', { developer: 'eve@example.com' })).rejects.toMatchObject({
      description: expect.stringContaining('eve@example.com still has 2 apps. Delete them'),
    });
    const session = { tokenHash: 'session', accountId: developer, signedInAt: NOON, expiresAt: NOON + DAY_MS };
    await insertSession(desk.store.db, OF_DEVELOPERS, session);
    expect(await desk.run('developer.delete', { developer })).toEqual({ developer_id: developer, email: EMAIL });
    expect(desk.events.at(-1)).toEqual({ event: 'developer_deleted', result: 'succeeded', developer });
    const after = JSON.parse(await desk.rows()) as string[][];
    expect(after.map((rows) => rows.length)).toEqual([1, 1, 0, 2, 3]);
  });

  test.each<[string, string, unknown]>([
    ['developer.create', 'Enter your email address.', { email: '' }],
    ['developer.create', 'Enter a full email address', { email: 'ada' }],
    ['developer.create', 'Enter a full email address', { email: 'ada@example.com\0' }],
    ['developer.create', 'Enter a full email address', { email: 'ada li@example.com' }],
    ['developer.create', 'at most 254 characters', { email: `${'a'.repeat(250)}@example.com` }],
    ['developer.create', 'The developer ada@example.com already exists.', { email: 'ADA@example.com' }],
    ['developer.create', 'does not accept this input', { email: EMAIL, id: '1' }],
    ['developer.create', 'does not accept this input', {}],
    ['developer.invite', 'The developer ada@example.com already exists.', { email: EMAIL }],
    ['developer.invite', 'Enter a full email address', { email: '@' }],
    ['developer.reset-password', 'No developer found for eve@example.com.', { developer: 'eve@example.com' }],
    ['developer.reset-password', 'No developer found for 1.', { developer: '1' }],
    ['developer.reset-password', 'does not accept this input', { developer: '\0' }],
    ['developer.delete', 'No developer found for eve.', { developer: 'eve' }],
    ['developer.delete', 'does not accept this input', { developer: '' }],
    ['developer.delete', 'does not accept this input', { developer: null }],
    ['developer.list', 'does not accept this input', { limit: 0, after: null }],
    ['developer.list', 'does not accept this input', { limit: MOST_LISTED.developers + 1, after: null }],
    ['developer.list', 'does not accept this input', { limit: 1, after: 'a b' }],
    ['developer.eat', 'does not know this command', {}],
  ])('%s is rejected (%s): %j', async (name, said, input) => {
    const desk = await newDesk(engine);
    await desk.run('developer.create', { email: EMAIL });
    const [before, told] = [await desk.rows(), desk.events.length];
    await expect(desk.runWith(name, input)).rejects.toMatchObject({ description: expect.stringContaining(said) });
    expect([await desk.rows(), desk.events.length]).toEqual([before, told]);
  });

  test.each(['developer.create', 'developer.invite', 'developer.reset-password'] as const)(
    '%s changes nothing if the public URL is not set',
    async (name) => {
      const desk = await newDesk(engine, { publicUrl: null });
      await insertDeveloperIfAbsent(desk.store.db, { id: '1', email: EMAIL, passwordHash: 'hash', createdAt: NOON });
      const before = await desk.rows();
      const input = name === 'developer.reset-password' ? { developer: '1' } : { email: 'eve@example.com' };
      await expect(desk.runWith(name, input)).rejects.toMatchObject({
        description: expect.stringContaining('PUBLIC_URL is not set'),
      });
      expect([await desk.rows(), desk.events]).toEqual([before, []]);
    },
  );

  test('developer.invite changes nothing if nobody can sign up', async () => {
    const desk = await newDesk(engine, { portalSignUp: 'off' });
    const before = await desk.rows();
    await expect(desk.run('developer.invite', { email: EMAIL })).rejects.toMatchObject({
      description: expect.stringContaining('PORTAL_SIGN_UP is off'),
    });
    expect([await desk.rows(), desk.events]).toEqual([before, []]);
    await desk.run('developer.create', { email: EMAIL });
  });

  test('only one of several concurrent commands creates a developer', async () => {
    const desk = await newDesk(engine);
    const asked = Array.from({ length: 5 }, () => desk.run('developer.create', { email: EMAIL }));
    const ended = await Promise.allSettled(asked);
    const made = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(made).toHaveLength(1);
    const refused = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason.description] : []));
    expect(new Set(refused)).toEqual(
      new Set([expect.stringContaining('The developer ada@example.com already exists')]),
    );
    expect(await linkOf(desk, made[0]!.password_link.split('=')[1]!)).toBeDefined();
    expect(desk.events).toHaveLength(1);
  });

  test('only one of several links that are created concurrently for one email works', async () => {
    for (let n = 0; n < 10; n++) {
      const desk = await newDesk(engine);
      const email = `${n}-${EMAIL}`;
      const asked = [
        ...Array.from({ length: 9 }, () => desk.run('developer.invite', { email })),
        ...(n % 2 === 0 ? [] : [desk.run('developer.create', { email })]),
      ];
      const isMade = (await Promise.allSettled(asked)).at(-1)!.status === 'fulfilled' && n % 2 === 1;
      const links = await desk.store.db.selectFrom('developerLinks').selectAll().execute();
      expect(links).toEqual([expect.objectContaining({ email, developerId: isMade ? expect.any(String) : null })]);
    }
  });

  test('a developer cannot be deleted and get an application at the same time', async () => {
    for (let n = 0; n < 10; n++) {
      const desk = await newDesk(engine);
      const { id } = await newApplication(desk, 'eve@example.com');
      const { developer_id: developer } = await desk.run('developer.create', { email: EMAIL });
      const ended = await Promise.allSettled([
        desk.run('developer.delete', { developer }),
        desk.run('application.set', { application: id, changes: { developer } }),
      ]);
      expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const { developer_email: owner } = await desk.run('application.show', { application: id });
      expect(owner).not.toBeNull();
    }
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
      const seen: [string, number, boolean][] = [];
      let after: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof desk.run<'developer.list'>>> = await desk.run('developer.list', {
          limit,
          after,
        });
        expect(page.developers.length).toBeLessThanOrEqual(limit);
        const facts = page.developers.map((one) => [one.developer_id, one.applications, one.has_password] as const);
        seen.push(...facts.map(([id, count, has]): [string, number, boolean] => [id, count, has]));
        after = page.next;
      } while (after !== null);
      expect(seen).toEqual([[developer, 1, false], ...ids.map((id) => [id, 0, true])]);
    }
  });
});
