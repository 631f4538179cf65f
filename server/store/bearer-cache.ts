import { LRUCache } from 'lru-cache';
import { SECOND_MS } from '../domain/time.ts';
import { type Bearer, findBearer } from './bearers.ts';
import type { Change, WatchedTable } from './engine/changes.ts';
import { onlyPluginOf } from './engine/prepared.ts';
import type { Queries } from './schema.ts';

/**
 * Cached tokens with their application, world and passenger. One takes a few kilobytes.
 * @beyond the least recently used one is dropped, and read again when needed
 */
export const MOST_KEPT_BEARERS = 4000;
/**
 * How long a GET may use a cached token that another process has changed.
 * @beyond it is read again; changes of the same process apply at once
 */
export const LONGEST_KEPT_MS = SECOND_MS;

export type BearerCache = ReturnType<typeof newBearerCache>;

interface Kept {
  readonly bearer: Bearer;
  readonly readAt: number;
}

interface CacheSettings {
  /** Milliseconds on a monotonic clock. */
  readonly now?: (() => number) | undefined;
  readonly most?: number;
  /** Changes with each commit of another process; null if the database has no such number. */
  readonly version?: (() => number) | null;
}

export function newBearerCache({
  now = () => performance.now(),
  most = MOST_KEPT_BEARERS,
  version = null,
}: CacheSettings) {
  const kept = new LRUCache<string, Kept>({ max: most });
  let latestVersion: number | null = null;
  let versionReadAt = Number.NEGATIVE_INFINITY;
  /** Counts changes. A bearer whose read overlaps a change may be outdated. */
  let changeCount = 0;

  /** Forgets everything if another process has changed the database. */
  const compareVersions = (readVersion: () => number) => {
    if (now() - versionReadAt < LONGEST_KEPT_MS) return;
    const found = readVersion();
    if (found !== latestVersion) kept.clear();
    latestVersion = found;
    versionReadAt = now();
  };
  const isFresh = ({ readAt }: Kept) => version !== null || now() - readAt < LONGEST_KEPT_MS;

  return {
    /** Like findBearer. Sees this process's changes immediately, and another process's changes after LONGEST_KEPT_MS. */
    find: async (db: Queries, tokenHash: string): Promise<Bearer | undefined> => {
      if (onlyPluginOf(db) === undefined) return findBearer(db, tokenHash);
      if (version !== null) compareVersions(version);
      const known = kept.get(tokenHash);
      if (known !== undefined && isFresh(known)) return known.bearer;
      const [readAt, changesBefore] = [now(), changeCount];
      const bearer = await findBearer(db, tokenHash);
      // misses are not cached, so a new token works immediately
      if (bearer !== undefined && changesBefore === changeCount) kept.set(tokenHash, { bearer, readAt });
      return bearer;
    },
    forget: (changes: readonly Change[]): void => {
      changeCount += 1;
      for (const [tokenHash, { bearer }] of kept.entries()) {
        if (changes.some((change) => isOf(change, bearer))) kept.delete(tokenHash);
      }
    },
  };
}

/** The columns that identify the rows that a bearer is made of. They never change. */
const KEYS: Readonly<Record<WatchedTable, (bearer: Bearer) => Readonly<Record<string, string | null>>>> = {
  issued_tokens: ({ token }) => ({ token_hash: token.tokenHash }),
  access_grants: ({ token }) => ({
    world_id: token.worldId,
    passenger_id: token.passengerId,
    code_hash: token.codeHash,
    refresh_token_hash: token.refreshTokenHash,
  }),
  applications: ({ application }) => ({ id: application.id }),
  worlds: ({ world }) => ({ id: world.id }),
  passengers: ({ world, passenger }) => ({ world_id: world.id, id: passenger?.id ?? null }),
};

function isOf({ table, shared }: Change, bearer: Bearer): boolean {
  if (table === null) return true;
  const keys = Object.entries(KEYS[table](bearer));
  return keys.every(([column, value]) => !shared.has(column) || shared.get(column) === value);
}
