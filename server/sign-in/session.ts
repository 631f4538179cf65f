import type { Response } from 'express';
import type { ResultOf } from '../audit.ts';
import { DAY_MS } from '../domain/time.ts';
import type { BrowserCookies } from '../http/browser.ts';
import type { Visitor } from '../http/caller.ts';
import { hashOf, newToken } from '../oauth/secrets.ts';
import { ASK_AGAIN, answerPage, type Page } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import { deleteDevice, findDevices, insertDevice } from '../store/devices.ts';
import { deleteSession, findSession, insertSession, type Session } from '../store/sessions.ts';
import type { Account, Accounts } from './accounts.ts';
import { answerWait } from './failure-page.ts';
import { type PasswordCheck, untilClosed } from './password-check.ts';
import { type SentForm, textIn } from './sent-form.ts';
import type { Credentials } from './views/form.ts';

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

interface Attempt {
  readonly visitor: Visitor;
  readonly form: SentForm;
  readonly res: Response;
  /** The application that asks for access, if any. */
  readonly application?: string;
  readonly pageWith: (typed: Credentials) => Page;
  readonly beginning: string;
}

/**
 * Signs in with the form of `credentialInputs`. Same message for a wrong email and a wrong password.
 * @returns whether the browser is signed in; if not, the response is already sent
 */
export function signInForm<A extends Account>(
  parts: Pick<Parts, 'store' | 'randomBytes'>,
  accounts: Accounts<A>,
  cookies: BrowserCookies,
  checkPassword: PasswordCheck<A>,
): (attempt: Attempt) => Promise<boolean> {
  return async ({ visitor, form, res, application, pageWith, beginning }) => {
    const email = textIn(form, 'email').trim();
    const password = textIn(form, 'password');
    const askAgain = (problem: string) => {
      answerPage(res, pageWith({ email, problem }), ASK_AGAIN);
      return false;
    };
    if (email === '' || password === '') return askAgain('Enter your email and password.');
    const tell = (result: ResultOf<'sign_in'>, id: string | null) =>
      visitor.audit(accounts.events.signIn(result, id, application));
    const checked = await checkPassword({ email, password, visitor, signal: untilClosed(res) });
    if ('waitSeconds' in checked) {
      answerWait(res, checked.waitSeconds, beginning, () => tell('slowed_down', null));
      return false;
    }
    const isBegun =
      checked.account !== null && (await beginSession(parts, accounts, { cookies, res, visitor }, checked.account));
    tell(isBegun ? 'succeeded' : 'failed', checked.accountOf);
    return isBegun || askAgain('Wrong email or password. Try again.');
  };
}

/** Deletes the browser's session, if any. @param application the one that asks for access, if any */
export async function endSession(
  { store }: Pick<Parts, 'store'>,
  { tables, events }: Pick<Accounts, 'tables' | 'events'>,
  { sessionHash, audit }: Pick<Visitor, 'sessionHash' | 'audit'>,
  application?: string,
): Promise<void> {
  const id = sessionHash === null ? null : await deleteSession(store.db, tables, sessionHash);
  if (id !== null) audit(events.signOut(id, application));
}
