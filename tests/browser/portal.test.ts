import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DEMO, DEMO_DEVELOPER } from '../../server/demo.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import { continueResends } from '../../server/workers/resends.ts';
import { runsBrowserTests } from '../support/browser.ts';
import { basic } from '../support/demo-caller.ts';
import { askToken } from '../support/oauth.ts';
import { setWebhooks } from '../support/set-webhooks.ts';
import { testReceiver, testServer } from '../support/started.ts';
import { newEvent, storedEvent } from '../support/webhook-events.ts';
import { enter, eventually, focusOn, tabTo, type } from './support/focus.ts';
import { press, see, signIn } from './support/person.ts';
import { visitor } from './support/visitor.ts';

const NAME = 'Pocket Planner';
const CALLBACK = 'https://planner.example/callback';

/** Returns the values in the page's description list, by name. */
async function factsOf(page: Page): Promise<Readonly<Record<string, string>>> {
  const names = await page.locator('main dt').allInnerTexts();
  const values = await page.locator('main dd').allInnerTexts();
  return Object.fromEntries(names.map((name, index) => [name, values[index]!.trim()]));
}

describe.skipIf(!runsBrowserTests)('a developer with a browser', () => {
  const server = testServer('sqlite', { withPages: true, rateLimitMultiplier: 1000 });
  const planner = testReceiver();
  const { arrive, newPage } = visitor(() => [server.baseUrl]);

  test('signs up, creates an application, tests its webhook, rotates a secret, and deletes it, without JavaScript', async () => {
    const developer = { email: 'olga@developers.example', password: 'a workshop by the river' };
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(server.baseUrl);
    await page.getByRole('link', { name: 'Developer portal' }).first().click();
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Email').fill(developer.email);
    await page.getByLabel('Password').fill(developer.password);
    await press(page, 'Create account');
    await page.getByRole('status').getByText('Sign in to continue.').waitFor();
    await signIn(page, developer);
    await see(page, 'Your applications');

    await page.getByRole('main').getByRole('link', { name: 'New application' }).click();
    await page.getByLabel('Name').fill(NAME);
    await page.getByLabel('Redirect URIs').fill(CALLBACK);
    await press(page, 'Create application');
    await see(page, 'Save these secrets now');
    expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0);
    const { 'Client ID': id = '', 'Sandbox client secret': old = '' } = await factsOf(page);
    const go = (label: string) =>
      page.getByRole('navigation', { name: NAME }).getByRole('link', { name: label }).click();
    const sandboxes = page.getByRole('region', { name: 'Sandboxes' });

    await go('Webhooks');
    await sandboxes.getByLabel('Webhook URL').fill(`${planner.url}/hooks`);
    await press(page, 'Save sandbox URL');
    await page.getByRole('status').getByText('Sandbox webhook URL saved.').waitFor();
    await press(page, 'Send sandbox test event');
    await page.getByRole('status').getByText('The sandbox URL accepted the event.').waitFor();
    expect(planner.at('/hooks')).toHaveLength(1);

    await go('Secrets');
    await sandboxes.getByLabel('Current secret').selectOption({ label: 'Expires immediately' });
    await press(page, 'Rotate sandbox secret');
    await see(page, 'Save this secret now');
    const { 'New sandbox client secret': secret = '' } = await factsOf(page);
    const statusOf = async (each: string) =>
      (await askToken(server, { grant_type: 'client_credentials' }, basic(id, each))).status;
    expect([await statusOf(old), await statusOf(secret)]).toEqual([401, 200]);

    await go('Settings');
    await page.getByRole('region', { name: 'Delete' }).getByLabel('Application name').fill(NAME);
    await press(page, 'Delete application');
    await page.getByRole('status').getByText('Application deleted.').waitFor();
    expect(await statusOf(secret)).toBe(401);
  });

  test('finds out why a webhook failed, and sends again what the receiver missed', async () => {
    const keys = { verificationToken: 'live key', sandboxVerificationToken: 'sandbox key' };
    await setWebhooks(server.store.db, DEMO.clientId, `${planner.url}/missed`, keys, server.parts.now());
    planner.answerWith(() => ({ status: 503, body: 'under maintenance' }));
    const id = await newEvent(server, DEMO.clientId);
    while ((await storedEvent(server, id)).status === 'pending') {
      await server.runDeliveries();
      server.passTime(1000);
    }
    planner.answerWith(() => 204);
    const tried = planner.at('/missed').length;
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(server.baseUrl + PORTAL_PATHS.signIn);
    await signIn(page, { email: DEMO_DEVELOPER.email, password: DEMO.password });
    await page.getByRole('main').getByRole('link', { name: 'Demo', exact: true }).click();
    await page.getByRole('link', { name: /^Failed live events/ }).click();
    await see(page, 'Deliveries for Demo');
    await page.getByRole('article').getByRole('link').first().click();
    await page.getByText('Your receiver rejected it with status 503.').first().waitFor();
    await page.getByRole('navigation', { name: 'Demo' }).getByRole('link', { name: 'Deliveries' }).click();
    await press(page, 'Resend all failed');
    await page.getByText('0 of 1 event delivered, 0 failed again.').waitFor();
    while (await continueResends(server.parts)) await server.runDeliveries();
    await page.reload();
    await page.getByText('1 of 1 event delivered, 0 failed again.').waitFor();
    expect(planner.at('/missed')).toHaveLength(tried + 1);
  });

  test('uses only the keyboard: signs in, corrects a form, and creates and deletes an application', async () => {
    const page = await arrive();
    await page.goto(server.baseUrl + PORTAL_PATHS.newApplication);
    await see(page, 'Sign in to the developer portal');
    await type(page, 'Email', DEMO_DEVELOPER.email);
    await type(page, 'Password', DEMO.password);
    await page.keyboard.press('Enter');
    await see(page, 'New application');
    await type(page, 'Name', 'By Hand');
    await type(page, 'Redirect URIs', 'nowhere');
    await enter(page, 'Create application');
    // the problem has the focus and links to its field
    await page.getByRole('alert').waitFor();
    await enter(page, /^Line 1/);
    await eventually(async () => (await focusOn(page))?.name).toBe('Redirect URIs');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(CALLBACK);
    await enter(page, 'Create application');
    await see(page, 'Save these secrets now');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await enter(page, 'Copy Client ID');
    await page.getByRole('status').getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^[0-9a-f]{24}$/);
    await enter(page, 'Copy Next steps');
    await eventually(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/^curl .*\/oauth\/token$/s);
    await enter(page, 'Settings');
    await see(page, 'Settings for By Hand');
    const field = page.getByRole('region', { name: 'Delete' }).getByLabel('Application name');
    await tabTo(page, 'Offer application');
    await page.keyboard.press('Tab');
    expect(await field.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.keyboard.type('By Hand');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Application deleted.').waitFor();
  });
});
