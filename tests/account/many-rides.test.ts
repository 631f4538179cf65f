import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { ACCOUNT_PATHS } from '../../server/links.ts';
import { MOST_RIDES_LEFT_AT_ONCE } from '../../server/store/departures.ts';
import type { OpenStore } from '../../server/store/engine/open.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { csrfTokenOn, MAYA } from '../support/consent.ts';
import { counted } from '../support/counted-store.ts';
import { engines, openTestStore } from '../support/database.ts';
import { LIVE, startTestServer } from '../support/server.ts';
import { forAll } from '../support/started.ts';
import { until } from '../support/until.ts';
import { giveRides, passengerAt, storedMaya } from './support.ts';

const MOST_TURNS = 50;
const READ_AT_ONCE = 5;
/** On SQLite, more rides than the deletion deletes before it responds. */
const RIDES = { sqlite: 520, postgres: 500 } as const;

describe.each(engines)('a passenger with many rides, on %s', (engine) => {
  /** The transactions and calls, in order. */
  const happened: string[] = [];
  let statements: string[] = [];
  const server = forAll(async () => {
    const watched = counted(await openTestStore(engine));
    statements = watched.statements;
    const transaction: OpenStore['transaction'] = (work) => {
      happened.push('transaction');
      return watched.store.transaction(work);
    };
    const store = { ...watched.store, transaction };
    return startTestServer(engine, { store, withPages: true, rateLimitMultiplier: 1000, isWatched: false });
  });

  /** Opens a page as a new passenger, whose password is Maya's. */
  const newcomerAt = async (path: string) => {
    const { passwordHash } = await storedMaya(server);
    const passenger = await server.newPassenger(LIVE, { passwordHash });
    return { passenger, visitor: await passengerAt(server, passenger, path) };
  };

  test('exports everything, no faster than the browser reads it', async () => {
    const { passenger, visitor } = await newcomerAt(ACCOUNT_PATHS.data);
    // far more than the buffers of a connection hold
    const ids = await giveRides(server, passenger, 12 * READ_AT_ONCE, 'x'.repeat(120_000));
    statements.length = 0;
    const reads = () => statements.filter((statement) => / from "?rides"? /.test(statement)).length;
    const Cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value.split(';')[0]}`).join('; ');
    const headers = { Cookie, 'Content-Type': 'application/x-www-form-urlencoded' };
    const sent = request(server.baseUrl + ACCOUNT_PATHS.data, { method: 'POST', headers });
    sent.end(String(new URLSearchParams({ csrf_token: csrfTokenOn(visitor.view()) })));
    // nothing reads the body yet
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let [before, same] = [0, 0];
    await until(() => {
      same = reads() === before ? same + 1 : 0;
      before = reads();
      expect(same).toBeGreaterThan(15);
    });
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(9);
    const { rides } = JSON.parse(await text(response));
    expect(rides.map(({ ride_id }: { ride_id: string }) => ride_id)).toEqual(ids);
    expect(reads()).toBe(13);
  });

  test('an export that nobody reads loses its connection if there are too many', async () => {
    const { passenger, visitor } = await newcomerAt(ACCOUNT_PATHS.data);
    await giveRides(server, passenger, 12 * READ_AT_ONCE, 'x'.repeat(120_000));
    const Cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value.split(';')[0]}`).join('; ');
    const headers = { Cookie, 'Content-Type': 'application/x-www-form-urlencoded' };
    const form = String(new URLSearchParams({ csrf_token: csrfTokenOn(visitor.view()) }));
    const begun: IncomingMessage[] = [];
    for (let n = 0; n < 33; n++) {
      const sent = request(server.baseUrl + ACCOUNT_PATHS.data, { method: 'POST', headers, agent: false });
      sent.on('error', () => {}).end(form);
      begun.push(((await once(sent, 'response')) as [IncomingMessage])[0]);
    }
    await expect(text(begun[0]!)).rejects.toThrow('aborted');
    for (const { socket } of begun) socket.destroy();
  });

  test('exports one part at a time of all exports, so other requests can run in between', async () => {
    const all = await Promise.all([1, 2, 3].map(() => newcomerAt(ACCOUNT_PATHS.data)));
    for (const { passenger } of all) await giveRides(server, passenger, 5 * READ_AT_ONCE);
    statements.length = 0;
    const readsInTurn: number[] = [];
    let isOver = false;
    const look = () => {
      readsInTurn.push(statements.filter((statement) => / from "?rides"? /.test(statement)).length);
      if (!isOver) setImmediate(look);
    };
    look();
    const views = await Promise.all(all.map(({ visitor }) => visitor.submit({}, ACCOUNT_PATHS.data)));
    isOver = true;
    for (const view of views) expect(JSON.parse(view.text).rides).toHaveLength(5 * READ_AT_ONCE);
    expect(Math.max(...readsInTurn.map((reads, i) => reads - (readsInTurn[i - 1] ?? 0)))).toBe(1);
  });

  test('deletes in steps, so other requests can run in between, and the sweep deletes the rest', async () => {
    const { passenger, visitor } = await newcomerAt(ACCOUNT_PATHS.deletion);
    await giveRides(server, passenger, RIDES[engine]);
    const left = async () => {
      const { n } = await server.store.db
        .selectFrom('rides')
        .select(({ fn }) => fn.countAll<number | string>().as('n'))
        .where('passengerId', '=', passenger.id)
        .executeTakeFirstOrThrow();
      return Number(n);
    };
    const other = await server.newRider(LIVE);
    happened.length = 0;
    let isDeleted = false;
    const deleting = visitor.submit({ password: MAYA.password, word: 'delete' }, ACCOUNT_PATHS.deletion).finally(() => {
      isDeleted = true;
    });
    while (!isDeleted) {
      const { response } = await other.api.getProfile();
      expect(response.status).toBe(200);
      happened.push('call');
    }
    expect((await deleting).text).toContain('Your account was deleted.');
    expect(await left()).toBe(Math.max(0, RIDES[engine] - MOST_TURNS * MOST_RIDES_LEFT_AT_ONCE[engine]));
    const during = happened.slice(happened.indexOf('transaction'), happened.lastIndexOf('transaction'));
    expect(during.filter((what) => what === 'call').length).toBeGreaterThan(3);
    await sweep(server.parts);
    expect(await left()).toBe(0);
  });
});
