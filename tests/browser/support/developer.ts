import type { Page } from 'playwright-core';
import { HOUR_MS } from '../../../server/domain/time.ts';
import { DEVELOPER_COOKIES } from '../../../server/http/browser.ts';
import { hashOf, newToken } from '../../../server/oauth/secrets.ts';
import { saveDeveloperLink } from '../../../server/store/developer-links.ts';
import { type Developer, insertDeveloperIfAbsent } from '../../../server/store/developers.ts';
import { inPortal, newOwnApplication } from '../../portal/applications-support.ts';
import type { TestServer } from '../../support/server.ts';

export { newOwnApplication };

let count = 0;

/** Creates a developer without applications and without a usable password. */
export async function newDeveloper({ store, parts }: TestServer): Promise<Developer> {
  count += 1;
  const id = `seen-developer-${count}`;
  const developer = { id, email: `${id}@example.com`, passwordHash: 'nobody knows', createdAt: parts.now() };
  await insertDeveloperIfAbsent(store.db, developer);
  return developer;
}

/** Signs a developer in to the portal, without the form. */
export async function enterPortal(server: TestServer, page: Page, developer: Pick<Developer, 'id'>): Promise<void> {
  const { cookies } = await inPortal(server, developer);
  const value = cookies.get(DEVELOPER_COOKIES.session)!.split(';')[0]!;
  await page.context().addCookies([{ name: DEVELOPER_COOKIES.session, value, url: server.baseUrl }]);
}

/** Creates a link as an operator does, valid for an hour. @returns its token */
export async function operatorLink(
  { store, parts }: TestServer,
  { email, id }: { readonly email: string; readonly id: string | null },
): Promise<string> {
  const token = newToken(parts.randomBytes);
  const expiresAt = parts.now() + HOUR_MS;
  await saveDeveloperLink(store.db, { tokenHash: hashOf(token), email, developerId: id, expiresAt });
  return token;
}

/** Returns the values in the page's description list, by name. */
export async function factsOf(page: Page): Promise<Readonly<Record<string, string>>> {
  const names = await page.locator('main dt').allInnerTexts();
  const values = await page.locator('main dd').allInnerTexts();
  return Object.fromEntries(names.map((name, index) => [name, values[index]!.trim()]));
}
