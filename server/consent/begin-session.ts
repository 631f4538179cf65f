import { DAY_MS } from '../domain/time.ts';
import type { BrowserCookies } from '../http/browser.ts';
import { hashOf, newToken } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import { deleteSession, insertSession } from '../store/sessions.ts';
import type { Visit } from './step.ts';

const SESSION_TTL_MS = DAY_MS;

/** Signs a passenger in with a new session token. The browser's previous session ends, so a planted one is useless. */
export async function beginSession(
  { store, randomBytes }: Pick<Parts, 'store' | 'randomBytes'>,
  cookies: BrowserCookies,
  { res, visitor }: Pick<Visit, 'res' | 'visitor'>,
  passengerId: string,
): Promise<void> {
  const token = newToken(randomBytes);
  const { realNow, sessionHash } = visitor;
  const expiresAt = realNow + SESSION_TTL_MS;
  await insertSession(store.db, { tokenHash: hashOf(token), passengerId, signedInAt: realNow, expiresAt });
  if (sessionHash !== null) await deleteSession(store.db, sessionHash);
  cookies.startSession(res, token, SESSION_TTL_MS);
}
