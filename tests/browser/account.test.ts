import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { DEMO, DEMO_PASSENGERS, demoRedirectUri } from '../../server/demo.ts';
import { ACCOUNT_PATHS } from '../../server/links.ts';
import { setRedirectUris } from '../../server/store/applications.ts';
import { storedMaya } from '../account/support.ts';
import { runsBrowserTests } from '../support/browser.ts';
import { MAYA, pathOfRequest } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { askToken, LIVE_CLIENT, statusWith } from '../support/oauth.ts';
import { LIVE } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { eventually, focusOn, tabTo, tour } from './support/focus.ts';
import { faultsOfLooks } from './support/looks.ts';
import { enterAccount, newcomerNamed, press, see, signIn, signUp } from './support/person.ts';
import { visitor } from './support/visitor.ts';

const SIGN_IN = 'Sign in to your account';
const CONSENT = 'Allow Demo to use your account?';
const WRONG = { email: MAYA.email, password: 'not the password' };

/** How to reach a page, and its heading. */
type Way = readonly [name: string, heading: string, go: (page: Page) => Promise<unknown>];

describe.skipIf(!runsBrowserTests)('the account, in a browser', () => {
  const server = testServer(engines[0]!, { withPages: true, rateLimitMultiplier: 1000 });
  const { arrive, newPage } = visitor(() => [server.baseUrl]);
  beforeAll(() => setRedirectUris(server.store.db, DEMO.clientId, [demoRedirectUri(server.baseUrl)]));

  const open = (page: Page, path: string) => page.goto(server.baseUrl + path);
  const enter = async (page: Page, path: string, who = DEMO_PASSENGERS[0]!) => {
    await enterAccount(server, page, who);
    await open(page, path);
  };
  /** Presses Allow at the consent page. @returns the tokens that the demo application gets */
  const allow = async (page: Page) => {
    await press(page, 'Allow');
    await see(page, 'Access allowed');
    const code = new URL(page.url()).searchParams.get('code');
    return (await askToken(server, { grant_type: 'authorization_code', code }, LIVE_CLIENT)).body as {
      access_token: string;
      refresh_token: string;
    };
  };
  const failAt = (path: string, heading: string, button: string) => async (page: Page) => {
    await enter(page, path);
    await see(page, heading);
    // sends the form without validation by the browser
    await page.locator('main form').evaluate((form) => form.setAttribute('novalidate', ''));
    await press(page, button);
    await page.getByRole('alert').waitFor();
  };

  const WAYS: readonly Way[] = [
    ['sign-in', SIGN_IN, (page) => open(page, ACCOUNT_PATHS.overview)],
    [
      'sign-in with a problem',
      SIGN_IN,
      async (page) => {
        await open(page, ACCOUNT_PATHS.overview);
        await signIn(page, WRONG);
        await page.getByRole('alert').waitFor();
      },
    ],
    [
      'sign-in after a sign-out',
      SIGN_IN,
      async (page) => {
        await enter(page, ACCOUNT_PATHS.overview);
        await press(page, 'Sign out');
        await page.getByRole('status').waitFor();
      },
    ],
    ['overview', 'Your account', (page) => enter(page, ACCOUNT_PATHS.overview)],
    ['applications, none', 'Apps', (page) => enter(page, ACCOUNT_PATHS.applications, LEO)],
    [
      'applications',
      'Apps',
      async (page) => {
        await enter(page, pathOfRequest());
        await allow(page);
        await open(page, ACCOUNT_PATHS.applications);
      },
    ],
    ['password', 'Change your password', (page) => enter(page, ACCOUNT_PATHS.password)],
    [
      'password with problems',
      'Change your password',
      failAt(ACCOUNT_PATHS.password, 'Change your password', 'Change password'),
    ],
    ['sessions', 'Where you’re signed in', (page) => enter(page, ACCOUNT_PATHS.sessions)],
    ['data', 'Download your data', (page) => enter(page, ACCOUNT_PATHS.data)],
    ['deletion', 'Delete your account', (page) => enter(page, ACCOUNT_PATHS.deletion)],
    [
      'deletion with problems',
      'Delete your account',
      failAt(ACCOUNT_PATHS.deletion, 'Delete your account', 'Delete account'),
    ],
    [
      'a form that is too old',
      'This form has expired',
      async (page) => {
        await enter(page, ACCOUNT_PATHS.sessions);
        await see(page, 'Where you’re signed in');
        await page.context().clearCookies();
        await press(page, 'Sign out everywhere');
      },
    ],
  ];

  test.each(WAYS)('%s has no faults, at any width and in any color scheme', async (name, heading, go) => {
    const page = await arrive();
    await go(page);
    await see(page, heading);
    expect(await faultsOfLooks(page, `account ${name}`)).toEqual([]);
  });

  const AROUND = ['Ridehail', 'Docs', 'OpenAPI', 'Your account'];
  const SECTIONS = ['Overview', 'Apps', 'Payment', 'Phone', 'Password', 'Browsers', 'Your data', 'Delete'];
  test.each<[path: string, names: readonly string[]]>([
    [ACCOUNT_PATHS.overview, TITLES],
    [ACCOUNT_PATHS.applications, []],
    [ACCOUNT_PATHS.payment, ['Remove card', 'Card number', 'Expires', 'Security code', 'Save card']],
    [ACCOUNT_PATHS.phone, ['Phone number', 'Send a code']],
    [ACCOUNT_PATHS.password, ['Apps', 'Current password', 'New password', 'Repeat new password', 'Change password']],
    [ACCOUNT_PATHS.sessions, ['Apps', 'Sign out everywhere']],
    [ACCOUNT_PATHS.data, ['Download']],
    [ACCOUNT_PATHS.deletion, ['download your data', 'Password', 'Type “delete” to confirm', 'Delete account']],
  ])('the Tab key moves through %s in reading order', async (path, names) => {
    const page = await arrive();
    await enter(page, path, LEO);
    await page.getByRole('navigation', { name: 'Account' }).waitFor();
    const stops = await tour(page);
    expect(stops.map(({ name }) => name)).toEqual([...AROUND, ...SECTIONS, 'Sign out', ...names]);
    const own = stops.slice(-names.length || stops.length);
    expect(own).toEqual([...own].sort((a, b) => a.top - b.top || a.left - b.left));
  });

  test('a passenger signs in, changes the password and signs out with only the keyboard', async () => {
    const page = await arrive();
    const { passwordHash } = await storedMaya(server);
    const { email } = await server.newPassenger(LIVE, { passwordHash });
    await open(page, ACCOUNT_PATHS.overview);
    await see(page, SIGN_IN);
    for (const [label, text] of [
      ['Email', email],
      ['Password', MAYA.password],
    ] as const) {
      await tabTo(page, label);
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Enter');
    await see(page, 'Your account');
    await tabTo(page, 'Change your password');
    await page.keyboard.press('Enter');
    await see(page, 'Change your password');
    for (const [label, text] of [
      ['Current password', MAYA.password],
      ['New password', 'short'],
      ['Repeat new password', 'short'],
    ] as const) {
      await tabTo(page, label);
      await page.keyboard.type(text);
    }
    await page.locator('main form').evaluate((form) => form.setAttribute('novalidate', ''));
    await page.keyboard.press('Enter');
    // the problem has the focus and links to its field
    await page.getByRole('alert').waitFor();
    await tabTo(page, /^Choose a password with at least/);
    await page.keyboard.press('Enter');
    await eventually(async () => (await focusOn(page))?.name).toBe('New password');
    await page.keyboard.type('a brand new one');
    await page.getByLabel('Current password').fill(MAYA.password);
    await page.getByLabel('Repeat new password').fill('a brand new one');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Your password was changed').waitFor();
    await tabTo(page, 'Sign out');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('You’re signed out.').waitFor();
  });

  test('without JavaScript, a passenger allows an app, revokes it, changes the password, exports the data and deletes the account', async () => {
    const page = await newPage({ javaScriptEnabled: false });
    page.setDefaultTimeout(12000);
    const who = newcomerNamed('Olga');
    await open(page, pathOfRequest());
    await page.getByRole('link', { name: 'Create an account' }).click();
    await signUp(page, who);
    await page.getByRole('status').getByText('Sign in to continue.').waitFor();
    await signIn(page, { email: who.Email, password: who.Password });
    await see(page, CONSENT);
    const first = await allow(page);
    expect(await statusWith(server, first.access_token)).toBe(200);

    await open(page, '/');
    await page.getByRole('link', { name: 'Your account' }).click();
    await see(page, 'Your account');
    const sections = page.getByRole('navigation', { name: 'Account' });
    const go = async (label: string, heading: string) => {
      await sections.getByRole('link', { name: label }).click();
      await see(page, heading);
    };
    await go('Apps', 'Apps');
    await press(page, 'Remove access for Demo');
    await page.getByRole('status').waitFor();
    expect(await statusWith(server, first.access_token)).toBe(401);
    await open(page, pathOfRequest());
    await see(page, CONSENT);
    const second = await allow(page);

    await open(page, ACCOUNT_PATHS.password);
    await page.getByLabel('Current password').fill(who.Password);
    await page.getByLabel('New password', { exact: true }).fill('another quiet place');
    await page.getByLabel('Repeat new password').fill('another quiet place');
    await press(page, 'Change password');
    await page.getByRole('status').waitFor();

    await go('Browsers', 'Where you’re signed in');
    await press(page, 'Sign out everywhere');
    await page.getByRole('status').getByText('You’re signed out everywhere.').waitFor();
    await open(page, ACCOUNT_PATHS.data);
    await signIn(page, { email: who.Email, password: 'another quiet place' });
    await see(page, 'Download your data');
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Download')]);
    const data = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(data.passenger.email).toBe(who.Email);

    await go('Delete', 'Delete your account');
    await page.getByLabel('Password').fill('another quiet place');
    await page.getByLabel('Type “delete”').fill('delete');
    expect(await statusWith(server, second.access_token)).toBe(200);
    await press(page, 'Delete account');
    await page.getByRole('status').getByText('Your account was deleted.').waitFor();
    expect(await statusWith(server, second.access_token)).toBe(401);
    await signIn(page, { email: who.Email, password: 'another quiet place' });
    await page.getByRole('alert').getByText('Wrong email or password. Try again.').waitFor();
  });
});

/** The links of the overview. */
const TITLES = [
  'Apps',
  'Payment method',
  'Phone number',
  'Change your password',
  'Where you’re signed in',
  'Download your data',
  'Delete your account',
];
const LEO = DEMO_PASSENGERS[1]!;
