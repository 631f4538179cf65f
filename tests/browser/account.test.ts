import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DEMO_PASSENGERS } from '../../server/demo.ts';
import { ACCOUNT_PATHS } from '../../server/links.ts';
import { storedMaya } from '../account/support.ts';
import { runsBrowserTests } from '../support/browser.ts';
import { MAYA } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { LIVE } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { eventually, expectReadingOrder, focusOn, tabTo } from './support/focus.ts';
import { enterAccount, see } from './support/person.ts';
import { visitor } from './support/visitor.ts';

describe.skipIf(!runsBrowserTests)('the account, in a browser', () => {
  const server = testServer(engines[0]!, { withPages: true, rateLimitMultiplier: 1000 });
  const { arrive } = visitor(() => [server.baseUrl]);

  const open = (page: Page, path: string) => page.goto(server.baseUrl + path);
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
    await enterAccount(server, page, LEO);
    await open(page, path);
    await page.getByRole('navigation', { name: 'Account' }).waitFor();
    await expectReadingOrder(page, [...AROUND, ...SECTIONS, 'Sign out'], names);
  });

  test('a passenger signs in, changes the password, downloads the data and signs out with only the keyboard', async () => {
    const page = await arrive();
    const { passwordHash } = await storedMaya(server);
    const { email } = await server.newPassenger(LIVE, { passwordHash });
    await open(page, ACCOUNT_PATHS.overview);
    await see(page, 'Sign in to your account');
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
    await open(page, ACCOUNT_PATHS.data);
    await tabTo(page, 'Download');
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(JSON.parse(await readFile(await download.path(), 'utf8')).passenger.email).toBe(email);
    await tabTo(page, 'Sign out');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('You’re signed out.').waitFor();
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
