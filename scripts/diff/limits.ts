import type { Change } from './change.ts';

/** Properties that allow less when they get smaller. */
const ALLOWANCES = new Set([
  ...['limit', 'head_bytes', 'headers', 'head_seconds', 'seconds', 'steps', 'x-max-body-bytes', 'running', 'waiting'],
  ...['worlds', 'days', 'unread_seconds'],
]);

const LIMITS_OF_CALLS = new Set(['x-rate-limit', 'x-sandbox-limit', 'x-calls-at-once']);

/**
 * `redocly diff` does not know this contract's limits and table of statuses. Rates a breaking change there as major.
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
    return `The status of \`${property ?? place}\` was ${before}, and is ${after ?? 'no more'}.`;
  }
  if (property === 'bucket' && place === 'x-rate-limit')
    return `Calls count with \`${after}\`, not with \`${before}\`.`;
  if (property === undefined || typeof before !== 'number' || typeof after !== 'number') return undefined;
  const isLess = ALLOWANCES.has(property) && after < before;
  const isLonger = property === 'window_seconds' && after > before;
  return isLess || isLonger ? `\`${property}\` was ${before}, and is ${after}.` : undefined;
}
