import { DEMO, DEMO_DEVELOPER } from '../../server/demo.ts';
import { HOUR_MS } from '../../server/domain/time.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import { hashOf, newToken } from '../../server/oauth/secrets.ts';
import { saveDeveloperLink } from '../../server/store/developer-links.ts';
import {
  type Developer,
  findDeveloper,
  findDeveloperByEmail,
  insertDeveloperIfAbsent,
} from '../../server/store/developers.ts';
import type { TestServer } from '../support/server.ts';
import { newVisitor, type View, type Visitor } from '../support/visitor.ts';

export const DEVELOPER = { email: DEMO_DEVELOPER.email, password: DEMO.password } as const;

type On = Pick<TestServer, 'store' | 'parts' | 'baseUrl'>;

/** Signs in a developer and opens a page of the portal. */
export async function developerAt(
  { baseUrl }: Pick<TestServer, 'baseUrl'>,
  path: string = PORTAL_PATHS.overview,
  who: { readonly email: string; readonly password: string } = DEVELOPER,
): Promise<Visitor> {
  const visitor = newVisitor(baseUrl);
  await visitor.open(path);
  await visitor.submit({ email: who.email, password: who.password }, PORTAL_PATHS.signIn);
  return visitor;
}

let count = 0;

/** Creates a developer without applications. The password is that of the demo. */
export async function newDeveloper({ store, parts }: On): Promise<Developer & { readonly password: string }> {
  count += 1;
  const { passwordHash } = (await findDeveloper(store.db, DEMO_DEVELOPER.id))!;
  const id = `developer-${count}`;
  const developer = { id, email: `${id}@example.com`, passwordHash, createdAt: parts.now() };
  await insertDeveloperIfAbsent(store.db, developer);
  return { ...developer, password: DEMO.password };
}

/** Creates a link as an operator does, valid for an hour. @returns its token */
export async function newLink({ store, parts }: On, email: string, developerId: string | null = null): Promise<string> {
  const token = newToken(parts.randomBytes);
  const link = { tokenHash: hashOf(token), email, developerId, expiresAt: parts.now() + HOUR_MS };
  await saveDeveloperLink(store.db, link);
  return token;
}

export function storedDeveloper({ store }: Pick<On, 'store'>, email: string): Promise<Developer | undefined> {
  return findDeveloperByEmail(store.db, email);
}

export const at = ({ url }: View): string => url.pathname;

export const signUpPath = (invitation: string): string =>
  `${PORTAL_PATHS.signUp}?${new URLSearchParams({ invitation })}`;

export const setPasswordPath = (link: string): string => `${PORTAL_PATHS.setPassword}?${new URLSearchParams({ link })}`;
