import { Refusal } from './refusal.ts';

/** The existing scopes, and a clause that says why some cannot be granted here. */
export interface KnownScopes {
  readonly scopes: readonly string[];
  readonly whyNot: string;
}

/**
 * Text that looks like a scope name (RFC 6749, section 5.2). Errors do not repeat an email, number or token sent as a
 * scope.
 */
const REPEATABLE = /^[a-z][a-z._:]{0,39}$/;

/**
 * The requested scopes, without duplicates, in the order of `allowed` (RFC 6749, section 3.3). Throws Refusal
 * `invalid_scope` for a scope that is unknown or not allowed.
 * @param asked separated by spaces; undefined or empty: the allowed scopes of `otherwise`
 * @param known absent: only the allowed scopes exist
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
  const whyNot = known?.scopes.includes(scope) ? known.whyNot : 'there is no scope with this name';
  const [subject, name] = REPEATABLE.test(scope) ? [`The scope ${scope}`, `${scope} `] : ['A scope', ''];
  return new Refusal(
    'invalid_scope',
    `${subject} cannot be granted: ${whyNot}. Available scopes: ${allowed.join(', ')}.`,
    { scope: `${name}cannot be granted; available: ${allowed.join(' ')}` },
  );
}
