import { hash, type Options, verify } from '@node-rs/argon2';

/** Argon2id (the library's default), at the first cost in the OWASP Password Storage Cheat Sheet. */
const COST: Options = {
  /** KiB. */
  memoryCost: 19_456,
  /** Passes over that memory. */
  timeCost: 2,
  parallelism: 1,
};

/** The hash of 32 discarded random bytes. No password matches it, and verifying costs as much as for a real account. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$hyOjTrmqMldeKA9hJepUow$n1BJdLnplVDFS9MkrOVacukif9Fr4VK3vFgX+V8y1Po';

/** What to store: the Argon2id hash (RFC 9106) with salt and cost, as one text. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalized(password), COST);
}

/**
 * Whether a password matches the stored hash. False without an account (undefined) or an Argon2 hash; that takes as
 * long as a wrong password, so that the time does not reveal which accounts exist.
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const typed = normalized(password);
  try {
    if (stored !== undefined) return await verify(stored, typed);
  } catch {
    // an unreadable hash matches no password
  }
  await verify(NOBODYS_HASH, typed);
  return false;
}

/** Makes characters equal that keyboards compose differently (NIST SP 800-63B-3, section 5.1.1.2). */
function normalized(password: string): string {
  return password.normalize('NFKC');
}
