import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { setSettings } from '../../server/store/applications.ts';
import { runsBrowserTests } from '../support/browser.ts';
import { MAYA, pathOfRequest } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { askToken, newApplication } from '../support/oauth.ts';
import { testReceiver, testServer } from '../support/started.ts';
import { enter, tabTo, type } from './support/focus.ts';
import { newcomerNamed, press, see, signIn, signUp } from './support/person.ts';
import { visitor } from './support/visitor.ts';

const SIGN_IN = 'Sign in to continue to Planner';
const SIGN_UP = 'Create an account';
const CONSENT = 'Allow Planner to use your account?';
const PROFILE = /See your name/;
const PATH = pathOfRequest({ client_id: 'Planner' });
const SENT = { iss: 'http://localhost:8080', state: 'state-1' };
const ALLOWED = { code: expect.stringMatching(/^[\w-]{43}$/), ...SENT };
const DENIED = { error: 'access_denied', error_description: expect.any(String), ...SENT };

describe.skipIf(!runsBrowserTests)('a person with a browser', () => {
  const server = testServer(engines[0]!, { withPages: true, rateLimitMultiplier: 1000 });
  const application = testReceiver();
  /** Another host name makes it another site. */
  const origin = () => application.url.replace('127.0.0.1', 'localhost');
  const { arrive, newPage } = visitor(() => [server.baseUrl, origin()]);
  let credentials: Readonly<Record<string, string>>;
  beforeAll(async () => {
    credentials = await newApplication(server, 'Planner');
    await setSettings(server.store.db, 'Planner', { redirectUris: [`${origin()}/callback`] });
    const link = `<a href="${(server.baseUrl + PATH).replaceAll('&', '&amp;')}">Connect</a>`;
    const body = `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Planner</title>${link}</html>`;
    application.answerWith(() => ({ status: 200, headers: { 'Content-Type': 'text/html' }, body }));
  });

  /** Follows the link on the application's own site. */
  async function come(page: Page): Promise<Page> {
    await page.goto(origin());
    await page.getByRole('link', { name: 'Connect' }).click();
    await see(page, SIGN_IN);
    return page;
  }

  /** Waits until the browser returns to the application. @returns the query of the redirect */
  async function arrival(page: Page): Promise<Record<string, string>> {
    await page.waitForURL(`${origin()}/callback?**`);
    return Object.fromEntries(new URL(page.url()).searchParams);
  }

  const scopesGiven = async (code: unknown) =>
    (await askToken(server, { grant_type: 'authorization_code', code }, credentials)).body.scope;

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
    const { code, ...rest } = await arrival(page);
    expect(rest).toEqual(SENT);
    expect(await scopesGiven(code)).toBe('public rides.read rides.request offline');
  });

  test('reloads each page and stays on it, and goes back after the consent and denies it', async () => {
    const page = await come(await arrive());
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
    expect(await arrival(page)).toEqual(ALLOWED);
    await page.reload();
    expect(await arrival(page)).toEqual(ALLOWED);
    await page.goBack();
    await see(page, CONSENT);
    await press(page, 'Deny');
    expect(await arrival(page)).toEqual(DENIED);
  });

  test('uses only the keyboard: signs up, clears a checkbox with Space, and allows the rest with Enter', async () => {
    const page = await come(await arrive());
    await enter(page, SIGN_UP);
    await see(page, SIGN_UP);
    for (const [label, text] of Object.entries(newcomerNamed('Ruth'))) await type(page, label, text);
    await page.keyboard.press('Enter');
    await see(page, SIGN_IN);
    await type(page, 'Password', newcomerNamed('Ruth').Password);
    await page.keyboard.press('Enter');
    await see(page, CONSENT);
    await tabTo(page, PROFILE);
    await page.keyboard.press('Space');
    await enter(page, 'Allow');
    expect(await scopesGiven((await arrival(page)).code)).toBe('public rides.read rides.request offline');
  });
});
