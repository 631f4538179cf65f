import type { Passenger } from '../domain/passenger.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import type { Visitor } from '../http/caller.ts';
import { isPassword } from '../oauth/passwords.ts';
import type { Parts } from '../parts.ts';
import { findDevices } from '../store/devices.ts';
import { findPassengerByEmail } from '../store/passengers.ts';
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
 * audit trail alone gets `accountOf`: the id of the passenger with this email.
 */
type Checked =
  | { readonly passenger: Passenger; readonly accountOf: string }
  | { readonly passenger: null; readonly accountOf: string | null }
  | { readonly waitSeconds: number };

export type PasswordCheck = (claim: Claim) => Promise<Checked>;

/**
 * Checks passwords, slowed down as is due. A server makes one, for all pages that ask for a password: each counts the
 * tries of the others too. A wrong email takes as many hashes as a wrong password, and the same answer. The check throws
 * Refusal `temporarily_unavailable` if too many wait for their turn, and then the try does not count.
 */
export function passwordCheck({
  store,
  rateLimitMultiplier,
  refusedPassengers,
}: Pick<Parts, 'store' | 'rateLimitMultiplier' | 'refusedPassengers'>): PasswordCheck {
  const countWrong = wrongSignInThrottle(rateLimitMultiplier);
  const countRight = rightSignInThrottle(rateLimitMultiplier);

  const passengerOf = async (email: string) => {
    const passenger = await findPassengerByEmail(store.db, LIVE_WORLD.id, email);
    return passenger && !refusedPassengers.has(passenger.id) ? passenger : null;
  };
  /** The hash of a device that this passenger signed in with; null for any other. */
  const knownDevice = async ({ deviceHashes, realNow }: Visitor, passenger: Passenger | null) => {
    // looked up for an unknown email too, so that both take as long
    const devices = await findDevices(store.db, deviceHashes);
    const own = devices.find(({ passengerId, expiresAt }) => passengerId === passenger?.id && expiresAt > realNow);
    return own?.tokenHash ?? null;
  };

  return async ({ email: typed, password, visitor, signal }) => {
    const email = typed.trim().toLowerCase();
    const { networks } = visitor;
    const passenger = await passengerOf(email);
    const attempt = { email, networks, deviceHash: await knownDevice(visitor, passenger) };
    const wrong = countWrong(attempt);
    if ('waitSeconds' in wrong) return wrong;
    const right = countRight(attempt);
    if ('waitSeconds' in right) {
      wrong.takeBack();
      return right;
    }
    const asking = { line: networks.wide, signal };
    const isRight = await isPassword(password, passenger?.passwordHash, asking).catch((error: unknown) => {
      // nothing was tried
      wrong.takeBack();
      right.takeBack();
      throw error;
    });
    (isRight ? wrong : right).takeBack();
    return isRight && passenger !== null
      ? { passenger, accountOf: passenger.id }
      : { passenger: null, accountOf: passenger?.id ?? null };
  };
}
