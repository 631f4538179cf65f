import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DEMO_PASSENGERS } from '../../server/demo.ts';
import { setRedirectUris } from '../../server/store/applications.ts';
import { runsBrowserTests } from '../support/browser.ts';
import { pathOfRequest } from '../support/consent.ts';
import { close, listen } from '../support/listen.ts';
import { newApplication } from '../support/oauth.ts';
import { testServer } from '../support/started.ts';
import { SELF_SIGNED } from '../webhooks/support/self-signed.ts';
import { enterAccount, press } from './support/person.ts';
import { sharedBrowser } from './support/visitor.ts';

/** Where an application's registered callback goes on to. The browser must get there after Allow. */
const CHAINS: ReadonlyArray<[what: string, callback: 'http' | 'https', next: 'http' | 'https' | 'app']> = [
  ['an https callback goes on to plain http', 'https', 'http'],
  ['an http callback goes on to another https site', 'http', 'https'],
  ['an https callback goes on to an app', 'https', 'app'],
];
const APP_URL = 'com.example.app://done';

describe.skipIf(!runsBrowserTests)('after Allow', () => {
  const server = testServer('sqlite', { withPages: true });

  test.each(CHAINS)('the browser follows the application: %s', async (_, callback, next) => {
    const started = { http: createServer(), https: createSecureServer(SELF_SIGNED) } satisfies Record<string, Server>;
    onTestFinished(() => void Promise.all(Object.values(started).map(close)));
    const origins = {
      http: (await listen(started.http)).replace('127.0.0.1', 'localhost'),
      https: (await listen(started.https)).replace(/^http:/, 'https:'),
    };
    const goal = next === 'app' ? APP_URL : `${origins[next]}/done`;
    const answer: RequestListener = (req, res) => {
      if (req.url?.startsWith('/callback')) res.writeHead(302, { Location: goal }).end();
      else res.setHeader('Content-Type', 'text/html').end('<title>Done</title>');
    };
    for (const one of Object.values(started)) one.on('request', answer);
    await newApplication(server, `${callback} ${next}`);
    await setRedirectUris(server.store.db, `${callback} ${next}`, [`${origins[callback]}/callback`]);

    const context = await (await sharedBrowser()).newContext({ ignoreHTTPSErrors: true });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => void complaints.push(message.text()));
    const arrives = page.waitForEvent('request', { predicate: (request) => request.url().startsWith(goal) });
    await enterAccount(server, page, { id: DEMO_PASSENGERS[0]!.id });
    await page.goto(server.baseUrl + pathOfRequest({ client_id: `${callback} ${next}` }));
    await press(page, 'Allow');
    await arrives;
    if (next !== 'app') await page.waitForURL(goal);
    expect(complaints.filter((text) => /Content Security Policy/.test(text))).toEqual([]);
  });
});
