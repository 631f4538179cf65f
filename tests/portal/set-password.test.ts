import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../server/domain/time.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { csrfTokenOn } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { testServer } from '../support/started.ts';
import { newVisitor } from '../support/visitor.ts';
import { at, developerAt, newDeveloper, newLink, setPasswordPath, storedDeveloper } from './support.ts';

const CHOSEN = { new_password: 'a brand new one', repeated_password: 'a brand new one' };

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });

  test('a link sets the password, signs in, and ends all other sessions and links', async () => {
    const developer = await newDeveloper(server);
    const elsewhere = await developerAt(server, PORTAL_PATHS.overview, developer);
    const [other, link] = [
      await newLink(server, developer.email, developer.id),
      await newLink(server, developer.email, developer.id),
    ];
    const visitor = newVisitor(server.baseUrl);
    const page = await visitor.open(setPasswordPath(link));
    expect([page.headers.get('referrer-policy'), page.headers.get('cache-control')]).toEqual([
      'no-referrer',
      'no-store',
    ]);
    expect(page.text).toContain(developer.email);
    expect(at(await visitor.submit(CHOSEN))).toBe(PORTAL_PATHS.overview);
    expect(at(await elsewhere.open(PORTAL_PATHS.overview))).toBe(PORTAL_PATHS.signIn);
    expect((await elsewhere.submit({ email: developer.email, password: developer.password })).status).toBe(422);
    expect(at(await elsewhere.submit({ email: developer.email, password: CHOSEN.new_password }))).toBe(
      PORTAL_PATHS.overview,
    );
    for (const used of [link, other]) expect((await visitor.open(setPasswordPath(used))).status).toBe(404);
  });

  test('a link that twenty browsers use at once sets one password', async () => {
    const developer = await newDeveloper(server);
    const link = await newLink(server, developer.email, developer.id);
    const visitors = Array.from({ length: 20 }, () => newVisitor(server.baseUrl));
    for (const visitor of visitors) await visitor.open(setPasswordPath(link));
    const outcomes = await Promise.all(
      visitors.map(async (visitor, i) => {
        const password = `a password of number ${i}`;
        const view = await visitor.submit({ new_password: password, repeated_password: password });
        return { password, status: view.status, path: at(view) };
      }),
    );
    const successful = outcomes.filter(({ path }) => path === PORTAL_PATHS.overview);
    expect(successful).toHaveLength(1);
    expect(outcomes.filter(({ status }) => ![200, 404, 503].includes(status))).toEqual([]);
    const [{ password }] = successful as [(typeof outcomes)[number]];
    const again = await developerAt(server, PORTAL_PATHS.overview, { email: developer.email, password });
    expect(at(again.view())).toBe(PORTAL_PATHS.overview);
  });

  test.each([
    [{ repeated_password: 'another one' }, 'The new passwords don’t match.'],
    [{ new_password: 'password1' }, 'too easy to guess'],
  ])('%j is rejected with a message, and the link still works', async (change, sentence) => {
    const developer = await newDeveloper(server);
    const link = await newLink(server, developer.email, developer.id);
    const visitor = newVisitor(server.baseUrl);
    await visitor.open(setPasswordPath(link));
    const view = await changingNothing(server, () => visitor.submit({ ...CHOSEN, ...change }));
    expect([view.status, view.text.includes(sentence)]).toEqual([422, true]);
    expect(at(await visitor.submit(CHOSEN))).toBe(PORTAL_PATHS.overview);
  });

  test('an invalid link says what to do and changes nothing', async () => {
    const developer = await newDeveloper(server);
    const late = await newLink(server, developer.email, developer.id);
    server.passTime(DAY_MS);
    const links = [late, await newLink(server, developer.email), await newLink(server, 'gone@example.com', 'gone')];
    const visitor = newVisitor(server.baseUrl);
    await visitor.open(PORTAL_PATHS.signIn);
    const csrf_token = csrfTokenOn(visitor.view());
    for (const link of [...links, 'x'.repeat(43), '', '\0', `${links[0]}x`]) {
      const body = new URLSearchParams({ csrf_token, ...CHOSEN, link });
      const opened = await newVisitor(server.baseUrl).open(setPasswordPath(link));
      expect([opened.status, opened.text.includes('operator')]).toEqual([404, true]);
      const { status } = await changingNothing(server, () => visitor.post(PORTAL_PATHS.setPassword, body));
      expect(status).toBe(link === '\0' ? 400 : 404);
    }
    expect((await storedDeveloper(server, developer.email))?.passwordHash).toBe(developer.passwordHash);
  });
});
