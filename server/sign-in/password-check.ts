import type { Response } from 'express';
import { MINUTE_SECONDS } from '../domain/time.ts';
import type { Visitor } from '../http/caller.ts';
import type { Networks } from '../http/network.ts';
import type { Limit } from '../limits/throttle.ts';
import { isPassword } from '../oauth/passwords.ts';
import { hashOf } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import { findDevices } from '../store/devices.ts';
import type { Account, Accounts } from './accounts.ts';

interface SignInAttempt {
  /** In lower case. Hashed before it is stored, because its length is unbounded. */
  readonly email: string;
  readonly networks: Networks;
  /** Device token hash of a browser that this account has used before, otherwise null. */
  readonly deviceHash: string | null;
}

const QUARTER_HOUR_SECONDS = 15 * MINUTE_SECONDS;
/** Only for unknown browsers: nobody can lock out a known one by using up the limit of its network or account. */
const ofStrangers =
  (keyOf: (attempt: SignInAttempt) => string | null) =>
  (attempt: SignInAttempt): string | null =>
    attempt.deviceHash === null ? keyOf(attempt) : null;
const byNetwork = (width: keyof Networks) => ofStrangers(({ networks }) => networks[width]);
const emailFrom =
  (width: keyof Networks) =>
  ({ email, networks }: SignInAttempt): string | null =>
    networks[width] && JSON.stringify([hashOf(email), networks[width]]);
const byEmailAndNetwork = (width: keyof Networks) => ofStrangers(emailFrom(width));

/**
 * Wrong sign-ins in unknown browsers: from a network, its /56, and its /48 or /24; with one email from each of these;
 * and with one email in a browser that has signed in with it. Networks come first, so a throttled network can't fill
 * memory with counters for new emails.
 * @beyond each further one waits, twice as long each time: a page with 429 and `Retry-After`
 * @heldBy tests/consent/throttle.test.ts
 */
const WRONG_SIGN_IN_LIMITS: readonly Limit<SignInAttempt>[] = [
  { attempts: 100, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: byNetwork('narrow') },
  { attempts: 200, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: byNetwork('middle') },
  { attempts: 400, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: byNetwork('wide') },
  { attempts: 5, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: byEmailAndNetwork('narrow') },
  { attempts: 10, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: byEmailAndNetwork('middle') },
  { attempts: 20, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: byEmailAndNetwork('wide') },
  {
    attempts: 5,
    windowSeconds: QUARTER_HOUR_SECONDS,
    keyOf: ({ email, deviceHash }) => deviceHash && JSON.stringify([hashOf(email), deviceHash]),
  },
];

/**
 * Wrong sign-ins with one email in unknown browsers of all networks.
 * @beyond each network waits separately before its next attempt is checked: a page with 429 and `Retry-After`
 * @heldBy tests/consent/throttle.test.ts
 */
const WRONG_EMAIL_LIMIT = {
  attempts: 20,
  windowSeconds: QUARTER_HOUR_SECONDS,
  keyOf: ofStrangers(({ email }) => hashOf(email)),
  callerOf: ({ email, networks }: SignInAttempt) => JSON.stringify([hashOf(email), networks.narrow]),
};

/**
 * Successful sign-ins in unknown browsers from a network, its /56, and its /48 or /24; and with one email from each of
 * these. Bounds the hashing work. Far more than people need, even behind one address.
 * @beyond each further one waits, twice as long each time: a page with 429 and `Retry-After`
 * @heldBy tests/consent/throttle.test.ts
 */
const RIGHT_SIGN_IN_LIMITS: readonly Limit<SignInAttempt>[] = [
  { attempts: 1000, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: byNetwork('narrow') },
  { attempts: 2000, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: byNetwork('middle') },
  { attempts: 4000, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: byNetwork('wide') },
  { attempts: 100, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: emailFrom('narrow') },
  { attempts: 200, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: emailFrom('middle') },
  { attempts: 400, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: emailFrom('wide') },
];

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
  | { readonly account: A | null; readonly accountOf: string | null }
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
  const { store, throttles, rateLimitMultiplier: multiplier } = parts;
  const wrongSignIns = { paces: WRONG_SIGN_IN_LIMITS, shared: WRONG_EMAIL_LIMIT };
  const countWrong = throttles.slowDown(`wrong-sign-ins:${kind}`, wrongSignIns, multiplier);
  const countRight = throttles.slowDown(`right-sign-ins:${kind}`, { paces: RIGHT_SIGN_IN_LIMITS }, multiplier);

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
    return { account: isRight ? account : null, accountOf: account?.id ?? null };
  };
}

export function untilClosed(res: Response): AbortSignal {
  const closed = new AbortController();
  res.once('close', () => closed.abort());
  return closed.signal;
}
