import { describe, expect, test } from 'vitest';
import { DEMO, DEMO_DEVELOPER } from '../../server/demo.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import { newOwnApplication } from '../portal/applications-support.ts';
import { newDeveloper } from '../portal/support.ts';
import { runsBrowserTests } from '../support/browser.ts';
import { testServer } from '../support/started.ts';
import { CALLBACK, enterPortal, NAME } from './support/developer.ts';
import { eventually, expectReadingOrder, focusOn, tabTo } from './support/focus.ts';
import { see } from './support/person.ts';
import { visitor } from './support/visitor.ts';

describe.skipIf(!runsBrowserTests)('the portal, in a browser', () => {
  const server = testServer('sqlite', { withPages: true, rateLimitMultiplier: 1000 });
  const { arrive } = visitor(() => [server.baseUrl]);

  test.each<[path: string, names: readonly string[]]>([
    [PORTAL_PATHS.overview, ['New app', NAME]],
    [PORTAL_PATHS.newApplication, [...FIELDS, 'Create app']],
    [PORTAL_PATHS.account, ['Change your password', 'Delete your account', 'Sign out everywhere']],
    [PORTAL_PATHS.password, ['Current password', 'New password', 'Repeat new password', 'Change password']],
    [PORTAL_PATHS.deletion, ['delete or transfer your apps', 'Password', 'Type “delete” to confirm', 'Delete account']],
    ['.', [...SECTIONS, ...OVERVIEW]],
    ['./redirect-uris', [...SECTIONS, 'Redirect URIs', 'Save']],
    [
      './webhooks',
      [
        ...SECTIONS,
        'The docs',
        ...ENVIRONMENTS.flatMap((which) => ['Webhook URL', `Save ${which} URL`, `Send ${which} test event`]),
      ],
    ],
    ['./secrets', [...SECTIONS, ...ENVIRONMENTS.flatMap((which) => ['Current secret', `Rotate ${which} secret`])]],
    ['./settings', [...SECTIONS, ...SETTINGS]],
    ['./log', SECTIONS],
  ])('the Tab key moves through %s in reading order', async (path, names) => {
    const page = await arrive();
    const developer = await newDeveloper(server);
    const { application } = await newOwnApplication(server, developer, {
      ...{ name: NAME, webhookUrl: CALLBACK, sandboxWebhookUrl: CALLBACK },
    });
    await enterPortal(server, page, developer);
    const home = PORTAL_PATHS.application.replace(':application', application.id);
    await page.goto(server.baseUrl + (path.startsWith('.') ? home + path.slice(1) : path));
    await expectReadingOrder(page, AROUND, names);
  });

  test('a developer signs in, corrects a form, and creates and deletes an app with only the keyboard', async () => {
    const page = await arrive();
    await page.goto(server.baseUrl + PORTAL_PATHS.newApplication);
    await see(page, 'Sign in to the developer portal');
    const type = async (label: string, text: string) => {
      await tabTo(page, label);
      await page.keyboard.type(text);
    };
    const enter = async (name: string | RegExp) => {
      await tabTo(page, name);
      await page.keyboard.press('Enter');
    };
    await type('Email', DEMO_DEVELOPER.email);
    await type('Password', DEMO.password);
    await page.keyboard.press('Enter');
    await see(page, 'New app');
    await type('Name', 'By Hand');
    await type('Redirect URIs', 'nowhere');
    await enter('Create app');
    // the problem has the focus and links to its field
    await page.getByRole('alert').waitFor();
    await enter(/^Line 1/);
    await eventually(async () => (await focusOn(page))?.name).toBe('Redirect URIs');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(CALLBACK);
    await enter('Create app');
    await see(page, 'Save these secrets now');
    await enter('Settings');
    await see(page, 'Settings for By Hand');
    const field = page.getByRole('region', { name: 'Delete' }).getByLabel('App name');
    await tabTo(page, 'Transfer app');
    await page.keyboard.press('Tab');
    expect(await field.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.keyboard.type('By Hand');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('App deleted.').waitFor();
  });
});

/** The links before the content of each page, in reading order. */
const AROUND = ['Ridehail', 'Docs', 'OpenAPI', 'Apps', 'New app', 'Account', 'Sign out'];
/** The links to the pages of an application. */
const SECTIONS = ['Overview', 'Redirect URIs', 'Webhooks', 'Secrets', 'Settings', 'Log'];
const ENVIRONMENTS = ['live', 'sandbox'];
const FIELDS = ['Name', 'Redirect URIs', 'Live webhook URL (optional)', 'Sandbox webhook URL (optional)'];
/** The links of an application's overview. */
const OVERVIEW = [
  'Rotate a secret',
  'Edit redirect URIs',
  'Edit webhook URLs or send a test event',
  'Rename, transfer or delete this app',
  'View the log',
];
const SETTINGS = [
  'Name',
  'Rename',
  'RFC 9700',
  'Turn rotation on',
  'New owner’s developer ID',
  'App name',
  'Transfer app',
  'App name',
  'Delete app',
];
