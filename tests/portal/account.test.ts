import { describe, expect, test } from 'vitest';
import { DEMO } from '../../server/demo.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { testServer } from '../support/started.ts';
import { newVisitor } from '../support/visitor.ts';
import { at, DEVELOPER, developerAt, newDeveloper, newLink, storedDeveloper } from './support.ts';

const { overview, account, password, deletion, signIn } = PORTAL_PATHS;
const CHANGE = { new_password: 'a brand new one', repeated_password: 'a brand new one' };

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });

  test('the page shows the email address and the ID', async () => {
    const developer = await newDeveloper(server);
    const { text } = (await developerAt(server, account, developer)).view();
    expect([developer.id, developer.email].filter((said) => !text.includes(said))).toEqual([]);
  });

  test('signing out everywhere ends every session, including the current one', async () => {
    const developer = await newDeveloper(server);
    const other = await developerAt(server, overview, developer);
    const visitor = await developerAt(server, account, developer);
    const left = await visitor.submit({}, account);
    expect([at(left), left.text.includes('signed out everywhere')]).toEqual([signIn, true]);
    for (const each of [visitor, other]) expect(at(await each.open(overview))).toBe(signIn);
  });

  test('a password change ends the other sessions and links, but not the current session', async () => {
    const developer = await newDeveloper(server);
    const other = await developerAt(server, overview, developer);
    const link = await newLink(server, developer.email, developer.id);
    const visitor = await developerAt(server, password, developer);
    const view = await visitor.submit({ current_password: developer.password, ...CHANGE });
    expect([at(view), view.text.includes('Your password was changed')]).toEqual([password, true]);
    expect(at(await other.open(overview))).toBe(signIn);
    expect((await newVisitor(server.baseUrl).open(`${PORTAL_PATHS.setPassword}?link=${link}`)).status).toBe(404);
    expect(at(await visitor.open(account))).toBe(account);
    const again = await developerAt(server, account, { email: developer.email, password: CHANGE.new_password });
    expect(at(again.view())).toBe(account);
  });

  test.each([
    [{ current_password: '' }, 'Enter your current password.'],
    [{ current_password: 'not the password' }, 'Wrong current password. Try again.'],
    [{ repeated_password: 'another one' }, 'The new passwords don’t match.'],
    [{ new_password: DEVELOPER.email }, 'based on your name, your email address or the word Ridehail'],
  ])('a change with %j is rejected and changes nothing', async (change, sentence) => {
    const visitor = await developerAt(server, password);
    const fields = { current_password: DEMO.password, ...CHANGE, ...change };
    const view = await changingNothing(server, () => visitor.submit(fields));
    expect([view.status, view.text.includes(sentence)]).toEqual([422, true]);
    // the summary links to the field
    expect(view.markup).toMatch(/<a href="#(current|new|repeated)_password">/);
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

  test.each([
    [{ word: 'yes' }, 'Type “delete” to confirm.'],
    [{ password: '' }, 'Enter your password.'],
    [{ password: 'not the password' }, 'Wrong password. Try again.'],
    [{}, 'You still have apps.'],
  ])('a deletion with %j by an owner of applications is rejected and changes nothing', async (change, sentence) => {
    const visitor = await developerAt(server, deletion);
    const fields = { password: DEVELOPER.password, word: 'delete', ...change };
    const view = await changingNothing(server, () => visitor.submit(fields, deletion));
    expect([view.status, view.text.includes(sentence)]).toEqual([422, true]);
  });
});
