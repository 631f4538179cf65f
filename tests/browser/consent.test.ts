import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { DEMO_PASSENGERS } from '../../server/demo.ts';
import { ACCOUNT_PATHS, CONSENT_PATHS } from '../../server/links.ts';
import { setRedirectUris } from '../../server/store/applications.ts';
import { runsBrowserTests } from '../support/browser.ts';
import { MAYA, pathOfRequest, queryOfRequest } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { askToken, newApplication } from '../support/oauth.ts';
import { testServer } from '../support/started.ts';
import { type Application, startApplication } from './support/application.ts';
import { eventually, expectReadingOrder, tabTo } from './support/focus.ts';
import { enterAccount, newcomerNamed, press, see, signIn, signUp } from './support/person.ts';
import { visitor } from './support/visitor.ts';

const MAYA_ID = DEMO_PASSENGERS[0]!.id;
const SIGN_IN = 'Sign in to continue to Planner';
const SIGN_UP = 'Create an account';
const CONSENT = 'Allow Planner to use your account?';
const PROFILE = /See your name/;
const PATH = pathOfRequest({ client_id: 'Planner' });
const SIGN_UP_PATH = `${CONSENT_PATHS.signUp}?${PATH.split('?')[1]}`;
const ALLOWED = { code: expect.stringMatching(/^[\w-]{43}$/), state: 'state-1' };
const DENIED = { error: 'access_denied', error_description: expect.any(String), state: 'state-1' };

describe.skipIf(!runsBrowserTests)('a person with a browser', () => {
  const server = testServer(engines[0]!, { withPages: true, rateLimitMultiplier: 1000 });
  let application: Application;
  beforeAll(async () => {
    application = await startApplication(server);
  });
  afterAll(() => application.close());
  const { complaints, arrive, newPage } = visitor(() => [server.baseUrl, application.origin]);

  /** Follows the link on the application's own site. */
  async function come(from?: Page): Promise<Page> {
    const page = from ?? (await arrive());
    await application.open(page, PATH);
    await page.getByRole('link', { name: 'Connect' }).click();
    await see(page, SIGN_IN);
    return page;
  }

  /** Opens the consent page as a signed-in visitor. */
  async function signedIn(path = PATH): Promise<Page> {
    const page = await arrive();
    await enterAccount(server, page, { id: MAYA_ID });
    await page.goto(server.baseUrl + path);
    await page.getByText('Maya Okafor').waitFor();
    return page;
  }

  async function openSignUp(): Promise<Page> {
    const page = await arrive();
    await page.goto(server.baseUrl + SIGN_UP_PATH);
    return page;
  }

  const trade = (code: unknown) =>
    askToken(server, { grant_type: 'authorization_code', code }, application.credentials);

  test('mistypes a password, signs up, switches accounts, and allows some scopes, without JavaScript', async () => {
    const page = await come(await newPage({ javaScriptEnabled: false }));
    await signIn(page, { ...MAYA, password: 'correct horse battery' });
    await page.getByRole('alert').getByText('Wrong email or password. Try again.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(MAYA.email);
    await page.getByRole('link', { name: SIGN_UP }).click();
    const newcomer = newcomerNamed('Olga');
    await signUp(page, newcomer);
    await page.getByRole('status').getByText('Sign in to continue.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(newcomer.Email);
    await signIn(page, { email: newcomer.Email, password: newcomer.Password });
    await see(page, CONSENT);
    await page.getByText('Olga Rivera').waitFor();
    await press(page, 'Not you? Sign out');
    await see(page, SIGN_IN);
    await signIn(page, MAYA);
    await page.getByText('Maya Okafor').waitFor();
    await page.getByRole('checkbox', { name: PROFILE }).uncheck();
    await press(page, 'Allow');
    const { code, ...rest } = await application.arrival(page);
    expect(rest).toEqual({ state: 'state-1' });
    expect((await trade(code)).body.scope).toBe('public rides.read rides.request offline');
  });

  test('goes back after the consent and denies it', async () => {
    const page = await signedIn();
    await press(page, 'Allow');
    expect(await application.arrival(page)).toEqual(ALLOWED);
    await page.goBack();
    await see(page, CONSENT);
    await press(page, 'Deny');
    expect(await application.arrival(page)).toEqual(DENIED);
  });

  test('reloads each page and stays on it', async () => {
    const page = await come();
    const reload = async (heading: string) => {
      await page.reload();
      await see(page, heading);
    };
    await reload(SIGN_IN);
    await signIn(page, { ...MAYA, password: 'wrong' });
    await page.getByRole('alert').waitFor();
    await reload(SIGN_IN);
    await page.getByRole('alert').waitFor();
    await page.getByRole('link', { name: SIGN_UP }).click();
    await see(page, SIGN_UP);
    await reload(SIGN_UP);
    await signUp(page, { ...newcomerNamed('Rhea'), 'Phone number': '1' });
    await page.getByRole('alert').waitFor();
    await reload(SIGN_UP);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, MAYA);
    await see(page, CONSENT);
    await reload(CONSENT);
    await press(page, 'Allow');
    expect(await application.arrival(page)).toEqual(ALLOWED);
    await page.reload();
    expect(await application.arrival(page)).toEqual(ALLOWED);
  });

  test('opens the page in two tabs, signs in at one, and starts over at the other', async () => {
    const page = await come(await newPage());
    const other = await come(await page.context().newPage());
    await signIn(page, MAYA);
    await see(page, CONSENT);
    await signIn(other, MAYA);
    await see(other, 'This form has expired');
    await other.getByRole('link', { name: 'Start over' }).click();
    await see(other, CONSENT);
    for (const tab of [page, other]) {
      await press(tab, 'Allow');
      expect((await trade((await application.arrival(tab)).code)).status).toBe(200);
    }
  });

  describe('who uses only the keyboard', () => {
    test('signs up, clears a checkbox with Space, and allows the rest with Enter', async () => {
      const page = await come();
      await tabTo(page, SIGN_UP);
      await page.keyboard.press('Enter');
      await see(page, SIGN_UP);
      for (const [label, text] of Object.entries(newcomerNamed('Ruth'))) {
        await tabTo(page, label);
        await page.keyboard.type(text);
      }
      await page.keyboard.press('Enter');
      await see(page, SIGN_IN);
      await tabTo(page, 'Password');
      await page.keyboard.type(newcomerNamed('Ruth').Password);
      await page.keyboard.press('Enter');
      await see(page, CONSENT);
      await tabTo(page, PROFILE);
      await page.keyboard.press('Space');
      await tabTo(page, 'Allow');
      await page.keyboard.press('Enter');
      const { body } = await trade((await application.arrival(page)).code);
      expect(body.scope).toBe('public rides.read rides.request offline');
    });

    const OPTIONAL = ['Request rides', 'See your name', 'Stay signed in'].map((words) =>
      expect.stringContaining(words),
    );
    test.each<[string, () => Promise<Page>, readonly unknown[]]>([
      ['sign-in', come, ['Email', 'Password', 'Sign in', SIGN_UP]],
      [
        'sign-up',
        openSignUp,
        ['First name', 'Last name', 'Email', 'Phone number', 'Password', 'Create account', 'Sign in'],
      ],
      ['consent', signedIn, ['Not you? Sign out', ...OPTIONAL, 'your account', 'Allow', 'Deny']],
    ])('moves through the %s page in reading order', async (_page, open, names) => {
      await expectReadingOrder(await open(), [], names);
    });
  });

  test('allows an app with a custom URL scheme, and the browser follows the redirect', async () => {
    await newApplication(server, 'pocket');
    await setRedirectUris(server.store.db, 'pocket', ['com.example.pocket:/back']);
    const page = await signedIn(pathOfRequest({ client_id: 'pocket' }));
    const going = page.waitForEvent('request', (request) => request.url().startsWith('com.example.pocket:/back?code='));
    await press(page, 'Allow');
    const url = (await going).url();
    expect(complaints.splice(0)).toEqual([expect.stringContaining(`asks for ${url}`)]);
  });

  test('sees neither the consent nor the account in a frame of another site', async () => {
    // the browser sends the session cookie, because both sites are on one host
    const page = await signedIn();
    const paths = [
      PATH,
      `${CONSENT_PATHS.signUp}?${queryOfRequest()}`,
      OPERATIONS.authorizeApplication.path,
      '/',
      ...Object.values(ACCOUNT_PATHS).filter((path) => path !== ACCOUNT_PATHS.signOut),
    ];
    await application.frame(page, paths);
    const refused = paths.map(() => expect.stringContaining(`"frame-ancestors 'none'". The request has been blocked.`));
    await eventually(() => complaints).toEqual(refused);
    complaints.length = 0;
  });
});
