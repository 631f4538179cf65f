import { describe, expect, test } from 'vitest';
import { DEMO_DEVELOPER, WITHOUT_DEMO } from '../../server/demo.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { startTestServer } from '../support/server.ts';
import { forAll, testServer } from '../support/started.ts';
import { newVisitor } from '../support/visitor.ts';
import { inPortal, newOwnApplication, send } from './applications-support.ts';
import { at, DEVELOPER, developerAt, newDeveloper, newLink, setPasswordPath, storedDeveloper } from './support.ts';

const { overview, password, deletion, signIn } = PORTAL_PATHS;
const SESSION = 'ridehail_developer_session';
const CHANGE = { new_password: 'a brand new one', repeated_password: 'a brand new one' };

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });
  const onDatabaseThatHadTheDemo = forAll(() => {
    const store = { ...server.store, close: async () => {} };
    return startTestServer(engine, { ...WITHOUT_DEMO, hasDemo: false, withPages: true, store });
  });

  test('a password change ends a pending link', async () => {
    const developer = await newDeveloper(server);
    const link = await newLink(server, developer.email, developer.id);
    const visitor = await developerAt(server, password, developer);
    const view = await visitor.submit({ current_password: developer.password, ...CHANGE });
    expect([at(view), view.text.includes('Your password was changed')]).toEqual([password, true]);
    expect((await newVisitor(server.baseUrl).open(setPasswordPath(link))).status).toBe(404);
  });

  test('a deletion removes the data of the developer and frees the email address', async () => {
    const developer = await newDeveloper(server);
    await newLink(server, developer.email, developer.id);
    const visitor = await developerAt(server, deletion, developer);
    const left = await visitor.submit({ password: developer.password, word: ' Delete ' }, deletion);
    expect([at(left), left.text.includes('Your account was deleted')]).toEqual([signIn, true]);
    const stored = JSON.stringify(await everythingStored(server.store));
    expect([developer.email, developer.id].filter((said) => stored.includes(said))).toEqual([]);
    expect(at(await visitor.open(overview))).toBe(signIn);
    await visitor.open(PORTAL_PATHS.signUp);
    await visitor.submit({ email: developer.email, password: 'a brand new one' });
    expect((await storedDeveloper(server, developer.email))!.id).not.toBe(developer.id);
  });

  test('a deletion by an owner of applications is rejected and changes nothing', async () => {
    const visitor = await developerAt(server, deletion);
    const fields = { password: DEVELOPER.password, word: 'delete' };
    const view = await changingNothing(server, () => visitor.submit(fields, deletion));
    expect([view.status, view.text.includes('You still have applications.')]).toEqual([422, true]);
  });

  test('an unknown path shows an error page, with or without a session', async () => {
    for (const visitor of [newVisitor(server.baseUrl), await developerAt(server)]) {
      for (const [path, status] of [
        ...['/', '/nothing', '/account/nothing', '/Account', '/%00', '/%'].map((path) => [path, 404] as const),
        ['/sign-out', 405] as const,
      ]) {
        const view = await visitor.open(overview + path);
        expect([path, view.status, view.headers.get('cache-control')]).toEqual([path, status, 'no-store']);
        expect(view.headers.get('content-type')).toBe('text/html; charset=utf-8');
      }
    }
  });

  test('without the demo, its developer is not named, and cannot use a session, a password or a link', async () => {
    const signedIn = await developerAt(server);
    expect((await newVisitor(server.baseUrl).open(signIn)).text).toContain(DEVELOPER.email);
    const { baseUrl } = onDatabaseThatHadTheDemo;
    const visitor = newVisitor(baseUrl);
    visitor.cookies.set(SESSION, signedIn.cookies.get(SESSION)!);
    const asked = await visitor.open(overview);
    expect(at(asked)).toBe(signIn);
    expect(asked.text).not.toContain(DEVELOPER.email);
    expect((await visitor.submit(DEVELOPER)).status).toBe(422);
    const link = await newLink(server, DEVELOPER.email, DEMO_DEVELOPER.id);
    expect((await visitor.open(setPasswordPath(link))).status).toBe(404);
  });

  test('without the demo, an application cannot be offered to its developer', async () => {
    const owner = await newDeveloper(server);
    const { application } = await newOwnApplication(server, owner, { name: 'Mine' });
    const path = `${overview}/applications/${application.id}/settings`;
    const visitor = await inPortal(onDatabaseThatHadTheDemo, owner, path);
    const typed = { developer: DEMO_DEVELOPER.id, transfer_name: 'Mine' };
    const { status, text } = await send(visitor, { action: 'offer' }, typed);
    expect(status).toBe(422);
    expect(text).toContain('No developer has this ID. Check it with the new owner.');
  });
});
