import { DAY_MS } from '../domain/time.ts';
import type { BrowserCookies } from '../http/browser.ts';
import { hashOf, newToken } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import { deleteSession, insertSession } from '../store/sessions.ts';
import type { Visit } from './step.ts';

const SESSION_TTL_MS = DAY_MS;

/**
 * Signs a passenger in at a browser, under a token that nobody has seen. The session that the browser showed ends: whoever had
 * planted it there gains nothing.
 */
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
