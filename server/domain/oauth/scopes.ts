import { Refusal } from '../refusal.ts';

/**
 * The scopes that a request asks for, each once, in the order of those that it may have (RFC 6749, section 3.3).
 * @param asked separated by blanks; undefined or empty: those of `otherwise` that are allowed
 * @param allowed what this grant can give
 * @param otherwise what is given when none is named
 * Throws Refusal `invalid_scope` for one that is unknown or not allowed.
 */
export function scopesOf(
  asked: string | undefined,
  allowed: readonly string[],
  otherwise: readonly string[],
): string[] {
  const named = (asked ?? '').split(' ').filter((scope) => scope !== '');
  if (named.length === 0) return allowed.filter((scope) => otherwise.includes(scope));
  if (!named.every((scope) => allowed.includes(scope))) {
    throw new Refusal('invalid_scope', 'A scope was asked for that cannot be given.', {
      scope: `must be of: ${allowed.join(' ')}`,
    });
  }
  return allowed.filter((scope) => named.includes(scope));
}
