import { describe, expect, test } from 'vitest';
import { type LoggedRequest, REQUEST_KEPT_MS } from '../../server/domain/logged-request.ts';
import { deleteApplication } from '../../server/store/application-ends.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import {
  findRequests,
  insertRequestBatches,
  MOST_REQUEST_SLOTS,
  packBatch,
  requestAt,
} from '../../server/store/request-batches.ts';
import { MOST_BODY_CHARACTERS_AT_ONCE, newRequestRecorder } from '../../server/workers/request-recorder.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { engines } from '../support/database.ts';
import { serverForEach } from '../support/started.ts';
import { application } from './samples.ts';

const OF = { applicationId: 'app', developerId: 'ada' };

describe.each(engines)('on %s', (engine) => {
  const server = serverForEach(engine);
  const request = (n: number, at = server.parts.now()): LoggedRequest => {
    const facts = { ms: 1, method: 'GET', status: 200, error: null, scopes: null, worldId: 'live', scenario: null };
    return { id: `r${n}`, at, path: `/${n}`, ...facts };
  };
  const batch = (from: number, count: number, at?: number) =>
    Array.from({ length: count }, (_, i) => request(from + i, at));
  const store = (from: number, count: number, at?: number, of = OF) =>
    server.store.transaction((tx) => insertRequestBatches(tx, [packBatch(of, batch(from, count, at), [])]));
  const own = () => insertApplicationIfAbsent(server.store.db, application({ id: 'app', developerId: 'ada' }));
  let turns = 0;
  const pageOf = (of = OF, before: Parameters<typeof findRequests>[2]['before'] = null, limit = 20_000) =>
    findRequests(
      server.store.db,
      { ...of, since: server.parts.now() - REQUEST_KEPT_MS },
      { before, limit, matches: () => true, nextTurn: async () => void turns++ },
    );
  const idsOf = async (...args: Parameters<typeof pageOf>) =>
    (await pageOf(...args)).found.map(({ request: { id } }) => id);
  const countRows = async () => (await server.store.db.selectFrom('requestBatches').select('number').execute()).length;

  test('pages follow each other, latest first, also within a batch', async () => {
    await own();
    for (let from = 0; from < 120; from += 2) await store(from, 2);
    const seen: string[] = [];
    for (let before: Parameters<typeof findRequests>[2]['before'] = null; ; ) {
      const { found, next } = await pageOf(OF, before, 7);
      seen.push(...found.map(({ request: { id } }) => id));
      if (next === null) break;
      before = next;
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, i) => `r${119 - i}`));
  });

  test('a search waits for its turn again after twenty batches, however small', async () => {
    await own();
    for (let from = 0; from < 60; from++) await store(from, 1);
    turns = 0;
    await pageOf();
    expect(turns).toBe(3);
  });

  test('the latest 10,000 are kept, fewer if their bodies are long', async () => {
    await own();
    for (let from = 0; from < 11_000; from += 500) await store(from, 500);
    const ids = await idsOf();
    expect(ids[0]).toBe('r10999');
    expect(ids).toHaveLength(MOST_REQUEST_SLOTS);
    // incompressible bodies
    const noise = () => Buffer.from(server.parts.randomBytes(30_000)).toString('base64');
    for (let n = 0; n < 130; n++)
      await server.store.transaction((tx) => insertRequestBatches(tx, [packBatch(OF, batch(n, 1), [[noise(), null]])]));
    const { bytes } = await server.store.db
      .selectFrom('requestBatches')
      .select((row) => row.fn.sum<number>(row.fn('length', ['bodies'])).as('bytes'))
      .executeTakeFirstOrThrow();
    expect(Number(bytes)).toBeLessThan(5_300_000);
    expect((await idsOf()).length).toBeLessThan(2_500);
  });

  test('servers that write at the same time lose nothing', async () => {
    await own();
    await Promise.all(Array.from({ length: 4 }, (_, n) => store(10 * n, 10)));
    expect((await idsOf()).sort()).toEqual(
      batch(0, 40)
        .map(({ id }) => id)
        .sort(),
    );
  });

  test('the requests of a former owner, of another application and of a deleted one stay apart, and end', async () => {
    await own();
    await store(1, 1);
    await store(2, 1, undefined, { ...OF, developerId: 'former' });
    await store(3, 1, undefined, { ...OF, applicationId: 'gone' });
    expect(await countRows()).toBe(1);
    expect(await idsOf({ ...OF, developerId: 'next' })).toEqual([]);
    expect(await idsOf({ ...OF, applicationId: 'other' })).toEqual([]);
    const { found } = await pageOf();
    const at = { ...OF, since: 0 };
    expect(await requestAt(server.store.db, at, found[0]!.place)).toMatchObject({
      request: { id: 'r1' },
      bodies: [null, null],
    });
    expect(await requestAt(server.store.db, { ...at, developerId: 'next' }, found[0]!.place)).toBeUndefined();
    await server.store.transaction((tx) => deleteApplication(tx, 'app', server.parts.now()));
    await sweep(server.parts);
    expect(await countRows()).toBe(0);
  });

  test('after a day, a request is not shown, and the sweep deletes it', async () => {
    await own();
    for (let n = 0; n < 300; n++) await store(n, 1);
    server.passTime(REQUEST_KEPT_MS);
    expect(await idsOf()).toEqual([]);
    await store(999, 1);
    await sweep(server.parts);
    expect(await idsOf()).toEqual(['r999']);
    expect(await countRows()).toBe(1);
  });

  test('what waits is bounded, and what is dropped is counted', async () => {
    await own();
    const dropped: number[] = [];
    const meter = {
      request: () => {},
      attempt: () => {},
      droppedRequests: (count: number) => void dropped.push(count),
    };
    const { record, write } = newRequestRecorder({ ...server.parts, meter });
    const arrived = (n: number, path = '/') => ({ ...request(n), path, pathOf: (url: string) => url });
    const long = arrived(0, 'p'.repeat(500));
    for (let n = 0; n < 30_000; n++) record({ ...OF, applicationId: `a${n % 3}` }, long, null);
    // about 23,000 fit
    expect(dropped.length).toBeGreaterThan(0);
    expect(dropped[0]).toBeGreaterThan(100);
    await write();
    const before = dropped.length;
    let made = 0;
    for (let n = 0; n < 1200; n++)
      record(OF, arrived(n), () => {
        made += 1;
        return ['x'.repeat(1000), null];
      });
    await write();
    // 32 of each batch of 500
    expect(made).toBe(96);
    expect(dropped).toHaveLength(before);
    expect(await countRows()).toBe(3);
    made = 0;
    const sandboxes = Array.from({ length: 20 }, (_, n) => ({ ...OF, applicationId: `app-${n}` }));
    for (const of of sandboxes)
      for (let n = 0; n < 40; n++)
        record(of, arrived(n), () => {
          made += 1;
          return ['x'.repeat(1000), null];
        });
    await write();
    expect(made).toBe(MOST_BODY_CHARACTERS_AT_ONCE / 1000);
    const broken = newRequestRecorder({
      ...server.parts,
      meter,
      store: { ...server.store, transaction: () => Promise.reject(new Error('down')) },
    });
    broken.record(OF, arrived(1), null);
    await broken.write();
    expect(dropped.at(-1)).toBe(1);
  });
});
