import type { Page } from 'playwright-core';
import { DAY_MS } from '../../../server/domain/time.ts';
import { PORTAL_PATHS } from '../../../server/links.ts';
import type { Developer } from '../../../server/store/developers.ts';
import type { Receiver } from '../../support/receiver.ts';
import type { TestServer } from '../../support/server.ts';
import { enterPortal, newDeveloper, newOwnApplication, operatorLink } from './developer.ts';
import { press, see, signIn } from './person.ts';

/** A name of the maximum length. */
export const NAME = 'Rides of the very-long-and-unbroken-name-of-sixty-characters';
export const SIGN_IN = 'Sign in to the developer portal';
const SIGN_UP = 'Create a developer account';
export const CALLBACK = 'https://planner.example/callback';
export const LONG_CALLBACK = `https://staging.planner.example/${'a-long-path-without-a-space/'.repeat(8)}callback`;

/** The state from which a way starts. */
export interface At {
  readonly page: Page;
  readonly server: TestServer;
  /** Receives the webhooks of the application. */
  readonly receiver: Receiver;
  readonly developer: Developer;
  /** The path of an application of the developer. */
  readonly application: string;
  open(path: string): Promise<unknown>;
}

/** How to reach a page, and its heading. */
type Way = readonly [name: string, heading: string, go: (at: At) => Promise<unknown>];

/** Sends a form without validation by the browser. */
const send = async ({ page }: At, button: string) => {
  for (const form of await page.locator('main form').all())
    await form.evaluate((one) => one.setAttribute('novalidate', ''));
  await press(page, button);
};
const failAt = async (at: At, button: string) => {
  await send(at, button);
  await at.page.getByRole('alert').waitFor();
};
const sendTest = async (at: At) => {
  await at.open(`${at.application}/webhooks`);
  await press(at.page, 'Send live test event');
};
const markFailing = ({ server, application }: At, days: number) =>
  server.store.db
    .updateTable('applications')
    .set({ webhookFailingSince: server.parts.now() - days * DAY_MS })
    .where('id', '=', application.split('/').at(-1)!)
    .execute();

export const WAYS: readonly Way[] = [
  [
    'list, empty',
    'Your apps',
    async ({ page, server, open }) => {
      await enterPortal(server, page, await newDeveloper(server));
      await open(PORTAL_PATHS.overview);
    },
  ],
  [
    'list',
    'Your apps',
    async (at) => {
      await newOwnApplication(at.server, at.developer);
      await markFailing(at, 6);
      await at.open(PORTAL_PATHS.overview);
    },
  ],
  ['new', 'New app', ({ open }) => open(PORTAL_PATHS.newApplication)],
  [
    'new with problems',
    'New app',
    async (at) => {
      await at.open(PORTAL_PATHS.newApplication);
      await at.page.getByLabel('Redirect URIs').fill(`http://planner.example/callback\n${LONG_CALLBACK}#part`);
      await at.page.getByLabel('Live webhook URL').fill('planner');
      await failAt(at, 'Create app');
    },
  ],
  [
    'created',
    'Save these secrets now',
    async ({ page, open }) => {
      await open(PORTAL_PATHS.newApplication);
      await page.getByLabel('Name').fill(NAME);
      await page.getByLabel('Redirect URIs').fill(CALLBACK);
      await press(page, 'Create app');
    },
  ],
  ['overview', NAME, ({ application, open }) => open(application)],
  [
    'overview, failing',
    NAME,
    async (at) => {
      await markFailing(at, 6);
      await at.open(at.application);
    },
  ],
  ['redirect URIs', 'Redirect URIs', ({ application, open }) => open(`${application}/redirect-uris`)],
  [
    'redirect URIs with a problem',
    'Redirect URIs',
    async (at) => {
      await at.open(`${at.application}/redirect-uris`);
      await at.page.getByLabel('Redirect URIs').fill('nowhere');
      await failAt(at, 'Save');
    },
  ],
  [
    'redirect URIs, saved',
    'Redirect URIs',
    async ({ page, application, open }) => {
      await open(`${application}/redirect-uris`);
      await press(page, 'Save');
      await page.getByRole('status').waitFor();
    },
  ],
  ['webhooks', 'Webhooks', ({ application, open }) => open(`${application}/webhooks`)],
  [
    'webhooks with a problem',
    'Webhooks',
    async (at) => {
      await at.open(`${at.application}/webhooks`);
      await at.page.getByLabel('Webhook URL').first().fill('nowhere');
      await failAt(at, 'Save live URL');
    },
  ],
  [
    'webhooks, test event arrived',
    'Webhooks',
    async (at) => {
      await sendTest(at);
      await at.page.getByText('The live URL accepted the event.').waitFor();
    },
  ],
  [
    'webhooks, test event failed',
    'Webhooks',
    async (at) => {
      at.receiver.answerWith(() => ({
        status: 500,
        body: `<h1>Broken</h1>${'no space '.repeat(9)}${'x'.repeat(200)}`,
      }));
      await sendTest(at);
      await at.page.getByText('The live URL rejected the event').waitFor();
    },
  ],
  ['secrets', 'Secrets', ({ application, open }) => open(`${application}/secrets`)],
  [
    'secret, rotated',
    'Save this secret now',
    async ({ page, application, open }) => {
      await open(`${application}/secrets`);
      await page.getByLabel('Current secret').first().selectOption('24');
      await press(page, 'Rotate live secret');
    },
  ],
  ['settings', 'Settings', ({ application, open }) => open(`${application}/settings`)],
  [
    'settings, renaming with a problem',
    'Settings',
    async (at) => {
      await at.open(`${at.application}/settings`);
      await at.page.getByLabel('Name', { exact: true }).fill('');
      await failAt(at, 'Rename');
    },
  ],
  [
    'settings, deleting with a problem',
    'Settings',
    async (at) => {
      await at.open(`${at.application}/settings`);
      await failAt(at, 'Delete app');
    },
  ],
  [
    'log',
    'Log',
    async ({ page, application, open }) => {
      await open(`${application}/secrets`);
      await press(page, 'Rotate sandbox secret');
      await see(page, 'Save this secret now');
      await open(`${application}/redirect-uris`);
      await page.getByLabel('Redirect URIs').fill(LONG_CALLBACK);
      await press(page, 'Save');
      await page.getByRole('status').waitFor();
      await open(`${application}/log`);
    },
  ],
  ['account', 'Your account', ({ open }) => open(PORTAL_PATHS.account)],
  ['password', 'Change your password', ({ open }) => open(PORTAL_PATHS.password)],
  [
    'password with problems',
    'Change your password',
    async (at) => {
      await at.open(PORTAL_PATHS.password);
      await failAt(at, 'Change password');
    },
  ],
  ['deletion', 'Delete your account', ({ open }) => open(PORTAL_PATHS.deletion)],
  [
    'deletion with problems',
    'Delete your account',
    async (at) => {
      await at.open(PORTAL_PATHS.deletion);
      await failAt(at, 'Delete account');
    },
  ],
  ['not found', 'Not found', ({ open }) => open(`${PORTAL_PATHS.overview}/applications/of-another`)],
  [
    'sign-in',
    SIGN_IN,
    async ({ page, open }) => {
      await page.context().clearCookies();
      await open(PORTAL_PATHS.overview);
    },
  ],
  [
    'sign-in with a problem',
    SIGN_IN,
    async (at) => {
      await at.page.context().clearCookies();
      await at.open(PORTAL_PATHS.overview);
      await signIn(at.page, { email: at.developer.email, password: 'not the password' });
      await at.page.getByRole('alert').waitFor();
    },
  ],
  [
    'sign-in after a sign-out',
    SIGN_IN,
    async ({ page, open }) => {
      await open(PORTAL_PATHS.overview);
      await press(page, 'Sign out');
      await page.getByRole('status').waitFor();
    },
  ],
  ['sign-up', SIGN_UP, ({ open }) => open(PORTAL_PATHS.signUp)],
  [
    'sign-up with problems',
    SIGN_UP,
    async (at) => {
      await at.open(PORTAL_PATHS.signUp);
      await failAt(at, 'Create account');
    },
  ],
  [
    'sign-in after a sign-up',
    SIGN_IN,
    async ({ page, open }) => {
      await page.context().clearCookies();
      await open(PORTAL_PATHS.signUp);
      await page.getByLabel('Email').fill('signed-up@example.com');
      await page.getByLabel('Password').fill('a quiet place by the sea');
      await press(page, 'Create account');
      await page.getByRole('status').waitFor();
    },
  ],
  [
    'set password',
    'Set your password',
    async ({ server, developer, open }) => {
      await open(`${PORTAL_PATHS.setPassword}?link=${await operatorLink(server, developer)}`);
    },
  ],
  [
    'set password with problems',
    'Set your password',
    async (at) => {
      await at.open(`${PORTAL_PATHS.setPassword}?link=${await operatorLink(at.server, at.developer)}`);
      await failAt(at, 'Set password');
    },
  ],
  ['a link that does not work', 'This link doesn’t work', ({ open }) => open(`${PORTAL_PATHS.setPassword}?link=old`)],
  [
    'a form that is too old',
    'This form has expired',
    async ({ page, application, open }) => {
      await open(`${application}/redirect-uris`);
      await page.context().clearCookies();
      await press(page, 'Save');
    },
  ],
];
export const ELSEWHERE: readonly (readonly [where: 'invite' | 'off', ...Way])[] = [
  ['invite', 'sign-in', SIGN_IN, ({ open }) => open(PORTAL_PATHS.signIn)],
  ['invite', 'sign-up without an invitation', 'You need an invitation', ({ open }) => open(PORTAL_PATHS.signUp)],
  [
    'invite',
    'sign-up with an invitation',
    SIGN_UP,
    async ({ server, open }) => {
      const invitation = await operatorLink(server, { email: 'invited@example.com', id: null });
      await open(`${PORTAL_PATHS.signUp}?invitation=${invitation}`);
    },
  ],
  [
    'invite',
    'sign-up with a wrong invitation',
    'This invitation doesn’t work',
    ({ open }) => open(`${PORTAL_PATHS.signUp}?invitation=old`),
  ],
  ['off', 'sign-in', SIGN_IN, ({ open }) => open(PORTAL_PATHS.signIn)],
  ['off', 'sign-up', 'Sign-up is closed', ({ open }) => open(PORTAL_PATHS.signUp)],
];
