import { describe, expect, test } from 'vitest';
import { PORTAL_PATHS } from '../../server/links.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { testServer } from '../support/started.ts';
import { newVisitor } from '../support/visitor.ts';
import { at, DEVELOPER, developerAt, newDeveloper, newLink, setPasswordPath, storedDeveloper } from './support.ts';

const { overview, account, password, deletion, signIn } = PORTAL_PATHS;
const CHANGE = { new_password: 'a brand new one', repeated_password: 'a brand new one' };

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });

  test('the page shows the email address and the ID', async () => {
    const developer = await newDeveloper(server);
    const { text } = (await developerAt(server, account, developer)).view();
    expect([developer.id, developer.email].filter((said) => !text.includes(said))).toEqual([]);
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
    expect(await storedDeveloper(server, developer.email)).toMatchObject({
      id: expect.not.stringMatching(developer.id),
    });
  });

  test('a deletion by an owner of applications is rejected and changes nothing', async () => {
    const visitor = await developerAt(server, deletion);
    const fields = { password: DEVELOPER.password, word: 'delete' };
    const view = await changingNothing(server, () => visitor.submit(fields, deletion));
    expect([view.status, view.text.includes('You still have apps.')]).toEqual([422, true]);
  });
});
