import { Refusal } from '../refusal.ts';

/** Every scope, and whether it is granted when a request names none (RFC 6749, section 3.3). */
const GRANTED_BY_DEFAULT = {
  public: true,
  'rides.read': true,
  'rides.request': false,
  profile: false,
  offline: false,
} as const satisfies Record<string, boolean>;

export type Scope = keyof typeof GRANTED_BY_DEFAULT;

export const SCOPES = Object.keys(GRANTED_BY_DEFAULT) as Scope[];
const DEFAULT_SCOPES = SCOPES.filter((scope) => GRANTED_BY_DEFAULT[scope]);

/**
 * The scopes that a request asks for, each once, in the order of `SCOPES`.
 * @param asked separated by blanks; undefined or empty: the default ones among `allowed`
 * @param allowed what this grant can give
 * @param otherwise what is given when none is named; the default scopes unless said
 * Throws Refusal `invalid_scope` for one that is unknown or not allowed.
 */
export function scopesOf(
  asked: string | undefined,
  allowed: readonly string[],
  otherwise: readonly string[] = DEFAULT_SCOPES,
): string[] {
  const named = (asked ?? '').split(' ').filter((scope) => scope !== '');
  if (named.length === 0) return otherwise.filter((scope) => allowed.includes(scope));
  const refused = named.find((scope) => !allowed.includes(scope));
  if (refused !== undefined) {
    throw new Refusal('invalid_scope', 'A scope was asked for that cannot be given.', {
      scope: SCOPES.includes(refused as Scope) ? `${refused} cannot be given here` : 'is not known',
    });
  }
  return SCOPES.filter((scope) => named.includes(scope));
}
