import type { Visitor } from '../http/caller.ts';
import { isPassword } from '../oauth/passwords.ts';
import type { Parts } from '../parts.ts';
import { findDevices } from '../store/devices.ts';
import type { Account, Accounts } from './accounts.ts';
import { rightSignInThrottle, wrongSignInThrottle } from './sign-in-throttle.ts';

interface Claim {
  /** As typed. */
  readonly email: string;
  readonly password: string;
  readonly visitor: Visitor;
  /** Ends the wait for a turn. */
  readonly signal: AbortSignal;
}

/**
 * Whose password it is; null for a wrong email or password; or that nothing was checked, and how long to wait. The
 * audit trail alone gets `accountOf`: the id of the account with this email.
 */
type Checked<A extends Account> =
  | { readonly account: A; readonly accountOf: string }
  | { readonly account: null; readonly accountOf: string | null }
  | { readonly waitSeconds: number };

export type PasswordCheck<A extends Account> = (claim: Claim) => Promise<Checked<A>>;

/**
 * Checks passwords, slowed down as is due. A server makes one for each kind of accounts, for all pages that ask for a
 * password: each counts the tries of the others too. The kinds count apart, because one email can have an account of
 * each. A wrong email takes as many hashes as a wrong password, and the same answer. The check throws Refusal
 * `temporarily_unavailable` if too many wait for their turn, and then the try does not count.
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
  /** The hash of a device that this account signed in with; null for any other. */
  const knownDevice = async ({ deviceHashes, realNow }: Visitor, account: A | null) => {
    // looked up for an unknown email too, so that both take as long
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
    const asking = { line: networks.wide, signal };
    const isRight = await isPassword(password, account?.passwordHash, asking).catch((error: unknown) => {
      // nothing was tried
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
