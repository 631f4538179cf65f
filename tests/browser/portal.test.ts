import { describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../client/webhooks/verify-webhook.ts';
import { runsBrowserTests } from '../support/browser.ts';
import { pathOfRequest } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { basic } from '../support/demo-caller.ts';
import { askToken, statusWith } from '../support/oauth.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { receiverForEach, serverForEach } from '../support/started.ts';
import { factsOf } from './support/developer.ts';
import { newcomerNamed, press, see, signIn, signUp } from './support/person.ts';
import { visitor } from './support/visitor.ts';

const NAME = 'Pocket Planner';
const PASSWORD = 'a workshop by the river';
const CALLBACK_PAGE = {
  status: 200,
  headers: { 'Content-Type': 'text/html' },
  body: '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Back</title><h1>Back at the planner</h1>',
};

describe.skipIf(!runsBrowserTests)('a developer with a browser', () => {
  const server = serverForEach(engines[0]!, { withPages: true, rateLimitMultiplier: 1000 });
  /** The application. It receives the redirects of passengers and the webhooks. */
  const planner = receiverForEach();
  const { newPage } = visitor(() => [server.baseUrl, planner.url]);

  const statusOf = async (id: string, secret: string) =>
    (await askToken(server, { grant_type: 'client_credentials' }, basic(id, secret))).status;
  /** The event in the latest webhook, if it is signed with this token. */
  const latestEvent = (verificationToken: string) => {
    const { headers, body } = planner.at('/hooks').at(-1)!;
    return verifyWebhook(body, String(headers['x-svc-signature']), verificationToken);
  };

  test('creates an application that takes a ride, rotates its secret, and deletes it, without JavaScript', async () => {
    planner.answerWith(({ path }) => (path.startsWith('/callback') ? CALLBACK_PAGE : 204));
    const developer = { email: 'olga@developers.example', password: PASSWORD };

    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(server.baseUrl);
    await page.getByRole('link', { name: 'Developer portal' }).first().click();
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Email').fill(developer.email);
    await page.getByLabel('Password').fill(developer.password);
    await press(page, 'Create account');
    await page.getByRole('status').getByText('Sign in to continue.').waitFor();
    await signIn(page, developer);
    await see(page, 'Your apps');

    await page.getByRole('main').getByRole('link', { name: 'New app' }).click();
    await page.getByLabel('Name').fill(NAME);
    await page.getByLabel('Redirect URIs').fill(`${planner.url}/callback`);
    await press(page, 'Create app');
    await see(page, 'Save these secrets now');
    const made = await factsOf(page);
    const { 'Client ID': id = '', 'Sandbox client secret': secret = '' } = made;
    const sections = page.getByRole('navigation', { name: NAME });
    const go = (label: string) => sections.getByRole('link', { name: label }).click();
    /** Returns the values on the overview, which never shows a secret. */
    const overview = async () => {
      await go('Overview');
      await see(page, NAME);
      const text = await page.locator('body').innerText();
      for (const shown of [made['Live client secret']!, secret]) expect(text).not.toContain(shown);
      return factsOf(page);
    };
    const keys = ['Client ID', 'Live verification token', 'Sandbox verification token'] as const;
    expect(await overview()).toMatchObject(Object.fromEntries(keys.map((key) => [key, made[key]])));

    await go('Webhooks');
    const sandboxes = page.getByRole('region', { name: 'Sandboxes' });
    await sandboxes.getByLabel('Webhook URL').fill(`${planner.url}/hooks`);
    await press(page, 'Save sandbox URL');
    await page.getByRole('status').getByText('Sandbox webhook URL saved.').waitFor();
    const hooked = await overview();
    expect(hooked['Live verification token']).toBe(made['Live verification token']);
    const verificationToken = hooked['Sandbox verification token']!;
    expect(verificationToken).not.toBe(made['Sandbox verification token']);
    await go('Webhooks');
    await press(page, 'Send sandbox test event');
    await page.getByRole('status').getByText('The sandbox URL accepted the event.').waitFor();
    expect(latestEvent(verificationToken).event_id).toMatch(/./);

    const passenger = newcomerNamed('Olga');
    const elsewhere = await newPage({ javaScriptEnabled: false });
    await elsewhere.goto(server.baseUrl + pathOfRequest({ client_id: id, redirect_uri: `${planner.url}/callback` }));
    await elsewhere.getByRole('link', { name: 'Create an account' }).click();
    await signUp(elsewhere, passenger);
    await elsewhere.getByRole('status').getByText('Sign in to continue.').waitFor();
    await signIn(elsewhere, { email: passenger.Email, password: passenger.Password });
    await see(elsewhere, `Allow ${NAME} to use your account?`);
    await press(elsewhere, 'Allow');
    await see(elsewhere, 'Back at the planner');
    const code = new URL(elsewhere.url()).searchParams.get('code');

    const { body: granted } = await askToken(server, { grant_type: 'authorization_code', code }, basic(id, secret));
    const api = server.client({ token: granted.access_token });
    const { data: ride } = await api.requestRide({
      body: { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' },
    });
    const params = { path: { ride_id: ride!.ride_id } };
    for (const status of ['accepted', 'arrived', 'pickedUp', 'droppedOff'] as const) {
      const { response } = await api.setRideStatus({ params, body: { status } });
      expect(response.status, status).toBe(200);
    }
    while ((await server.runDeliveries()) > 0);
    expect(latestEvent(verificationToken)).toMatchObject({ event: { ride_id: ride!.ride_id } });
    expect(() => latestEvent(made['Live verification token']!)).toThrow();

    /** Rotates the sandbox secret. @returns what the page shows of the new one */
    const rotate = async (old: string) => {
      await go('Secrets');
      await page.getByRole('region', { name: 'Sandboxes' }).getByLabel('Current secret').selectOption({ label: old });
      await press(page, 'Rotate sandbox secret');
      await see(page, 'Save this secret now');
      const { 'New sandbox client secret': next, 'New sandbox verification token': key } = await factsOf(page);
      expect((await overview())['Sandbox verification token']).toBe(key);
      return { next: next!, key: key! };
    };
    const second = await rotate('Expires in 1 hour');
    expect(second.key).not.toBe(verificationToken);
    expect([await statusOf(id, secret), await statusOf(id, second.next)]).toEqual([200, 200]);
    const third = await rotate('Expires immediately');
    expect(new Set([verificationToken, second.key, third.key]).size).toBe(3);
    const ofSecrets = await Promise.all([secret, second.next, third.next].map((each) => statusOf(id, each)));
    expect(ofSecrets).toEqual([401, 401, 200]);
    expect(await statusOf(id, made['Live client secret']!)).toBe(200);

    await go('Log');
    const log = await page.locator('.log li').allInnerTexts();
    expect(log.map((entry) => entry.split('\n')[0])).toEqual([
      'You rotated the sandbox secret.',
      'You rotated the sandbox secret.',
      expect.stringMatching(/^You sent a test event to the sandbox webhook URL/),
      `You set the sandbox webhook URL to ${planner.url}/hooks.`,
      `You created the app as ${NAME}.`,
    ]);

    expect(await statusWith(server, granted.access_token)).toBe(200);
    await go('Settings');
    const deletion = page.getByRole('region', { name: 'Delete' });
    await deletion.getByLabel('App name').fill(NAME);
    await press(page, 'Delete app');
    await page.getByRole('status').getByText('App deleted.').waitFor();
    expect(await statusWith(server, granted.access_token)).toBe(401);
    expect([await statusOf(id, third.next), await statusOf(id, made['Live client secret']!)]).toEqual([401, 401]);
    expect(await page.getByRole('main').innerText()).not.toContain(NAME);
  });
});
