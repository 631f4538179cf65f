import type { Change } from './change.ts';

/** Properties whose decrease is a breaking change. */
const ALLOWANCES = new Set([
  ...['limit', 'head_bytes', 'headers', 'head_seconds', 'seconds', 'steps', 'x-max-body-bytes', 'running', 'waiting'],
  ...['worlds', 'days', 'passengers', 'rides', 'events', 'bytes', 'access_tokens', 'consents', 'unread_seconds'],
]);

const LIMITS_OF_CALLS = new Set([
  'x-rate-limit',
  'x-sandbox-limit',
  'x-calls-at-once',
  'x-grant-rate-limits',
  'client_credentials',
]);

/**
 * Rates breaking changes of limits and of the status table as major, because `redocly diff` does not know these
 * extensions.
 */
export function withLimitsRated(change: Change): Change {
  const message = narrowing(change);
  return message === undefined ? change : { ...change, impact: 'major', verdicts: [{ message }] };
}

function narrowing({ path, kind, property, base, revision }: Change): string | undefined {
  const [before, after] = [base?.value, revision?.value];
  const place = path.split('/').at(-1)!;
  if (LIMITS_OF_CALLS.has(place) && kind === 'added') return 'A limit on calls was added.';
  if (place === 'x-failures' && (kind !== 'added' || property !== undefined) && before !== undefined) {
    return `The status of \`${property ?? place}\` was ${before} and is now ${after ?? 'removed'}.`;
  }
  if (property === 'bucket' && place === 'x-rate-limit')
    return `Calls count with \`${after}\`, not with \`${before}\`.`;
  if (property === undefined || typeof before !== 'number' || typeof after !== 'number') return undefined;
  const isLess = ALLOWANCES.has(property) && after < before;
  const isLonger = property === 'window_seconds' && after > before;
  return isLess || isLonger ? `\`${property}\` was ${before} and is now ${after}.` : undefined;
}
