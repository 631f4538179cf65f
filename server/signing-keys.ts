import { hkdfSync } from 'node:crypto';
import type { Audit } from './audit.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from './domain/time.ts';
import type { Store } from './store/engine/open.ts';
import type { SigningKeyRow } from './store/schema.ts';
import { deleteSigningKeysBefore, insertSigningKeyIfAbsent, listSigningKeys } from './store/signing-keys.ts';

/** A key signs for this long, and stays valid as long again. Real time, even for tokens of a frozen world. */
export const KEY_SIGNS_MS = 30 * DAY_MS;
/** A new key does not sign until every process has had time to read it. */
export const KEY_WAITS_MS = 5 * MINUTE_MS;
/** The latest key and the previous one are valid. */
const VALID_KEYS = 2;
/**
 * Time between two reads of the signing keys because of tokens that no key opens.
 * @beyond the token is rejected with the known keys
 * @heldBy tests/http/price-tokens.test.ts
 */
const MOST_OFTEN_READ_MS = SECOND_MS;
const KEY_BYTES = 32;

export interface SigningKey {
  /** From 1, without gaps. */
  readonly number: number;
  /** Derives a key for a single purpose: a signature for one purpose is never valid for another. */
  derived(use: string): Buffer;
}

/** The keys of the installation, shared by all processes on its database. */
export type SigningKeys = Awaited<ReturnType<typeof openSigningKeys>>;

interface KeyParts {
  readonly store: Pick<Store, 'db'>;
  /** Real time, in milliseconds UTC. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly audit: Audit;
}

/** Reads a database's keys, and creates the first one if there is none. */
export async function openSigningKeys({ store, now, randomBytes, audit }: KeyParts) {
  let known: readonly KnownKey[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  const makeNextIfDue = async (latest: SigningKeyRow | undefined) => {
    if (latest !== undefined && now() < latest.madeAt + KEY_SIGNS_MS) return;
    const value = Buffer.from(randomBytes(KEY_BYTES)).toString('base64url');
    const number = (latest?.number ?? 0) + 1;
    const isAdded = await insertSigningKeyIfAbsent(store.db, { number, value, madeAt: now() });
    if (isAdded) audit({ event: 'signing_key_added', result: 'succeeded', key: number });
  };
  const read = async () => {
    const [latest] = await listSigningKeys(store.db);
    await makeNextIfDue(latest);
    const rows = await listSigningKeys(store.db);
    const oldestValid = rows[VALID_KEYS - 1];
    if (rows.length > VALID_KEYS) await deleteSigningKeysBefore(store.db, oldestValid!.number);
    // keeps a known key, so that its derived keys stay cached
    const keyOf = (row: SigningKeyRow) => known.find(({ value }) => value === row.value) ?? keyFrom(row);
    known = rows.slice(0, VALID_KEYS).map(keyOf);
    readAt = now();
  };

  /** The valid keys, starting with the current signing key. */
  const valid = (): readonly SigningKey[] => {
    const [latest, before] = known;
    const waits = before !== undefined && now() < latest!.madeAt + KEY_WAITS_MS;
    return waits ? [before, latest!] : known;
  };
  /** Reads the keys, and creates the next one when it is due. All processes read the one that the first creates. */
  const refresh = (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  };
  await refresh();
  return {
    signing: (): SigningKey => valid()[0]!,
    valid,
    refresh,
    /** The same, unless it ran within the last second. For tokens that no known key opens. */
    refreshAfterFailure: async (): Promise<void> => {
      if (reading !== null || now() - readAt >= MOST_OFTEN_READ_MS) await refresh();
    },
  };
}

type KnownKey = SigningKey & Readonly<Pick<SigningKeyRow, 'value' | 'madeAt'>>;

function keyFrom({ number, value, madeAt }: SigningKeyRow): KnownKey {
  const secret = Buffer.from(value, 'base64url');
  const cache = new Map<string, Buffer>();
  const derived = (use: string) => {
    const found = cache.get(use);
    if (found !== undefined) return found;
    const key = Buffer.from(hkdfSync('sha256', secret, '', use, KEY_BYTES));
    cache.set(use, key);
    return key;
  };
  return { number, value, madeAt, derived };
}
