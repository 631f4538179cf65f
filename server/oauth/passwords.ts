import { hash, type Options, verify } from '@node-rs/argon2';

/** Argon2id, the library's default, at the cost that the OWASP Password Storage Cheat Sheet names first. */
const COST: Options = {
  /** KiB. */
  memoryCost: 19_456,
  /** Passes over that memory. */
  timeCost: 2,
  parallelism: 1,
};

/** Of 32 random bytes that nobody has kept: no password fits, and trying one costs what a real account's would. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$hyOjTrmqMldeKA9hJepUow$n1BJdLnplVDFS9MkrOVacukif9Fr4VK3vFgX+V8y1Po';

/** What is stored of a password: its Argon2id hash (RFC 9106) with salt and cost, as one text. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalized(password), COST);
}

/**
 * Whether a password is the one that was hashed. It takes as long when there is no account (undefined) or what is stored is no
 * hash of Argon2, and says false then: the time tells nobody which accounts exist.
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const typed = normalized(password);
  try {
    if (stored !== undefined) return await verify(stored, typed);
  } catch {
    // what cannot be read as a hash is the password of nobody
  }
  await verify(NOBODYS_HASH, typed);
  return false;
}

/** The same characters, however a keyboard composed them (NIST SP 800-63B-3, section 5.1.1.2). */
function normalized(password: string): string {
  return password.normalize('NFKC');
}
