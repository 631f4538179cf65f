import type { RequestListener } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DEMO_PASSENGERS } from '../../server/demo.ts';
import { runsBrowserTests } from '../support/browser.ts';
import { pathOfRequest } from '../support/consent.ts';
import { newApplication, newSession } from '../support/oauth.ts';
import { testServer } from '../support/started.ts';
import { startReceiver, startTlsReceiver } from '../webhooks/support/receiver.ts';
import { SELF_SIGNED } from '../webhooks/support/self-signed.ts';
import { press } from './support/person.ts';
import { sharedBrowser } from './support/visitor.ts';

type Place = 'http' | 'https' | 'app';
/** Where an application's registered callback goes on to, if anywhere. The browser must get there after Allow. */
const CHAINS: ReadonlyArray<[what: string, callback: Place, next: Place | null]> = [
  ['an https callback goes on to plain http', 'https', 'http'],
  ['an http callback goes on to another https site', 'http', 'https'],
  ['an https callback goes on to an app', 'https', 'app'],
  ['an app is the callback', 'app', null],
];

describe.skipIf(!runsBrowserTests)('after Allow', () => {
  const server = testServer('sqlite', { withPages: true });

  test.each(CHAINS)('the browser follows the application: %s', async (client_id, callback, next) => {
    const answer: RequestListener = (req, res) => {
      if (req.url?.startsWith('/callback')) res.writeHead(302, { Location: goal }).end();
      else res.setHeader('Content-Type', 'text/html').end('<title>Done</title>');
    };
    const origins: Record<Place, string> = {
      http: `http://localhost:${(await startReceiver(answer)).port}`,
      https: `https://127.0.0.1:${(await startTlsReceiver(SELF_SIGNED, answer)).port}`,
      app: 'com.example.app:/',
    };
    const redirectUri = `${origins[callback]}/callback`;
    const goal = next === null ? redirectUri : `${origins[next]}/done`;
    await newApplication(server, client_id, undefined, { redirectUris: [redirectUri] });

    const context = await (await sharedBrowser()).newContext({ ignoreHTTPSErrors: true });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => void complaints.push(message.text()));
    const arrives = page.waitForEvent('request', { predicate: (request) => request.url().startsWith(goal) });
    const [name = '', value = ''] = (await newSession(server, { id: DEMO_PASSENGERS[0]!.id })).split('=');
    await context.addCookies([{ name, value, url: server.baseUrl }]);
    await page.goto(server.baseUrl + pathOfRequest({ client_id }));
    await press(page, 'Allow');
    await arrives;
    if (goal.startsWith('http')) await page.waitForURL(goal);
    expect(complaints.filter((text) => /Content Security Policy/.test(text))).toEqual([]);
  });
});
