import { createQueryId } from 'kysely';
import { describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { HOUR_MS } from '../../server/domain/time.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { deleteApplication } from '../../server/store/application-ends.ts';
import { transaction } from '../../server/store/transaction.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { resumeWorld } from '../../server/workers/world-clock.ts';
import { CLOSED_PORT_URL } from '../support/accepted-calls.ts';
import { watchedDatabase } from '../support/counted-store.ts';
import { engines, openTestStore } from '../support/database.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { rawCall } from '../support/raw-call.ts';
import { LIVE, startTestServer } from '../support/server.ts';
import { forAll } from '../support/started.ts';
import { advanceUntil, requestRideOf, startRiding } from '../support/take-ride.ts';
import { newEvent, newReceiving } from '../support/webhook-events.ts';

/** Rows are locked in this order. A transaction that holds a lock never waits for a row of another table. */
const ORDER = ['worlds', 'rides', 'deliveries'] as const;
/** A call that changes one of these in a sandbox locks the sandbox first. So it waits for that row only. */
const IN_SANDBOX = ['worlds', 'passengers', 'rides', 'timers', 'events', 'deliveries'];

/** The tables in which a statement locks rows, in the order in which PostgreSQL locks them. */
function lockedBy(statement: string): string[] {
  const changed = /^(?:update|delete from|insert into) "(\w+)"/.exec(statement)?.[1];
  const tableOf = (name: string) => new RegExp(`(?:from|join) "(\\w+)" as "${name}"`).exec(statement)?.[1] ?? name;
  const held = [...statement.matchAll(/for (?:no key )?update(?: of "(\w+)")?/g)].map(([, name]) =>
    name === undefined ? /from "(\w+)"/.exec(statement)![1]! : tableOf(name),
  );
  return changed === undefined ? held : [changed];
}

/** The maximum number of statements in a call. */
function mostOf(operation: OperationId): number {
  if (operation === 'requestRide' || operation === 'createToken') return 12;
  return OPERATIONS[operation].method === 'get' && operation !== 'authorizeApplication' ? 3 : 8;
}

describe.each(engines)('on %s', (engine) => {
  const server = forAll(async () => {
    const store = await openTestStore(engine);
    const statements: string[] = [];
    // one list per transaction; a statement outside a transaction holds no lock while it waits
    const transactions: string[][] = [];
    const compiled = (node: Parameters<Parameters<typeof watchedDatabase>[1]>[0]) =>
      store.db.getExecutor().compileQuery(node, createQueryId()).sql;
    const db = watchedDatabase(store.db, (node) => statements.push(compiled(node)));
    const recorded: typeof store.transaction = (work) =>
      transaction(db, (tx) => {
        const locked: string[] = [];
        transactions.push(locked);
        const watched = watchedDatabase(tx, (node) => locked.push(...lockedBy(compiled(node))));
        return work(watched as typeof tx);
      });
    const watchedStore = { ...store, db, transaction: recorded };
    return { ...(await startTestServer(engine, { store: watchedStore })), db: store.db, statements, transactions };
  });

  function expectOrder(): void {
    const ranks = server.transactions.map((tables) =>
      tables.flatMap((table) => (ORDER as readonly string[]).indexOf(table)).filter((rank) => rank !== -1),
    );
    // a transaction does not wait for a lock that it already holds
    for (const [i, held] of ranks.entries()) {
      const first = [...new Set(held)];
      expect(first, server.transactions[i]!.join(', ')).toEqual([...first].sort());
    }
  }

  /** @param ran all statements, also those outside a transaction */
  function expectSandboxFirst(ran: readonly string[]): void {
    for (const tables of [...server.transactions, ran.flatMap(lockedBy)]) {
      const first = tables.find((table) => IN_SANDBOX.includes(table)) ?? 'worlds';
      expect(first, tables.join(', ')).toBe('worlds');
    }
  }

  async function sendWebhooks(world: World): Promise<void> {
    if (world.kind === 'live') return;
    const api = server.client({ token: await server.newToken({ world }) });
    await api.setWebhooks({ body: { url: CLOSED_PORT_URL } });
  }

  test.each(OPERATION_IDS)('%s runs few statements, and locks rows of a world after the world', async (operation) => {
    const call = await acceptedCall(operation, server);
    await sendWebhooks(call.world);
    server.transactions.length = 0;
    server.statements.length = 0;
    const { status } = await rawCall(server.baseUrl, operation, call);
    const ran = [...server.statements];
    expect(status).toBe(call.status ?? OPERATIONS[operation].successStatus);
    expect(ran.length, ran.join('\n')).toBeGreaterThan(0);
    expect(ran.length, ran.join('\n')).toBeLessThanOrEqual(mostOf(operation));
    if (engine === 'postgres') expectOrder();
    if (engine === 'postgres' && call.world.kind === 'sandbox') expectSandboxFirst(ran);
  });

  // SQLite locks no rows
  const testLocks = test.runIf(engine === 'postgres');

  testLocks('rows are locked in order by a request that pays for the previous ride', async () => {
    const riding = await startRiding(server, { world: await server.newWorld() });
    await sendWebhooks(riding.world);
    await advanceUntil(server, riding, 'droppedOff');
    server.transactions.length = 0;
    await requestRideOf(riding);
    expect(server.transactions.flat()).toEqual(expect.arrayContaining(['worlds', 'rides']));
    expectOrder();
  });

  testLocks(
    'rows are locked in order by the deletion of an application, and the sweep of its remaining data',
    async () => {
      const applicationId = await newReceiving(server.store, CLOSED_PORT_URL);
      const world = await server.newWorld({ applicationId });
      for (const each of [world, LIVE]) await newEvent(server, applicationId, { world: each });
      server.transactions.length = 0;
      await server.parts.store.transaction((tx) => deleteApplication(tx, applicationId, server.parts.now()));
      await sweep(server.parts);
      expect(server.transactions.flat()).toEqual(expect.arrayContaining(['worlds', 'rides', 'deliveries', 'events']));
      expectOrder();
    },
  );

  testLocks('rows are locked in order by the workers', async () => {
    const { world } = await startRiding(server, { world: await server.newWorld() });
    await sendWebhooks(world);
    await resumeWorld(server.parts, world);
    server.transactions.length = 0;
    await server.pass(HOUR_MS);
    await server.runDeliveries();
    expect(server.transactions.flat()).toEqual(expect.arrayContaining([...ORDER]));
    expectOrder();
  });
});
