import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LoggedBodies, LoggedRequest, RequestsOf } from '../domain/logged-request.ts';
import { SECOND_MS } from '../domain/time.ts';
import type { ArrivedRequest, Parts, RequestRecorder } from '../parts.ts';
import { insertRequestBatches, type PackedBatch, packBatch } from '../store/request-batches.ts';

/** How long requests wait for others of their application, to share a row. */
const WRITTEN_EVERY_MS = SECOND_MS;
/**
 * Requests in a row. Packing them takes a few milliseconds, in which the server does nothing else.
 * @beyond the next one begins another row
 * @heldBy tests/store/request-batches.test.ts
 */
export const MOST_REQUESTS_IN_A_BATCH = 500;
/**
 * Characters of all requests that wait to be written.
 * @beyond the waiting requests of the application that sends one more are dropped and counted
 * @heldBy tests/store/request-batches.test.ts
 */
export const MOST_WAITING_CHARACTERS = 16_000_000;
/**
 * Characters of bodies in a row, which take longer to pack than everything else.
 * @beyond the row has its further requests without bodies
 * @heldBy tests/store/request-batches.test.ts
 */
export const MOST_BODY_CHARACTERS_IN_A_BATCH = 32_000;
/**
 * The same of all rows that are written together, so that many busy sandboxes do not slow down their calls.
 * @beyond further requests have no bodies
 * @heldBy tests/store/request-batches.test.ts
 */
export const MOST_BODY_CHARACTERS_AT_ONCE = 128_000;
/** Batches that one transaction writes. SQLite runs nothing else meanwhile. */
const BATCHES_WRITTEN_AT_ONCE = 50;
/** The characters of a request without its path and bodies. */
const OTHER_CHARACTERS = 200;

interface Batch {
  readonly of: RequestsOf;
  requests: ArrivedRequest[];
  bodies: (LoggedBodies | null)[];
  characters: number;
  bodyCharacters: number;
}

function written(request: ArrivedRequest): LoggedRequest {
  request.path = request.pathOf(request.path);
  return request;
}

type RecorderParts = Pick<Parts, 'store' | 'logger' | 'meter'>;

/** Collects the requests of applications. `write` stores them; call it again only when it has ended. */
export function newRequestRecorder({
  store,
  logger,
  meter,
}: RecorderParts): RequestRecorder & { write(): Promise<void> } {
  const open = new Map<string, Batch>();
  let batches: Batch[] = [];
  let waiting = 0;
  let waitingOfBodies = 0;

  const begin = (of: RequestsOf): Batch => {
    const batch = { of, requests: [], bodies: [], characters: 0, bodyCharacters: 0 };
    open.set(of.applicationId, batch);
    batches.push(batch);
    return batch;
  };
  const empty = (batch: Batch) => {
    waiting -= batch.characters;
    Object.assign(batch, { requests: [], bodies: [], characters: 0, bodyCharacters: 0 });
  };
  const write = async () => {
    const full = batches;
    batches = [];
    waitingOfBodies = 0;
    open.clear();
    for (let i = 0; i < full.length; i += BATCHES_WRITTEN_AT_ONCE) {
      const some = full.slice(i, i + BATCHES_WRITTEN_AT_ONCE).filter(({ requests }) => requests.length > 0);
      try {
        let inATurn = 0;
        const packed: PackedBatch[] = [];
        for (const { of, requests, bodies } of some) {
          packed.push(packBatch(of, requests.map(written), bodies));
          inATurn += requests.length;
          if (inATurn < MOST_REQUESTS_IN_A_BATCH) continue;
          await nextTurn();
          inATurn = 0;
        }
        if (packed.length > 0) await store.transaction((tx) => insertRequestBatches(tx, packed));
      } catch (error) {
        meter?.droppedRequests(some.reduce((sum, { requests }) => sum + requests.length, 0));
        logger.warn({ err: error }, 'could not store what the log of requests shows');
      }
      some.forEach(empty);
      await nextTurn();
    }
  };
  return {
    record: (of, request, bodies) => {
      let batch = open.get(of.applicationId);
      if (batch?.of.developerId !== of.developerId || batch.requests.length === MOST_REQUESTS_IN_A_BATCH)
        batch = begin(of);
      const hasRoom =
        batch.bodyCharacters < MOST_BODY_CHARACTERS_IN_A_BATCH && waitingOfBodies < MOST_BODY_CHARACTERS_AT_ONCE;
      const sent = (hasRoom && bodies?.()) || null;
      const ofBodies = (sent?.[0]?.length ?? 0) + (sent?.[1]?.length ?? 0);
      const characters = request.path.length + OTHER_CHARACTERS + ofBodies;
      if (waiting + characters > MOST_WAITING_CHARACTERS) {
        meter?.droppedRequests(batch.requests.length + 1);
        return empty(batch);
      }
      batch.requests.push(request);
      batch.bodies.push(sent);
      batch.characters += characters;
      batch.bodyCharacters += ofBodies;
      waitingOfBodies += ofBodies;
      waiting += characters;
    },
    write,
  };
}

/** Also writes what it collects every second, and the rest when it is stopped. */
export function startRequestRecorder(parts: RecorderParts): RequestRecorder & { stop(): Promise<void> } {
  const { record, write } = newRequestRecorder(parts);
  let writing: Promise<void> | null = null;
  const begin = () => {
    writing ??= write().finally(() => {
      writing = null;
    });
    return writing;
  };
  const timer = setInterval(begin, WRITTEN_EVERY_MS);
  const stop = async () => {
    clearInterval(timer);
    await writing;
    await begin();
  };
  return { record, stop };
}
