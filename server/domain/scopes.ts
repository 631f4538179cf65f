import { Refusal } from './refusal.ts';

/** The scopes that exist, and a clause that says why some of them cannot be granted here. */
export interface KnownScopes {
  readonly scopes: readonly string[];
  readonly whyNot: string;
}

/** What looks like the name of a scope (RFC 6749, section 5.2). An email, a number or a token sent as one is not repeated. */
const REPEATABLE = /^[a-z][a-z._:]{0,39}$/;

/**
 * The scopes that a request asks for, without duplicates, in the order of `allowed` (RFC 6749, section 3.3). Throws
 * Refusal `invalid_scope` for a scope that is unknown or not allowed.
 * @param asked separated by spaces; undefined or empty: the scopes of `otherwise` that are allowed
 * @param allowed the scopes that this grant can give
 * @param otherwise the default scopes
 * @param known absent: no scopes exist besides the allowed ones
 */
export function scopesOf(
  asked: string | undefined,
  allowed: readonly string[],
  otherwise: readonly string[],
  known?: KnownScopes,
): string[] {
  const named = (asked ?? '').split(' ').filter((scope) => scope !== '');
  if (named.length === 0) return allowed.filter((scope) => otherwise.includes(scope));
  const refused = named.find((scope) => !allowed.includes(scope));
  if (refused !== undefined) throw refusalOf(refused, allowed, known);
  return allowed.filter((scope) => named.includes(scope));
}

function refusalOf(scope: string, allowed: readonly string[], known?: KnownScopes): Refusal {
  const whyNot = known?.scopes.includes(scope) ? known.whyNot : 'there is no scope of that name';
  const [subject, name] = REPEATABLE.test(scope) ? [`The scope ${scope}`, `${scope} `] : ['A scope', ''];
  return new Refusal(
    'invalid_scope',
    `${subject} cannot be given: ${whyNot}. What can be given: ${allowed.join(', ')}.`,
    { scope: `${name}cannot be given; ${allowed.join(' ')} can` },
  );
}
