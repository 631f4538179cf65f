import { beforeEach, describe, expect, test } from 'vitest';
import { DEMO, DEMO_DEVELOPER } from '../../server/demo.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import { runsBrowserTests } from '../support/browser.ts';
import type { TestServer } from '../support/server.ts';
import { testReceiver, testServer } from '../support/started.ts';
import { enterPortal, newDeveloper, newOwnApplication } from './support/developer.ts';
import { eventually, focusOn, tabTo, tour } from './support/focus.ts';
import { faultsOfLooks } from './support/looks.ts';
import { see } from './support/person.ts';
import { type At, CALLBACK, ELSEWHERE, LONG_CALLBACK, NAME, SIGN_IN, WAYS } from './support/portal-ways.ts';
import { visitor } from './support/visitor.ts';

describe.skipIf(!runsBrowserTests)('the portal, in a browser', () => {
  const open = testServer('sqlite', { withPages: true, rateLimitMultiplier: 1000 });
  const invite = testServer('sqlite', { withPages: true, portalSignUp: 'invite', hasDemo: false });
  const off = testServer('sqlite', { withPages: true, portalSignUp: 'off', hasDemo: false });
  const receiver = testReceiver();
  const { arrive } = visitor(() => [open, invite, off].map(({ baseUrl }) => baseUrl));
  beforeEach(() => receiver.answerWith(() => ({ status: 200, body: 'Thank you.' })));

  /** Signs in a new developer with an application. */
  async function arriveAt(server: TestServer): Promise<At> {
    const page = await arrive();
    const developer = await newDeveloper(server);
    const { application } = await newOwnApplication(server, developer, {
      name: NAME,
      redirectUris: [CALLBACK, LONG_CALLBACK],
      webhookUrl: `${receiver.url}/live`,
      sandboxWebhookUrl: `${receiver.url}/sandbox/${'a-long-path-without-a-space/'.repeat(6)}`,
    });
    await enterPortal(server, page, developer);
    const path = PORTAL_PATHS.application.replace(':application', application.id);
    return { page, server, receiver, developer, application: path, open: (to) => page.goto(server.baseUrl + to) };
  }

  const TABLE = [...WAYS.map((way) => ['open', ...way] as const), ...ELSEWHERE];
  test.each(TABLE)('%s, %s: has no faults at any width and in any color scheme', async (where, name, heading, go) => {
    const at = await arriveAt({ open, invite, off }[where]);
    if (where !== 'open') await at.page.context().clearCookies();
    await go(at);
    await see(at.page, heading);
    expect(await faultsOfLooks(at.page, `portal ${where} ${name}`)).toEqual([]);
  });

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
    const { page, application, open: go } = await arriveAt(open);
    await go(path.startsWith('.') ? application + path.slice(1) : path);
    const stops = await tour(page);
    expect(stops.map(({ name }) => name)).toEqual([...AROUND, ...names]);
    const own = stops.slice(stops.length - names.length);
    expect(own).toEqual([...own].sort((a, b) => a.top - b.top || a.left - b.left));
  });

  test('a developer signs in, corrects a form, and creates and deletes an app with only the keyboard', async () => {
    const page = await arrive();
    await page.goto(open.baseUrl + PORTAL_PATHS.newApplication);
    await see(page, SIGN_IN);
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
