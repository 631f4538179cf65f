import type { Response } from 'express';
import type { Visitor } from '../http/caller.ts';
import { isPassword } from '../oauth/passwords.ts';
import type { Parts } from '../parts.ts';
import { findDevices } from '../store/devices.ts';
import type { Account, Accounts } from './accounts.ts';
import { rightSignInThrottle, wrongSignInThrottle } from './sign-in-throttle.ts';

interface Claim {
  /** As submitted. */
  readonly email: string;
  readonly password: string;
  readonly visitor: Visitor;
  /** Aborts the wait for a hashing slot. */
  readonly signal: AbortSignal;
}

/**
 * The account; null for a wrong email or password; or the wait if the check was throttled. `accountOf` is the ID of the
 * account with this email. Use it only for the audit trail.
 */
type Checked<A extends Account> =
  | { readonly account: A; readonly accountOf: string }
  | { readonly account: null; readonly accountOf: string | null }
  | { readonly waitSeconds: number };

export type PasswordCheck<A extends Account> = (claim: Claim) => Promise<Checked<A>>;

/**
 * Creates a throttled password check. Create one per account kind and share it across pages, so that all pages count
 * together. Kinds count separately, because an email can have an account of each. A wrong email takes as many hashes as
 * a wrong password and has the same result. The check throws Refusal `temporarily_unavailable` when too many callers
 * wait for a hashing slot. That attempt doesn't count.
 */
export function passwordCheck<A extends Account>(
  parts: Pick<Parts, 'store' | 'throttles' | 'rateLimitMultiplier'>,
  { kind, tables, refused, findByEmail }: Accounts<A>,
): PasswordCheck<A> {
  const { store } = parts;
  const countWrong = wrongSignInThrottle(parts, kind);
  const countRight = rightSignInThrottle(parts, kind);

  const accountWith = async (email: string) => {
    const account = await findByEmail(store.db, email);
    return account && !refused.has(account.id) ? account : null;
  };
  /** The hash of a device that this account has used before, otherwise null. */
  const knownDevice = async ({ deviceHashes, realNow }: Visitor, account: A | null) => {
    // also for an unknown email, so that both take equally long
    const devices = await findDevices(store.db, tables, deviceHashes);
    const own = devices.find(({ accountId, expiresAt }) => accountId === account?.id && expiresAt > realNow);
    return own?.tokenHash ?? null;
  };

  return async ({ email: typed, password, visitor, signal }) => {
    const email = typed.trim().toLowerCase();
    const { networks } = visitor;
    const account = await accountWith(email);
    const attempt = { email, networks, deviceHash: await knownDevice(visitor, account) };
    const wrong = await countWrong(attempt);
    if ('waitSeconds' in wrong) return wrong;
    const right = await countRight(attempt);
    if ('waitSeconds' in right) {
      wrong.takeBack();
      return right;
    }
    const asking = { flow: networks.wide, signal };
    const isRight = await isPassword(password, account?.passwordHash, asking).catch((error: unknown) => {
      // no password was checked, so the attempt doesn't count
      wrong.takeBack();
      right.takeBack();
      throw error;
    });
    (isRight ? wrong : right).takeBack();
    return isRight && account !== null
      ? { account, accountOf: account.id }
      : { account: null, accountOf: account?.id ?? null };
  };
}

export function untilClosed(res: Response): AbortSignal {
  const closed = new AbortController();
  res.once('close', () => closed.abort());
  return closed.signal;
}
