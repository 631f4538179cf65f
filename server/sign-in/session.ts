import type { Response } from 'express';
import { DAY_MS } from '../domain/time.ts';
import type { BrowserCookies } from '../http/browser.ts';
import type { Visitor } from '../http/caller.ts';
import { hashOf, newToken } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import { deleteDevice, findDevices, insertDevice } from '../store/devices.ts';
import { deleteSession, findSession, insertSession, type Session } from '../store/sessions.ts';
import type { Account, Accounts } from './accounts.ts';

export interface SignedIn<A extends Account> {
  readonly session: Session;
  readonly account: A;
}

/** The signed-in account; null without a valid session. */
export async function signedIn<A extends Account>(
  { store }: Pick<Parts, 'store'>,
  { tables, refused, find }: Accounts<A>,
  { sessionHash, realNow }: { readonly sessionHash: string | null; readonly realNow: number },
): Promise<SignedIn<A> | null> {
  const session = sessionHash === null ? undefined : await findSession(store.db, tables, sessionHash);
  if (session === undefined || session.expiresAt <= realNow || refused.has(session.accountId)) return null;
  const account = await find(store.db, session.accountId);
  return account === undefined ? null : { session, account };
}

const SESSION_TTL_MS = DAY_MS;
/** A browser stays known for this long after a sign-in. */
const DEVICE_TTL_MS = 180 * DAY_MS;

/**
 * Signs an account in with a new session token and a new device token. The browser's previous session and the account's
 * previous device token end, so cookies that an attacker planted are useless. Other accounts keep their device tokens
 * in this browser.
 * @returns false if the password has changed since it was checked: a change ends all sessions, including new ones
 */
export async function beginSession(
  { store, randomBytes }: Pick<Parts, 'store' | 'randomBytes'>,
  { tables, holdPasswordHash }: Pick<Accounts, 'tables' | 'holdPasswordHash'>,
  { cookies, res, visitor }: { readonly cookies: BrowserCookies; readonly res: Response; readonly visitor: Visitor },
  { id, passwordHash }: Pick<Account, 'id' | 'passwordHash'>,
): Promise<boolean> {
  const [token, deviceToken] = [newToken(randomBytes), newToken(randomBytes)];
  const { realNow, sessionHash, deviceHashes } = visitor;
  const signedIn = { accountId: id, signedInAt: realNow };
  const kept = new Set<string>();
  const isBegun = await store.transaction(async (tx) => {
    if ((await holdPasswordHash(tx, id)) !== passwordHash) return false;
    await insertSession(tx, tables, { ...signedIn, tokenHash: hashOf(token), expiresAt: realNow + SESSION_TTL_MS });
    await insertDevice(tx, tables, { ...signedIn, tokenHash: hashOf(deviceToken), expiresAt: realNow + DEVICE_TTL_MS });
    if (sessionHash !== null) await deleteSession(tx, tables, sessionHash);
    kept.clear();
    for (const device of await findDevices(tx, tables, deviceHashes)) {
      if (device.accountId === id) await deleteDevice(tx, tables, device.tokenHash);
      else if (device.expiresAt > realNow) kept.add(device.tokenHash);
    }
    return true;
  });
  if (!isBegun) return false;
  cookies.startSession(res, token, SESSION_TTL_MS);
  cookies.setDevice(res, deviceToken, kept, DEVICE_TTL_MS);
  return true;
}
