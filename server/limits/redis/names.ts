import { createHmac } from 'node:crypto';
import type { SigningKeys } from '../../signing-keys.ts';

const PREFIX = 'ridehail:';

/** The Redis key for a key of a count. */
export type NameOf = (count: string, key: string) => string;

/**
 * Hashes keys, because they contain addresses, phone numbers and ids. An unkeyed hash could be reversed: there are few
 * addresses and phone numbers. The secret comes from the database, so installations that share a Redis do not share
 * counts.
 */
export function namesBy(signingKeys: Pick<SigningKeys, 'signing'>, prefix = PREFIX): NameOf {
  return (count, key) => {
    const hash = createHmac('sha256', signingKeys.signing().derived('counts in Redis'));
    return `${prefix}${count}:${hash.update(`${count} ${key}`).digest('base64url')}`;
  };
}
