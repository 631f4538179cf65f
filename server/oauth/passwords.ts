import { availableParallelism } from 'node:os';
import { hash, type Options, verify } from '@node-rs/argon2';
import { type Asking, newHashQueue } from './hash-queue.ts';

/** The size of libuv's thread pool. Argon2 runs there, and so do files, DNS and compression. */
const THREADS = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
/**
 * Passwords hashed at once: half of the cores, or of libuv's threads if these are fewer. Each hash occupies a core and
 * much memory bandwidth. The other half stays free for requests, files and the database.
 * @beyond further ones wait
 */
export const MOST_HASHES_AT_ONCE = Math.max(1, Math.floor(Math.min(availableParallelism(), THREADS) / 2));
/**
 * Passwords that wait to be hashed. A hash takes about 20 ms, so the last one waits well under a second, even on one
 * core.
 * @beyond a page with 503 and `Retry-After`, for the newest one of the network with the most in the queue
 */
export const MOST_WAITING_HASHES = 16;
/** Shared by the whole process, because all hashes share its cores. */
const inTurn = newHashQueue(MOST_HASHES_AT_ONCE, MOST_WAITING_HASHES);

/**
 * Argon2id (the library's default), with the first cost recommended in the OWASP Password Storage Cheat Sheet: two
 * passes over 19,456 KiB of memory.
 */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of 32 discarded random bytes: no password matches it, and verifying it costs as much as a real one. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$hyOjTrmqMldeKA9hJepUow$n1BJdLnplVDFS9MkrOVacukif9Fr4VK3vFgX+V8y1Po';

/** The Argon2id hash to store (RFC 9106). Throws Refusal `temporarily_unavailable` if too many hashes wait already. */
export function hashPassword(password: string, asking?: Asking): Promise<string> {
  return inTurn(() => hash(normalized(password), COST), asking);
}

/**
 * Whether a password matches the stored hash. False without an account (undefined) or an Argon2 hash, but as slowly as
 * for a wrong password, so that the time does not reveal which accounts exist.
 */
export function isPassword(password: string, stored: string | undefined, asking?: Asking): Promise<boolean> {
  return inTurn(() => matches(normalized(password), stored), asking);
}

async function matches(typed: string, stored: string | undefined): Promise<boolean> {
  try {
    if (stored !== undefined) return await verify(stored, typed);
  } catch {
    // an unreadable hash matches no password
  }
  await verify(NOBODYS_HASH, typed);
  return false;
}

/** Unifies characters that keyboards compose differently (NIST SP 800-63B-3, section 5.1.1.2). */
function normalized(password: string): string {
  return password.normalize('NFKC');
}
