import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { setRedirectUris } from '../../../server/store/applications.ts';
import { close, listen } from '../../support/listen.ts';
import { newApplication } from '../../support/oauth.ts';
import type { TestServer } from '../../support/server.ts';

const PAGE = (body: string) =>
  `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Planner</title><body>${body}</body></html>`;

/** An application on a different site than the server. */
export interface Application {
  readonly origin: string;
  /** The header with its live credentials. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Opens the application's page with a link to a path of the server. */
  open(page: Page, href: string): Promise<void>;
  /** Opens the application's page with paths of the server in frames. */
  frame(page: Page, sources: readonly string[]): Promise<void>;
  /** Waits until the browser returns. @returns the query of the redirect */
  arrival(page: Page): Promise<Record<string, string>>;
  close(): Promise<void>;
}

/** Registers an application named Planner and serves its pages. Another host name makes it another site. */
export async function startApplication(server: TestServer): Promise<Application> {
  const pages = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost');
    const addresses = searchParams.getAll('address').map((address) => address.replaceAll('&', '&amp;'));
    const bodies: Record<string, string> = {
      '/link': `<a href="${addresses[0]}">Connect Ridehail</a>`,
      '/frame': addresses.map((address) => `<iframe src="${address}" title="Framed"></iframe>`).join(''),
      '/callback': '<h1>Back at Planner</h1>',
    };
    res.setHeader('Content-Type', 'text/html').end(PAGE(bodies[pathname] ?? 'Nothing'));
  });
  const origin = (await listen(pages)).replace('127.0.0.1', 'localhost');
  const credentials = await newApplication(server, 'Planner');
  await setRedirectUris(server.store.db, 'Planner', [`${origin}/callback`]);
  const show = async (page: Page, path: string, addresses: readonly string[]) => {
    const query = new URLSearchParams();
    for (const address of addresses) query.append('address', server.baseUrl + address);
    await page.goto(`${origin}${path}?${query}`);
  };
  return {
    origin,
    credentials,
    open: (page, href) => show(page, '/link', [href]),
    frame: (page, sources) => show(page, '/frame', sources),
    arrival: async (page) => {
      await page.waitForURL(`${origin}/callback?**`);
      return Object.fromEntries(new URL(page.url()).searchParams);
    },
    close: () => close(pages),
  };
}
