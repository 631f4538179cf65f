import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createClient } from '../../client/client.ts';
import { builtCommand } from '../../scripts/support/built-server.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import { factsOf } from '../browser/support/developer.ts';
import { newcomerNamed, press, see, signIn, signUp } from '../browser/support/person.ts';
import { launchBrowser, runsBrowserTests } from '../support/browser.ts';
import { pathOfRequest } from '../support/consent.ts';
import { basic } from '../support/demo-caller.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { run as runName } from '../support/run.ts';
import { forAll, testReceiver } from '../support/started.ts';
import { type HeldServer, startHeldServer } from './support/held-server.ts';
import { freePorts, type Nginx, startNginx } from './support/nginx.ts';
import { testWith } from './support/programs.ts';

const test = testWith('nginx', 'openssl', 'systemd-socket-activate');
const run = promisify(execFile);

const PASSWORD = 'a workshop by the river';
const CALLBACK_PAGE = {
  status: 200,
  headers: { 'Content-Type': 'text/html' },
  body: '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Back</title><h1>Back at the planner</h1>',
};

/** A production server behind nginx. */
interface Site extends Nginx {
  readonly server: HeldServer;
}

async function startSite(PORTAL_SIGN_UP: string): Promise<Site> {
  const ports = await freePorts();
  const server = await startHeldServer({
    NODE_ENV: 'production',
    PUBLIC_URL: `https://localhost:${ports.https}`,
    TRUST_PROXY: '1',
    PORTAL_SIGN_UP,
  });
  const nginx = await startNginx([server.address], ports).catch(async (error) => {
    await server.close();
    throw error;
  });
  const close = async () => {
    await nginx.close();
    await server.close();
  };
  return { ...nginx, server, close };
}

// tests/browser/portal.test.ts signs up without an invitation
describe.skipIf(!runsBrowserTests).each(runName === 'long' ? ['open', 'invite'] : ['invite'])(
  'in production, behind nginx, with sign-up for %s',
  (mode) => {
    const site = forAll(() => startSite(mode));
    const planner = testReceiver();
    let browser: Browser;
    beforeAll(async () => {
      planner.answerWith(() => CALLBACK_PAGE);
      browser = await launchBrowser();
    });
    afterAll(() => browser.close());

    const api = (token?: string) => createClient({ baseUrl: site.baseUrl, fetch: (call) => site.fetch(call), token });
    /** Runs an operator's command on the server's machine. @returns its output */
    const command = async (name: 'developer' | 'app', ...words: string[]) => {
      const file = await builtCommand();
      const settings = { NODE_ENV: 'production', PUBLIC_URL: site.baseUrl, DATABASE_URL: site.server.databaseUrl };
      const env = { ...process.env, ...settings };
      const { stdout } = await run(process.execPath, [file, name, ...words, '--json'], { env });
      return JSON.parse(stdout) as Readonly<Record<string, string>>;
    };
    const tokenFor = async (id: string, secret: string, grant: { readonly code?: string } = {}) => {
      const type = grant.code === undefined ? 'client_credentials' : 'authorization_code';
      const body = { grant_type: type, ...grant } as Parameters<ReturnType<typeof api>['createToken']>[0]['body'];
      const { data, error } = await api().createToken({ body, headers: basic(id, secret) });
      if (data === undefined) throw new Error(`createToken failed: ${JSON.stringify(error)}`);
      return data.access_token;
    };
    /** Takes a passenger in a sandbox from the Ferry Building to Dolores Park. */
    const rideInSandbox = async (token: string) => {
      const passenger = api(token);
      const params = { path: { ride_id: await requestRide(token) } };
      await passenger.setRideStatus({ params, body: { status: 'droppedOff' } });
      const { data } = await passenger.getRide({ params });
      expect(data!.status).toBe('droppedOff');
    };
    const requestRide = async (token: string): Promise<string> => {
      const passenger = api(token);
      const body = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };
      const first = await passenger.requestRide({ body });
      const requested =
        first.error?.error === 'primetime_confirmation_required'
          ? await passenger.requestRide({ body: { ...body, cost_token: first.error.cost_token } })
          : first;
      if (requested.data === undefined) throw new Error(`requestRide failed: ${JSON.stringify(requested.error)}`);
      return requested.data.ride_id;
    };
    const newContext = () => browser.newContext({ ignoreHTTPSErrors: true });
    const newPage = async (context: Promise<BrowserContext>): Promise<Page> => (await context).newPage();
    /**
     * Follows an application's link as a passenger without an account: signs up, signs in and allows it. @returns the
     * code
     */
    const consent = async (id: string, name: string): Promise<string> => {
      const page = await newPage(newContext());
      const passenger = newcomerNamed(name);
      await page.goto(site.baseUrl + pathOfRequest({ client_id: id }));
      await page.getByRole('link', { name: 'Create an account' }).click();
      await signUp(page, passenger);
      await page.getByRole('status').getByText('Sign in to continue.').waitFor();
      await signIn(page, { email: passenger.Email, password: passenger.Password });
      await press(page, 'Allow');
      await see(page, 'Back at the planner');
      const code = new URL(page.url()).searchParams.get('code');
      await page.context().close();
      return code!;
    };

    test('an application created with the commands can get a ride, in a sandbox and live', async () => {
      const email = 'ada@example.com';
      await command('developer', 'create', '--email', email);
      const created = await command(
        ...(['app', 'create', '--name', 'Planner', '--developer', email] as const),
        ...['--redirect-uri', `${planner.url}/callback`],
      );
      const { client_id = '', client_secret = '', sandbox_client_secret = '' } = created;
      const sandbox = api(await tokenFor(client_id, sandbox_client_secret));
      const { data: passenger } = await sandbox.createPassenger({});
      await rideInSandbox(passenger!.token.access_token);
      const code = await consent(client_id, 'Nora');
      expect(await requestRide(await tokenFor(client_id, client_secret, { code }))).toMatch(/./);
    });

    test('an application created in the portal can get a ride, in a sandbox and live, and all cookies require https', async () => {
      const page = await newPage(newContext());
      const email = 'grace@example.com';
      if (mode === 'invite') {
        await page.goto(site.baseUrl + PORTAL_PATHS.signUp);
        await see(page, 'You need an invitation');
        const { invitation_link: link = '' } = await command('developer', 'invite', '--email', email);
        expect(link.startsWith(`${site.baseUrl}/`)).toBe(true);
        await page.goto(link);
      } else {
        await page.goto(site.baseUrl + PORTAL_PATHS.signUp);
        await page.getByLabel('Email').fill(email);
      }
      await page.getByLabel('Password').fill(PASSWORD);
      await press(page, 'Create account');
      await page.getByRole('status').getByText('Sign in to continue.').waitFor();
      await signIn(page, { email, password: PASSWORD });
      await see(page, 'Your apps');
      await page.getByRole('main').getByRole('link', { name: 'New app' }).click();
      await page.getByLabel('Name').fill('Planner');
      await page.getByLabel('Redirect URIs').fill(`${planner.url}/callback`);
      await press(page, 'Create app');
      await see(page, 'Save these secrets now');
      const {
        'Client ID': id = '',
        'Live client secret': live = '',
        'Sandbox client secret': sandbox = '',
      } = await factsOf(page);
      const cookies = await page.context().cookies();
      expect(cookies.map(({ name }) => name).sort()).toEqual([
        '__Host-ridehail_developer_csrf',
        '__Host-ridehail_developer_device',
        '__Host-ridehail_developer_session',
      ]);
      for (const cookie of cookies) {
        expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: 'Lax', path: '/', domain: 'localhost' });
      }
      await rideInSandbox(await tokenFor(id, sandbox, { code: await consent(id, 'Olga') }));
      expect(await requestRide(await tokenFor(id, live, { code: await consent(id, 'Petra') }))).toMatch(/./);
      await page.context().close();
    });

    test('the portal sends the headers of every page, is never cached, and redirects http to https', async () => {
      const get = (path: string) => site.fetch(new Request(site.baseUrl + path, { headers: { Accept: 'text/html' } }));
      const SAME = ['strict-transport-security', 'x-content-type-options', 'referrer-policy', 'x-frame-options'];
      const page = await get('/');
      for (const path of [PORTAL_PATHS.signIn, PORTAL_PATHS.signUp, `${PORTAL_PATHS.overview}/nothing`]) {
        const { headers } = await get(path);
        for (const name of SAME) expect([name, headers.get(name)]).toEqual([name, page.headers.get(name)]);
        expect(headers.get('strict-transport-security')).toMatch(/max-age=\d{7}/);
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('content-security-policy')).toContain("default-src 'none'");
        const plain = await fetch(site.plainUrl + path, { redirect: 'manual' });
        expect([plain.status, plain.headers.get('location')]).toEqual([308, `https://localhost${path}`]);
      }
    });
  },
);
