import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { DEMO, DEMO_PASSENGERS } from '../../server/demo.ts';
import { HOUR_MS } from '../../server/domain/time.ts';
import { CONSENT_PATHS } from '../../server/links.ts';
import { setRedirectUri } from '../../server/store/applications.ts';
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { MAYA, pathOfRequest, queryOfRequest } from '../support/consent.ts';
import { askToken, newApplication, newSession, sendTo } from '../support/oauth.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Application, startApplication } from './support/application.ts';
import { complaintsOf } from './support/complaints.ts';
import { type Focus, focusSeen } from './support/in-page.js';
import { newcomerNamed, press, see, signIn, signUp } from './support/person.ts';

const MAYA_ID = DEMO_PASSENGERS[0]!.id;
const LEO = { email: 'leo@example.com', password: DEMO.password };
const SIGN_IN = 'Sign in to continue to Planner';
const CONSENT = 'Allow Planner to act for you?';
const PROFILE = /name and the picture/;
const PATH = pathOfRequest({ client_id: 'Planner' });
const ALLOWED = { code: expect.stringMatching(/^[\w-]{43}$/), state: 'state-1' };
const DENIED = { error: 'access_denied', error_description: expect.any(String), state: 'state-1' };

describe.skipIf(!hasBrowser)('a person with a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let application: Application;
  let complaints: string[] = [];
  beforeAll(async () => {
    server = await startTestServer('sqlite', { withPages: true, rateLimitMultiplier: 1000 });
    application = await startApplication(server);
    browser = await launchBrowser();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    expect(complaints).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await application.close();
    await server.close();
  });

  async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    complaints = complaintsOf(page, [server.baseUrl, application.origin]);
    return page;
  }

  /** Comes from the application, on another site, as people do. */
  async function come(page: Page): Promise<void> {
    await application.open(page, PATH);
    await page.getByRole('link', { name: 'Connect' }).click();
  }

  /** Somebody who has signed in before, at the page that asks for consent. */
  async function signedIn(path = PATH): Promise<Page> {
    const page = await newPage();
    const [name = '', value = ''] = (await newSession(server, { id: MAYA_ID })).split('=');
    await page.context().addCookies([{ name, value, url: server.baseUrl }]);
    await page.goto(server.baseUrl + path);
    await page.getByText('Maya Okafor').waitFor();
    return page;
  }

  const ask = (parameters: Readonly<Record<string, unknown>>) => askToken(server, parameters, application.credentials);
  const trade = (code: unknown) => ask({ grant_type: 'authorization_code', code });

  test('signs up, allows a part, and takes it back at the application', async () => {
    const page = await newPage();
    await come(page);
    await see(page, SIGN_IN);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await signUp(page, newcomerNamed('Nora'));
    await see(page, CONSENT);
    await page.getByText('Nora Rivera').waitFor();
    await page.getByRole('checkbox', { name: PROFILE }).uncheck();
    await press(page, 'Allow');

    const { code, ...rest } = await application.arrival(page);
    expect(rest).toEqual({ state: 'state-1' });
    const { body } = await trade(code);
    expect(body.scope).toBe('public rides.read rides.request offline');
    const { error } = await server.client({ token: body.access_token }).getProfile();
    expect(error).toMatchObject({ error: 'insufficient_scope' });
    const renewed = await ask({ grant_type: 'refresh_token', refresh_token: body.refresh_token });
    expect([renewed.status, renewed.body.scope]).toEqual([200, body.scope]);
    await sendTo(server, 'revokeRefreshToken', {
      headers: application.credentials,
      body: JSON.stringify({ token: body.refresh_token }),
    });
    const revoked = await server
      .client({ token: renewed.body.access_token })
      .listRides({ params: { query: { start_time: '2026-01-01T00:00:00Z' } } });
    expect(revoked.error).toMatchObject({ error: 'invalid_token' });
  });

  test('mistypes the password, signs in, and allows everything', async () => {
    const page = await newPage();
    await come(page);
    await signIn(page, { ...MAYA, password: 'correct horse battery' });
    await page.getByRole('alert').getByText('The email or the password is not right.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(MAYA.email);
    await page.getByLabel('Password').fill(MAYA.password);
    await press(page, 'Sign in');
    await see(page, CONSENT);
    await press(page, 'Allow');
    const { body } = await trade((await application.arrival(page)).code);
    expect(body.scope).toBe('public rides.read rides.request profile offline');
    const { data } = await server.client({ token: body.access_token }).getProfile();
    expect(data?.first_name).toBe('Maya');
  });

  test('mends a sign-up form, whose problems lead to their fields', async () => {
    const page = await newPage();
    const nina = newcomerNamed('Nina');
    await page.goto(`${server.baseUrl}${CONSENT_PATHS.signUp}?${PATH.split('?')[1]}`);
    await signUp(page, { ...nina, phone: '12' });
    await page.getByRole('alert').getByRole('link').click();
    expect(await page.evaluate(focusSeen)).toMatchObject({ name: 'Phone number', isOutlined: true, isInSight: true });
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    await page.getByLabel('Phone number').fill(nina.phone);
    await page.getByLabel('Password').fill(nina.password);
    await press(page, 'Create account');
    await see(page, CONSENT);
  });

  test('denies, and the application hears of it', async () => {
    const page = await signedIn();
    await press(page, 'Deny');
    expect(await application.arrival(page)).toEqual(DENIED);
  });

  test('signs out because somebody else sat here, and signs in', async () => {
    const page = await signedIn();
    await press(page, 'Not you? Sign out');
    await see(page, SIGN_IN);
    await signIn(page, LEO);
    await page.getByText('Leo Brandt').waitFor();
    await press(page, 'Allow');
    const { body } = await trade((await application.arrival(page)).code);
    const { data } = await server.client({ token: body.access_token }).getProfile();
    expect(data?.first_name).toBe('Leo');
  });

  test('goes back after the consent, and decides otherwise', async () => {
    const page = await signedIn();
    await press(page, 'Allow');
    expect(await application.arrival(page)).toEqual(ALLOWED);
    await page.goBack();
    await see(page, CONSENT);
    await press(page, 'Deny');
    expect(await application.arrival(page)).toEqual(DENIED);
  });

  test('loads each page once more, and is where they were', async () => {
    const page = await newPage();
    const reload = async (heading: string) => {
      await page.reload();
      await see(page, heading);
    };
    await come(page);
    await reload(SIGN_IN);
    await signIn(page, { ...MAYA, password: 'wrong' });
    await page.getByRole('alert').waitFor();
    await reload(SIGN_IN);
    await page.getByRole('alert').waitFor();
    await page.getByRole('link', { name: 'Create an account' }).click();
    await reload('Create an account');
    await signUp(page, { ...newcomerNamed('Rhea'), phone: '1' });
    await page.getByRole('alert').waitFor();
    await reload('Create an account');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, MAYA);
    await see(page, CONSENT);
    await reload(CONSENT);
    await press(page, 'Allow');
    expect(await application.arrival(page)).toEqual(ALLOWED);
    await page.reload();
    expect(await application.arrival(page)).toEqual(ALLOWED);
  });

  test('opens the page twice, signs in at one, and begins again at the other', async () => {
    const page = await newPage();
    const other = await page.context().newPage();
    await come(page);
    await come(other);
    await signIn(page, MAYA);
    await see(page, CONSENT);
    await signIn(other, MAYA);
    await see(other, 'This form is too old');
    await other.getByRole('link', { name: 'Begin again' }).click();
    await see(other, CONSENT);
    for (const tab of [page, other]) {
      await press(tab, 'Allow');
      expect((await trade((await application.arrival(tab)).code)).status).toBe(200);
    }
  });

  test('thinks for a day, and has to sign in again', async () => {
    const page = await signedIn();
    server.passTime(24 * HOUR_MS);
    await press(page, 'Allow');
    await see(page, SIGN_IN);
    await signIn(page, MAYA);
    await see(page, CONSENT);
    await press(page, 'Allow');
    expect(await application.arrival(page)).toEqual(ALLOWED);
  });

  test('presses a button after the cookies are gone, and begins again', async () => {
    const page = await signedIn();
    await page.context().clearCookies();
    await press(page, 'Allow');
    await see(page, 'This form is too old');
    await page.getByRole('link', { name: 'Begin again' }).click();
    await see(page, SIGN_IN);
    await signIn(page, MAYA);
    await see(page, CONSENT);
  });

  test('does all of it without JavaScript', async () => {
    const page = await newPage({ javaScriptEnabled: false });
    await come(page);
    await signIn(page, { ...MAYA, password: 'wrong' });
    await page.getByRole('alert').waitFor();
    await page.getByRole('link', { name: 'Create an account' }).click();
    await signUp(page, newcomerNamed('Olga'));
    await see(page, CONSENT);
    await press(page, 'Not you? Sign out');
    await signIn(page, MAYA);
    await page.getByRole('checkbox', { name: PROFILE }).uncheck();
    await press(page, 'Allow');
    const { body } = await trade((await application.arrival(page)).code);
    expect(body.scope).toBe('public rides.read rides.request offline');
  });

  describe('who uses the keyboard alone', () => {
    /** Presses Tab until something is acted on, as who sees the outline would. */
    async function tabTo(page: Page, name: string | RegExp): Promise<void> {
      for (let presses = 0; presses < 20; presses += 1) {
        const focus = await page.evaluate(focusSeen);
        if (focus !== null) expect(focus).toMatchObject({ isOutlined: true, isInSight: true });
        if (focus !== null && isNamed(focus, name)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`No way to ${name} by Tab`);
    }
    const isNamed = (focus: Focus, name: string | RegExp) =>
      typeof name === 'string' ? focus.name === name : name.test(focus.name);

    async function type(page: Page, field: string, text: string): Promise<void> {
      await tabTo(page, field);
      await page.keyboard.type(text);
    }

    test('signs up, unticks a box by Space, and allows the rest by Enter', async () => {
      const page = await newPage();
      await come(page);
      await see(page, SIGN_IN);
      await tabTo(page, 'Create an account');
      await page.keyboard.press('Enter');
      await see(page, 'Create an account');
      const ruth = newcomerNamed('Ruth');
      await type(page, 'First name', ruth.firstName);
      await type(page, 'Last name', ruth.lastName);
      await type(page, 'Email', ruth.email);
      await type(page, 'Phone number', ruth.phone);
      await type(page, 'Password', ruth.password);
      await page.keyboard.press('Enter');
      await see(page, CONSENT);
      await tabTo(page, PROFILE);
      await page.keyboard.press('Space');
      await tabTo(page, 'Allow');
      await page.keyboard.press('Enter');
      const { body } = await trade((await application.arrival(page)).code);
      expect(body.scope).toBe('public rides.read rides.request offline');
    });

    test('types an email and a password at once, for the page begins there', async () => {
      const page = await newPage();
      await come(page);
      await see(page, SIGN_IN);
      await page.keyboard.type(MAYA.email);
      await page.keyboard.press('Tab');
      await page.keyboard.type(MAYA.password);
      await page.keyboard.press('Enter');
      await see(page, CONSENT);
    });

    /** What Tab comes to, from where a page begins to its end. */
    async function tour(page: Page): Promise<Focus[]> {
      const stops: Focus[] = [];
      let focus = await page.evaluate(focusSeen);
      do {
        if (focus !== null) stops.push(focus);
        await page.keyboard.press('Tab');
        focus = await page.evaluate(focusSeen);
      } while (focus !== null && focus.name !== stops[0]?.name);
      return stops;
    }

    const PAGES: readonly (readonly [string, () => Promise<Page>, readonly string[]])[] = [
      [
        'the sign-in page',
        async () => {
          const page = await newPage();
          await come(page);
          await see(page, SIGN_IN);
          return page;
        },
        ['Email', 'Password', 'Sign in', 'Create an account'],
      ],
      [
        'the sign-up page',
        async () => {
          const page = await newPage();
          await page.goto(`${server.baseUrl}${CONSENT_PATHS.signUp}?${queryOfRequest()}`);
          return page;
        },
        ['First name', 'Last name', 'Email', 'Phone number', 'Password', 'Create account', 'Sign in'],
      ],
      [
        'the consent page',
        () => signedIn(),
        [
          'Not you? Sign out',
          expect.stringContaining('Request rides'),
          expect.stringContaining('picture'),
          expect.stringContaining('Stay connected'),
          'Allow',
          'Deny',
        ],
      ],
    ];
    test.each(PAGES)('comes through %s in the order of reading', async (_page, open, names) => {
      const stops = await tour(await open());
      expect(stops.map(({ name }) => name)).toEqual(names);
      expect(stops.filter(({ isOutlined }) => !isOutlined)).toEqual([]);
      const asSeen = [...stops].sort((a, b) => a.top - b.top || a.left - b.left);
      expect(stops).toEqual(asSeen);
    });
  });

  test('allows an app that has taken a scheme for its own, and the browser goes for it', async () => {
    await newApplication(server, 'pocket');
    await setRedirectUri(server.store.db, 'pocket', 'com.example.pocket:/back');
    const page = await signedIn(pathOfRequest({ client_id: 'pocket' }));
    const going = page.waitForEvent('request', (request) => request.url().startsWith('com.example.pocket:/back?code='));
    await press(page, 'Allow');
    const url = (await going).url();
    expect(complaints).toEqual([expect.stringContaining(`asks for ${url}`)]);
    complaints = [];
  });

  test('is shown none of it in a frame of another site', async () => {
    const page = await newPage();
    const paths = [PATH, `${CONSENT_PATHS.signUp}?${queryOfRequest()}`, OPERATIONS.authorizeApplication.path, '/'];
    await application.frame(page, paths);
    const refused = paths.map(() => expect.stringContaining(`"frame-ancestors 'none'". The request has been blocked.`));
    expect(complaints).toEqual(refused);
    complaints = [];
  });
});
