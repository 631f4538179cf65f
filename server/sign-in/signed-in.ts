import type { Parts } from '../parts.ts';
import { findSession, type Session } from '../store/sessions.ts';
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
