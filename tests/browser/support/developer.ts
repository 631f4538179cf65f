import type { Page } from 'playwright-core';
import { DEVELOPER_COOKIES } from '../../../server/http/browser.ts';
import type { Developer } from '../../../server/store/developers.ts';
import { inPortal } from '../../portal/applications-support.ts';
import type { TestServer } from '../../support/server.ts';

/** A name of the maximum length. */
export const NAME = 'Rides of the very-long-and-unbroken-name-of-sixty-characters';
export const CALLBACK = 'https://planner.example/callback';

/** Signs a developer in to the portal, without the form. */
export async function enterPortal(server: TestServer, page: Page, developer: Pick<Developer, 'id'>): Promise<void> {
  const { cookies } = await inPortal(server, developer);
  const value = cookies.get(DEVELOPER_COOKIES.session)!.split(';')[0]!;
  await page.context().addCookies([{ name: DEVELOPER_COOKIES.session, value, url: server.baseUrl }]);
}

/** Returns the values in the page's description list, by name. */
export async function factsOf(page: Page): Promise<Readonly<Record<string, string>>> {
  const names = await page.locator('main dt').allInnerTexts();
  const values = await page.locator('main dd').allInnerTexts();
  return Object.fromEntries(names.map((name, index) => [name, values[index]!.trim()]));
}
