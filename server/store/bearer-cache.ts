import { LRUCache } from 'lru-cache';
import { SECOND_MS } from '../domain/time.ts';
import { type Bearer, findBearer } from './bearers.ts';
import type { Change, WatchedTable } from './changes.ts';
import { onlyPluginOf } from './prepared.ts';
import type { Queries } from './schema.ts';

/** Some kilobytes each. */
export const MOST_KEPT_BEARERS = 4000;
/** How long what another process changed may stay unseen here. */
export const LONGEST_KEPT_MS = SECOND_MS;

/** The latest bearers, in memory. */
export interface BearerCache {
  /**
   * As findBearer. What this process changed is seen at once, and what another process changed after LONGEST_KEPT_MS.
   */
  find(db: Queries, tokenHash: string): Promise<Bearer | undefined>;
  /** Forgets the bearers that were changed. */
  forget(changes: readonly Change[]): void;
}

interface Kept {
  readonly bearer: Bearer;
  /** When the database was asked for it. */
  readonly readAt: number;
}

interface CacheSettings {
  /** Milliseconds on any clock that never goes back. */
  readonly now?: (() => number) | undefined;
  readonly most?: number;
  /** Changes with each commit of another process; null if the database has no such number. */
  readonly version?: (() => number) | null;
}

export function newBearerCache({
  now = () => performance.now(),
  most = MOST_KEPT_BEARERS,
  version = null,
}: CacheSettings): BearerCache {
  const kept = new LRUCache<string, Kept>({ max: most });
  let latestVersion: number | null = null;
  let versionReadAt = Number.NEGATIVE_INFINITY;
  /** How many changes there were. A bearer that was read during one may be from before it. */
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
    find: async (db, tokenHash) => {
      if (onlyPluginOf(db) === undefined) return findBearer(db, tokenHash);
      if (version !== null) compareVersions(version);
      const known = kept.get(tokenHash);
      if (known !== undefined && isFresh(known)) return known.bearer;
      const [readAt, changesBefore] = [now(), changeCount];
      const bearer = await findBearer(db, tokenHash);
      // an absent one is not kept, so a new token needs no change
      if (bearer !== undefined && changesBefore === changeCount) kept.set(tokenHash, { bearer, readAt });
      return bearer;
    },
    forget: (changes) => {
      changeCount += 1;
      if (changes.some(({ keys }) => keys.size === 0)) return kept.clear();
      for (const [tokenHash, { bearer }] of kept.entries()) {
        if (changes.some((change) => isOf(change, bearer))) kept.delete(tokenHash);
      }
    },
  };
}

/** What the rows of a bearer have in their keys. */
const KEYS: Readonly<Record<WatchedTable, (bearer: Bearer) => Readonly<Record<string, string | null>>>> = {
  access_tokens: ({ token }) => ({
    token_hash: token.tokenHash,
    passenger_id: token.passengerId,
    code_hash: token.codeHash,
    refresh_token_hash: token.refreshTokenHash,
  }),
  applications: ({ application }) => ({ id: application.id }),
  worlds: ({ world }) => ({ id: world.id }),
  passengers: ({ world, passenger }) => ({ world_id: world.id, id: passenger?.id ?? null }),
};

function isOf({ table, keys }: Change, bearer: Bearer): boolean {
  if (table === null) return true;
  const own = KEYS[table](bearer);
  return [...keys].every(([column, value]) => own[column] === value);
}
