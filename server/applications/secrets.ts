import { type Environment, FIELDS } from '../domain/application.ts';
import { Refusal } from '../domain/refusal.ts';
import { DAY_MS, HOUR_MS } from '../domain/time.ts';
import { hashOf, newToken } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import { replaceSecret } from '../store/application-keys.ts';
import { type By, changeOwn } from './by.ts';
import { note } from './log.ts';

/**
 * How long a replaced secret can stay valid.
 * @beyond `bad_parameter`; the portal offers no more
 * @heldBy tests/portal/applications.test.ts
 */
const MOST_OVERLAP_HOURS = DAY_MS / HOUR_MS;

/** Clients of the original API use this prefix to recognize a sandbox secret. */
const SANDBOX_PREFIX = 'SANDBOX-';

export function newSecret(environment: Environment, randomBytes: Parts['randomBytes']): string {
  return `${environment === 'sandbox' ? SANDBOX_PREFIX : ''}${newToken(randomBytes)}`;
}

/** A secret that cannot be shown again. The webhook key of its environment changed with it. */
export interface Rotated {
  readonly secret: string;
  readonly verificationToken: string;
  /** When the previous secret expires, in real milliseconds UTC; null: it has already ended. */
  readonly previousEndsAt: number | null;
}

/**
 * Replaces a secret. The previous secret can stay valid for a while; one replaced earlier ends. The verification token
 * changes immediately.
 * @param overlapHours how long the previous secret stays valid, 0 to 24
 * @param madeAt creation time of the secret to replace, which identifies it; absent: any
 * @returns null if that secret was already replaced, because a form was submitted twice. Throws Refusal `bad_parameter`
 *   and `not_found`.
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
  const isReplaced = await changeOwn(store, by, id, async (tx, application) => {
    if (madeAt !== undefined && madeAt !== application[FIELDS[environment].secretMadeAt]) return false;
    await replaceSecret(tx, id, environment, { hash: hashOf(secret), previousEndsAt, verificationToken }, by.realNow);
    await note(tx, id, by, { action: 'secret_rotated', detail: environment });
    return true;
  });
  if (!isReplaced) return null;
  by.audit({ event: 'secret_rotated', result: environment, application: id, developer: by.developerId });
  return { secret, verificationToken, previousEndsAt };
}
