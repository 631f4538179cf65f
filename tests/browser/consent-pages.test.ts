import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../generated/server.ts';
import { DEMO, DEMO_PASSENGERS, demoRedirectUri } from '../../server/demo.ts';
import { CONSENT_PATHS } from '../../server/links.ts';
import { setRedirectUris } from '../../server/store/applications.ts';
import { runsBrowserTests } from '../support/browser.ts';
import { MAYA, pathOfRequest, queryOfRequest } from '../support/consent.ts';
import { testServer } from '../support/started.ts';
import { faultsOfLooks } from './support/looks.ts';
import { enterAccount, newcomerNamed, press, see, signIn, signUp } from './support/person.ts';
import { visitor } from './support/visitor.ts';

const SIGN_IN = 'Sign in to continue to Demo';
const SIGN_UP = 'Create an account';
const CONSENT = 'Allow Demo to use your account?';
const WRONG = { email: MAYA.email, password: 'not the password' };
/** How to reach a page, and its heading. */
type Way = readonly [name: string, heading: string, go: (page: Page) => Promise<unknown>];

describe.skipIf(!runsBrowserTests)('the consent pages, in a browser', () => {
  const server = testServer('sqlite', { withPages: true, rateLimitMultiplier: 1000 });
  /** Allows each network one sign-up. */
  const strictServer = testServer('sqlite', { withPages: true, rateLimitMultiplier: 0.05 });
  const { arrive } = visitor(() => [server.baseUrl, strictServer.baseUrl]);
  beforeAll(() => setRedirectUris(server.store.db, DEMO.clientId, [demoRedirectUri(server.baseUrl)]));

  const open = (page: Page, path: string) => page.goto(server.baseUrl + path);
  const openSignUp = (page: Page) => open(page, `${CONSENT_PATHS.signUp}?${queryOfRequest()}`);
  const openConsent = async (page: Page, scope = SCOPES.userToken.join(' ')) => {
    await enterAccount(server, page, DEMO_PASSENGERS[0]!);
    await open(page, pathOfRequest({ scope }));
    await see(page, CONSENT);
  };
  const answer = async (page: Page, button: 'Allow' | 'Deny') => {
    await openConsent(page);
    await press(page, button);
  };
  const fail = async (page: Page, baseUrl: string) => {
    await page.goto(baseUrl + pathOfRequest());
    await signIn(page, WRONG);
    await page.getByRole('alert').waitFor();
  };

  const WAYS: readonly Way[] = [
    ['sign-in', SIGN_IN, (page) => open(page, pathOfRequest())],
    ['sign-in with a problem', SIGN_IN, (page) => fail(page, server.baseUrl)],
    ['sign-up', SIGN_UP, openSignUp],
    [
      'sign-up with problems',
      SIGN_UP,
      async (page) => {
        await openSignUp(page);
        await signUp(page, { ...newcomerNamed(' '), Email: 'nobody@example', 'Phone number': '12' });
        await page.getByRole('alert').waitFor();
      },
    ],
    [
      'sign-in after a sign-up',
      SIGN_IN,
      async (page) => {
        await openSignUp(page);
        await signUp(page, newcomerNamed(`Newcomer${Math.random()}`));
        await page.getByRole('status').waitFor();
      },
    ],
    ['consent', CONSENT, openConsent],
    [
      'consent with a problem',
      CONSENT,
      async (page) => {
        await openConsent(page, 'profile');
        await page.getByRole('checkbox').uncheck();
        await press(page, 'Allow');
        await page.getByRole('alert').waitFor();
      },
    ],
    ['an unknown client', 'This link doesn’t work', (page) => open(page, pathOfRequest({ client_id: 'stranger' }))],
    [
      'a wrong redirect URI',
      'This link doesn’t work',
      (page) => open(page, pathOfRequest({ redirect_uri: 'https://elsewhere.example/' })),
    ],
    [
      'a form that is too old',
      'This form has expired',
      async (page) => {
        await open(page, pathOfRequest());
        await page.context().clearCookies();
        await signIn(page, MAYA);
      },
    ],
    [
      'too many tries',
      'Too many attempts',
      async (page) => {
        const openForm = () => page.goto(`${strictServer.baseUrl}${CONSENT_PATHS.signUp}?${queryOfRequest()}`);
        await openForm();
        await signUp(page, newcomerNamed('Uma'));
        await page.getByRole('status').waitFor();
        await openForm();
        await signUp(page, newcomerNamed('Una'));
      },
    ],
    ['the demo application, with a code', 'Access allowed', (page) => answer(page, 'Allow')],
    ['the demo application, with an error', 'Access denied', (page) => answer(page, 'Deny')],
    ['the demo application, at the start', 'Demo app', (page) => open(page, demoRedirectUri(''))],
  ];

  test.each(WAYS)('%s has no faults, at any width and in any color scheme', async (name, heading, go) => {
    const page = await arrive();
    await go(page);
    await see(page, heading);
    expect(await faultsOfLooks(page, `consent ${name}`)).toEqual([]);
  });
});
