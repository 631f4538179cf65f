import { describe, expect, test } from 'vitest';
import { CONSENT_PATHS } from '../../server/links.ts';
import { csrfTokenOn, newcomer, pageOf, pathOfRequest, queryOfRequest, signedInVisitor } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { askToken } from '../support/oauth.ts';
import { testServer } from '../support/started.ts';
import type { View, Visitor } from '../support/visitor.ts';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });

  const signedIn = (scope?: string) => signedInVisitor(server.baseUrl, scope === undefined ? {} : { scope });
  const answerIn = ({ location }: View) => Object.fromEntries(location!.searchParams);
  /** The scopes of the token that the application gets for its code. */
  const scopesGiven = async (view: View) => {
    const { body } = await askToken(server, { grant_type: 'authorization_code', code: answerIn(view).code });
    return body.scope;
  };
  /** Sends a decision that the page does not offer. */
  const post = (visitor: Visitor, fields: string, query = queryOfRequest()) => {
    const token = csrfTokenOn(visitor.view());
    return visitor.post(`${CONSENT_PATHS.consent}?${query}`, `csrf_token=${token}&${fields}`);
  };

  test('a passenger who allows everything is sent to the application with a code for everything', async () => {
    const view = await (await signedIn()).submit({ decision: 'allow' });
    expect([view.status, view.redirects]).toEqual([302, [{ status: 200, location: pathOfRequest() }]]);
    expect(view.location!.href).toMatch(/^http:\/\/localhost:8080\/demo\/callback\?/);
    expect(answerIn(view)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      iss: 'http://localhost:8080',
      state: 'state-1',
    });
    expect(await scopesGiven(view)).toBe('public rides.read rides.request profile offline');
  });

  test.each([
    ['an unticked scope is not granted', ['profile'], 'public rides.read profile'],
    ['with all boxes unticked, only the included scopes are granted', [], 'public rides.read'],
  ])('%s', async (_, scope, given) => {
    expect(await scopesGiven(await (await signedIn()).submit({ decision: 'allow', scope }))).toBe(given);
  });

  test('a form cannot grant scopes that were not requested', async () => {
    const visitor = await signedIn('public profile');
    const query = queryOfRequest({ scope: 'public profile' });
    const scopes = 'scope=profile&scope=rides.request&scope=offline&scope=rides.read&scope=root&scope=';
    expect(await scopesGiven(await post(visitor, `decision=allow&${scopes}`, query))).toBe('public profile');
  });

  test('a passenger who allows nothing is asked again, with every box unticked', async () => {
    const visitor = await signedIn('profile offline');
    const view = await visitor.submit({ decision: 'allow', scope: [] });
    expect([view.status, pageOf(view), view.redirects]).toEqual([422, 'consent', []]);
    expect(view.text).toContain('Select at least one item to allow, or choose Deny.');
    const boxes = view.forms.flatMap(({ fields }) => fields).filter(({ type }) => type === 'checkbox');
    expect(boxes.map(({ value, isChecked }) => [value, isChecked])).toEqual([
      ['profile', false],
      ['offline', false],
    ]);
    expect(await scopesGiven(await visitor.submit({ decision: 'allow', scope: ['offline'] }))).toBe('offline');
  });

  test('a passenger who denies is sent to the application without a code', async () => {
    const view = await (await signedIn('profile offline')).submit({ decision: 'deny', scope: [] });
    expect([view.redirects.map(({ status }) => status), view.status]).toEqual([[200], 302]);
    const error_description = expect.stringMatching(/\.$/);
    expect(answerIn(view)).toEqual({
      error: 'access_denied',
      error_description,
      iss: 'http://localhost:8080',
      state: 'state-1',
    });
  });

  test('any other decision, or one without a session, decides nothing', async () => {
    const visitor = await signedIn();
    for (const fields of ['', '=', '=maybe', '=ALLOW', '=allow&decision=deny', '[]=allow']) {
      const view = await post(visitor, `decision${fields}`);
      expect([fields, view.status, view.redirects, view.location]).toEqual([fields, 400, [], null]);
      expect(pageOf(await visitor.open(pathOfRequest()))).toBe('consent');
    }
    const view = await post(await newcomer(server.baseUrl), 'decision=allow');
    expect([view.redirects.length, view.status, pageOf(view)]).toEqual([1, 200, 'sign-in']);
  });
});
