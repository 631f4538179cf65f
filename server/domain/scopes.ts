import { Refusal } from './refusal.ts';

/** Scopes that there are, and why some of them cannot be given here: the clause of a sentence. */
export interface KnownScopes {
  readonly scopes: readonly string[];
  readonly whyNot: string;
}

/** What may stand in an error_description (RFC 6749, section 5.2), and is short enough to be read. */
const REPEATABLE = /^[!#-[\]-~]{1,40}$/;

/**
 * The scopes that a request asks for, each once, in the order of those that it may have (RFC 6749, section 3.3).
 * @param asked separated by blanks; undefined or empty: those of `otherwise` that are allowed
 * @param allowed what this grant can give
 * @param otherwise what is given when none is named
 * @param known left out: there are no others than those that are allowed
 * Throws Refusal `invalid_scope` for one that is unknown or not allowed.
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
