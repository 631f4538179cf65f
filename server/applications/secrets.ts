import type { Application, Environment } from '../domain/application.ts';
import { Refusal } from '../domain/refusal.ts';
import { DAY_MS, HOUR_MS } from '../domain/time.ts';
import { hashOf, newToken } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import { replaceSecret } from '../store/applications.ts';
import { type By, holdOwn, note } from './by.ts';

/** The longest time that a secret stays valid beside the one that follows it. */
const MOST_OVERLAP_HOURS = DAY_MS / HOUR_MS;

/** Clients of the original API tell the two secrets apart by this. */
const SANDBOX_PREFIX = 'SANDBOX-';

export function newSecret(environment: Environment, randomBytes: Parts['randomBytes']): string {
  return `${environment === 'sandbox' ? SANDBOX_PREFIX : ''}${newToken(randomBytes)}`;
}

/** A secret that nobody can show again, and the key of the webhooks of its environment, which changed with it. */
export interface Rotated {
  readonly secret: string;
  readonly verificationToken: string;
  /** Until when the secret before it is valid, real milliseconds UTC; null: it has ended. */
  readonly previousEndsAt: number | null;
}

/**
 * Replaces a secret. The one before it may stay valid for a while; one that was replaced earlier ends. The verification
 * token changes at once.
 * @param overlapHours how long the secret before stays valid, 0 to 24
 * @param madeAt of the secret that is to be replaced; absent: whichever it is
 * @returns null if another one is there by now: a form was sent again. Throws Refusal `bad_parameter` and `not_found`.
 */
export async function rotateSecret(
  { store, randomBytes }: Pick<Parts, 'store' | 'randomBytes'>,
  by: By,
  id: string,
  {
    environment,
    overlapHours,
    madeAt,
  }: { readonly environment: Environment; readonly overlapHours: number; readonly madeAt?: number },
): Promise<Rotated | null> {
  if (!(overlapHours >= 0 && overlapHours <= MOST_OVERLAP_HOURS)) {
    const problem = `must be a number of hours from 0 to ${MOST_OVERLAP_HOURS}`;
    throw new Refusal('bad_parameter', `The overlap ${problem}.`, { overlap_hours: problem });
  }
  const secret = newSecret(environment, randomBytes);
  const verificationToken = newToken(randomBytes);
  const previousEndsAt = overlapHours === 0 ? null : by.realNow + Math.round(overlapHours * HOUR_MS);
  const isReplaced = await store.transaction(async (tx) => {
    const application = await holdOwn(tx, id, by);
    if (madeAt !== undefined && madeAt !== secretMadeAt(application, environment)) return false;
    await replaceSecret(tx, id, environment, { hash: hashOf(secret), previousEndsAt, verificationToken }, by.realNow);
    await note(tx, id, by, { action: 'secret_rotated', detail: environment });
    return true;
  });
  if (!isReplaced) return null;
  by.audit({ event: 'secret_rotated', result: environment, application: id, developer: by.developerId });
  return { secret, verificationToken, previousEndsAt };
}

/** When a secret was made, real milliseconds UTC. It tells one secret from the next. */
export function secretMadeAt(
  { liveSecretMadeAt, sandboxSecretMadeAt }: Pick<Application, 'liveSecretMadeAt' | 'sandboxSecretMadeAt'>,
  environment: Environment,
): number {
  return environment === 'live' ? liveSecretMadeAt : sandboxSecretMadeAt;
}
