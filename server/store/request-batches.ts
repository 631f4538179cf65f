import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { LoggedBodies, LoggedRequest, RequestsOf } from '../domain/logged-request.ts';
import { listOfColumn } from './engine/dialect.ts';
import type { Queries, RequestBatchRow, Tx } from './schema.ts';

/**
 * Slots for the requests of an application. A request takes up one, or as many as its packed bodies need.
 * @beyond the oldest requests are deleted, some 250 at a time
 * @heldBy tests/store/request-batches.test.ts
 */
export const MOST_REQUEST_SLOTS = 10_000;
/** Characters of packed requests in a slot, so that the requests of an application take up at most 5 MB. */
const SLOT_CHARACTERS = 512;
/** How many more slots can be in use, so that not every batch deletes rows. */
const SLOTS_DELETED_AT_ONCE = 250;
/** Batches that a statement reads. */
const BATCHES_READ_AT_ONCE = 50;
/** Requests that are unpacked in a turn of the event loop. */
const UNPACKED_IN_A_TURN = 500;
/** As many as unpacking a batch costs, even if it has one. */
const LEAST_OF_A_BATCH = 25;

export type PackedBatch = Omit<RequestBatchRow, 'number'> & { readonly slots: number };

/** Where a request is, counted from 0 in its batch. */
export interface RequestPlace {
  readonly number: number;
  readonly index: number;
}

export interface PlacedRequest {
  readonly place: RequestPlace;
  readonly request: LoggedRequest;
}

/** Whose requests to read, since when in real milliseconds UTC. */
export type Readable = RequestsOf & { readonly since: number };

/** @param bodies of each request, in the same order; null: none is kept */
export function packBatch(
  of: RequestsOf,
  requests: readonly LoggedRequest[],
  bodies: readonly (LoggedBodies | null)[],
): PackedBatch {
  const packed = {
    requests: pack(JSON.stringify(requests.map(valuesOf))),
    bodies: bodies.some(Boolean) ? pack(bodies.map(textOf).join('')) : null,
  };
  const characters = packed.requests.length + (packed.bodies?.length ?? 0);
  const slots = Math.max(requests.length, Math.ceil(characters / SLOT_CHARACTERS));
  return { ...of, ...packed, endedAt: requests.at(-1)!.at, slots };
}

/** A window as long as a batch, because Brotli prepares all of it. */
const FAST = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 16 };

// Brotli, because its quality 1 takes less than half the time of deflate's level 1, for fewer bytes
function pack(text: string): string {
  return brotliCompressSync(text, { params: FAST }).toString('base64');
}

function unpack(text: string): string {
  return brotliDecompressSync(Buffer.from(text, 'base64')).toString();
}

// a list takes half the time of an object
function valuesOf(request: LoggedRequest) {
  const { id, at, ms, method, path, status, error, scopes, worldId, scenario } = request;
  return [id, at, ms, method, path, status, error, scopes, worldId, scenario] as const;
}

function requestsIn(packed: string): LoggedRequest[] {
  const lists: ReturnType<typeof valuesOf>[] = JSON.parse(unpack(packed));
  return lists.map(([id, at, ms, method, path, status, error, scopes, worldId, scenario]) => {
    return { id, at, ms, method, path, status, error, scopes, worldId, scenario };
  });
}

/** JSON texts contain no control characters, so this one ends each body without further escapes. */
const END = '\u0001';
const textOf = (bodies: LoggedBodies | null) => `${bodies?.[0] ?? ''}${END}${bodies?.[1] ?? ''}${END}`;

function bodiesAt(packed: string, index: number): LoggedBodies {
  const [request, response] = unpack(packed)
    .split(END)
    .slice(2 * index);
  return [request || null, response || null];
}

/** Omits batches whose application was deleted or got another owner meanwhile. Deletes what is beyond the limit. */
export async function insertRequestBatches(tx: Tx, batches: readonly PackedBatch[]): Promise<void> {
  const inserted: RequestBatchRow[] = [];
  const ends: { readonly id: string; readonly end: number }[] = [];
  const found = await tx
    .selectFrom('applications')
    .select(['id', 'developerId'])
    .select((row) => {
      const own = row.selectFrom('requestBatches').whereRef('applicationId', '=', 'applications.id');
      return [
        own.select('number').orderBy('number', 'desc').limit(1).as('latest'),
        own.select('number').orderBy('number').limit(1).as('oldest'),
      ];
    })
    .where('id', 'in', listOfColumn(tx, batches, 'applicationId'))
    .orderBy('id')
    .execute();
  for (const { id, developerId, latest, oldest } of found) {
    let number = latest ?? 0;
    const own = batches.filter((batch) => batch.applicationId === id && batch.developerId === developerId);
    const rows = own.map(({ slots, ...batch }): RequestBatchRow => {
      number += slots;
      return { ...batch, number };
    });
    inserted.push(...rows);
    const end = number - MOST_REQUEST_SLOTS;
    if (oldest !== null && oldest <= end - SLOTS_DELETED_AT_ONCE) ends.push({ id, end });
  }
  // another server can insert the same number: then the transaction runs again
  if (inserted.length > 0) await tx.insertInto('requestBatches').values(inserted).execute();
  for (const { id, end } of ends)
    await tx.deleteFrom('requestBatches').where('applicationId', '=', id).where('number', '<=', end).execute();
}

/** Latest first. Unpacks a limited number in a turn. */
async function* loggedRequests(
  db: Queries,
  { applicationId, developerId, since }: Readable,
  { before, nextTurn }: Pick<Search, 'before' | 'nextTurn'>,
): AsyncGenerator<PlacedRequest> {
  let from = before ?? { number: Number.MAX_SAFE_INTEGER, index: 0 };
  let unpacked = 0;
  for (;;) {
    const rows = await db
      .selectFrom('requestBatches')
      .select(['number', 'requests', 'endedAt'])
      .where('applicationId', '=', applicationId)
      .where('number', '<=', from.number)
      .where('developerId', '=', developerId)
      .orderBy('number', 'desc')
      .limit(BATCHES_READ_AT_ONCE)
      .execute();
    for (const { number, requests, endedAt } of rows) {
      if (endedAt <= since) return;
      const list = requestsIn(requests);
      const end = number === from.number ? Math.min(from.index, list.length) : list.length;
      for (let index = end - 1; index >= 0; index--) yield { place: { number, index }, request: list[index]! };
      unpacked += Math.max(list.length, LEAST_OF_A_BATCH);
      if (unpacked < UNPACKED_IN_A_TURN) continue;
      unpacked = 0;
      await nextTurn();
    }
    if (rows.length < BATCHES_READ_AT_ONCE) return;
    from = { number: rows.at(-1)!.number, index: 0 };
  }
}

/**
 * The latest requests that match, for a page. Reads at most all that the application has.
 * @returns `next`: where the next page begins; null: there are no more
 */
export async function findRequests(
  db: Queries,
  of: Readable,
  { limit, matches, ...search }: Search,
): Promise<{ readonly found: readonly PlacedRequest[]; readonly next: RequestPlace | null }> {
  const found: PlacedRequest[] = [];
  for await (const placed of loggedRequests(db, of, search)) {
    if (!matches(placed.request)) continue;
    if (found.length === limit) return { found, next: found.at(-1)!.place };
    found.push(placed);
  }
  return { found, next: null };
}

interface Search {
  /** Null: from the latest one. */
  readonly before: RequestPlace | null;
  /** Waits for a later turn of the event loop. Shared by all searches: otherwise, each would take its part of one turn. */
  readonly nextTurn: () => Promise<void>;
  readonly limit: number;
  readonly matches: (request: LoggedRequest) => boolean;
}

/** A request with its bodies. */
export async function requestAt(db: Queries, { applicationId, developerId, since }: Readable, place: RequestPlace) {
  const row = await db
    .selectFrom('requestBatches')
    .select(['requests', 'bodies'])
    .where('applicationId', '=', applicationId)
    .where('number', '=', place.number)
    .where('developerId', '=', developerId)
    .where('endedAt', '>', since)
    .executeTakeFirst();
  const request = row && requestsIn(row.requests)[place.index];
  if (request === undefined) return undefined;
  const { bodies } = row!;
  return { request, bodies: bodies === null ? ([null, null] as const) : bodiesAt(bodies, place.index) };
}
