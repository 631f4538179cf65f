import { createHmac } from 'node:crypto';
import type { SigningKeys } from '../signing-keys.ts';

const PREFIX = 'ridehail:';

/** The name in Redis of a key of a count. */
export type NameOf = (count: string, key: string) => string;

/**
 * Names keys by their hash, because they hold addresses, phone numbers and ids. A hash without a secret could be reversed: there are
 * few addresses and phone numbers. The secret is the database's, so installations that share a Redis share no counts.
 */
export function namesBy(signingKeys: Pick<SigningKeys, 'signing'>, prefix = PREFIX): NameOf {
  return (count, key) => {
    const hash = createHmac('sha256', signingKeys.signing().derived('counts in Redis'));
    return `${prefix}${count}:${hash.update(`${count} ${key}`).digest('base64url')}`;
  };
}
