import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ADVANCE_LIMITS } from '../../generated/server.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../server/domain/time.ts';
import { run } from '../../server/domain/worlds/clock.ts';
import { MOST_RIDES_AT_ONCE, saveWorldChange } from '../../server/rides/save.ts';
import { MOST_MOVED_AT_ONCE, saveClock } from '../../server/store/clocks.ts';
import { claimDueTimers, nextRealDue } from '../../server/store/due-timers.ts';
import { unsettledWorldIds } from '../../server/store/unsettled.ts';
import { findWorld } from '../../server/store/worlds.ts';
import { newAdvances } from '../../server/workers/advances.ts';
import { type SettlingParts, settleWorld } from '../../server/workers/settle-world.ts';
import { newStepGate } from '../../server/workers/step-gate.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { runDueTimers } from '../../server/workers/timers.ts';
import { advanceWorld, freezeWorld, resumeWorld } from '../../server/workers/world-clock.ts';
import { counted } from '../support/counted-store.ts';
import { engines } from '../support/database.ts';
import { statusesIn, waitingRides } from '../support/many-rides.ts';
import { serverForEach } from '../support/started.ts';
import { type Riding, timeIn } from '../support/take-ride.ts';

const LEASE_MS = 30 * SECOND_MS;

describe.each(engines)('on %s', (engine) => {
  const server = serverForEach(engine);

  const unfinishedIn = async ({ world }: Riding) => (await findWorld(server.store.db, world.id))!.clock.unfinished;

  test.runIf(engine === 'sqlite')(
    'advances and due timers together run one step in each turn of the event loop',
    async () => {
      const ridings = [];
      for (let i = 0; i < 4; i++) ridings.push(await waitingRides(server, 5));
      const due = await waitingRides(server, 5);
      await resumeWorld(server.parts, due.world);
      server.passTime(2 * DAY_MS);
      const { store, statements } = counted(server.store);
      const parts = { ...server.parts, store };
      let isDone = false;
      const advances = ridings.flatMap(({ world }) => [1, 2, 3, 4].map(() => advanceWorld(parts, world, 2 * DAY_MS)));
      const working = Promise.all([...advances, runDueTimers(parts)]).then(() => {
        isDone = true;
      });
      const steps: number[] = [];
      for (let seen = 0; !isDone; seen = statements.length) {
        await nextTurn();
        steps.push(statements.slice(seen).filter((sql) => sql.startsWith('update "rides"')).length);
      }
      await working;
      expect({ most: Math.max(...steps), all: steps.reduce((sum, each) => sum + each, 0) }).toEqual({
        most: 1,
        all: 25,
      });
    },
  );

  describe('an advance', () => {
    test('beyond its budget ends at its last step, and the same call continues to the same target', async () => {
      const riding = await waitingRides(server, ADVANCE_LIMITS.steps + 5);
      const api = server.client({ token: await server.newToken({ world: riding.world }) });
      const begin = riding.world.clock.worldAnchor;
      const advance = async (ms: number) => {
        const { data } = await api.advanceClock({ body: { seconds: ms / SECOND_MS } });
        const { now, advancing_to: to, steps } = data!;
        return { now: Date.parse(now) - begin, to: to === null ? null : Date.parse(to) - begin, steps };
      };
      const target = 2 * DAY_MS;
      expect(await advance(target)).toEqual({ now: DAY_MS, to: target, steps: ADVANCE_LIMITS.steps });
      const { data: shown } = await api.getClock();
      expect(Date.parse(shown!.advancing_to!) - begin).toBe(target);
      expect(await statusesIn(server, riding)).toEqual({ unknown: ADVANCE_LIMITS.steps, pending: 5 });
      expect(await advance(target)).toEqual({ now: target, to: null, steps: 5 });
      expect(await statusesIn(server, riding)).toEqual({ unknown: ADVANCE_LIMITS.steps + 5 });
      expect((await api.getClock()).data!.advancing_to).toBeNull();
      expect(await advance(target)).toEqual({ now: 2 * target, to: null, steps: 0 });
    });

    type Cut = () => readonly [parts: Partial<typeof server.parts>, Parameters<typeof advanceWorld>[3]];
    const stopping = () => {
      const advances = newAdvances();
      const hasHungUp = () => {
        void advances.stop();
        return false;
      };
      return [{ advances }, { hasHungUp }] as const;
    };

    test.each<[string, Cut]>([
      ['its time limit', () => [{ store: slowStore(SECOND_MS) }, { ms: SECOND_MS }]],
      ['a client that disconnects', () => [{}, { hasHungUp: once() }]],
      ['a server that stops', stopping],
    ])('that is ended by %s stays at its last step, and the same call continues to the same target', async (_, cut) => {
      const riding = await waitingRides(server, 4);
      const begin = riding.world.clock.worldAnchor;
      const [parts, options] = cut();
      const { clock, steps } = await advanceWorld({ ...server.parts, ...parts }, riding.world, 2 * DAY_MS, options);
      expect([steps, clock.unfinished?.byMs]).toEqual([1, 2 * DAY_MS]);
      expect(await statusesIn(server, riding)).toEqual({ unknown: 1, pending: 3 });
      expect(await timeIn(server, riding.world)).toBe(begin + DAY_MS);
      expect((await advanceWorld(server.parts, riding.world, 2 * DAY_MS)).steps).toBe(3);
      expect(await timeIn(server, riding.world)).toBe(begin + 2 * DAY_MS);
    });

    test.each<[string, (riding: Riding) => Promise<unknown>]>([
      ['an advance of another length', ({ world }) => advanceWorld(server.parts, world, HOUR_MS)],
      ['freezing', ({ world }) => freezeWorld(server.parts, world)],
      ['a reset', async ({ world }) => server.client({ token: await server.newToken({ world }) }).resetWorld()],
    ])('that is unfinished is abandoned by %s', async (_, giveUp) => {
      const riding = await waitingRides(server, 3);
      await advanceWorld(server.parts, riding.world, 2 * DAY_MS, { hasHungUp: once() });
      expect(await unfinishedIn(riding)).toMatchObject({ byMs: 2 * DAY_MS });
      await giveUp(riding);
      expect(await unfinishedIn(riding)).toBeUndefined();
    });

    test('does not repeat steps of a concurrent one, and the clock ends at the later target', async () => {
      const riding = await waitingRides(server, 20);
      const days = [2, 3, 2];
      const all = await Promise.all(days.map((count) => advanceWorld(server.parts, riding.world, count * DAY_MS)));
      expect(await statusesIn(server, riding)).toEqual({ unknown: 20 });
      expect(await timeIn(server, riding.world)).toBe(riding.world.clock.worldAnchor + 3 * DAY_MS);
      const rides = server.store.db.selectFrom('rides').where('worldId', '=', riding.world.id);
      expect(await rides.select('version').distinct().execute()).toEqual([{ version: 2 }]);
      expect(all.every(({ clock }) => clock.unfinished === undefined)).toBe(true);
    });
  });

  describe('a backlog of timers', () => {
    async function backlog(count: number): Promise<Riding> {
      const riding = await waitingRides(server, count);
      await resumeWorld(server.parts, riding.world);
      server.passTime(2 * DAY_MS);
      return riding;
    }

    test('that runs slowly is claimed again before the lease ends', async () => {
      const riding = await backlog(4);
      let claims = 0;
      const store = slowStore(LEASE_MS - 1, (sql) => {
        if (sql.includes('returning')) claims += 1;
      });
      expect(await runDueTimers({ ...server.parts, store })).toBe(4);
      expect(await statusesIn(server, riding)).toEqual({ unknown: 4 });
      // one claim for each timer, and one in the live world
      expect(claims).toBe(5);
    });

    test('is released between two timers when the worker stops, and others can claim it at once', async () => {
      const riding = await backlog(4);
      const stopping = new AbortController();
      const store = slowStore(0, (sql) => {
        if (sql.startsWith('update "rides"')) stopping.abort();
      });
      expect(await runDueTimers({ ...server.parts, store }, stopping.signal)).toBe(1);
      expect(await statusesIn(server, riding)).toEqual({ unknown: 1, pending: 3 });
      const claim = { worldId: riding.world.id, realNow: server.parts.now(), leaseMs: LEASE_MS, limit: 9 };
      expect(await claimDueTimers(server.store.db, claim)).toHaveLength(3);
    });

    test('does not move the rides of a world that was frozen after the claim', async () => {
      const riding = await backlog(3);
      let isFrozen = false;
      const parts = {
        ...server.parts,
        steps: {
          ...server.parts.steps,
          run: async <T>(line: string, step: () => Promise<T>) => {
            if (!isFrozen) {
              isFrozen = true;
              await freezeWorld(server.parts, riding.world);
              const world = server.store.db.updateTable('worlds').where('id', '=', riding.world.id);
              await world.set({ clockWorldAnchor: riding.world.clock.worldAnchor }).execute();
            }
            return server.parts.steps.run(line, step);
          },
        },
      };
      await runDueTimers(parts);
      expect(await statusesIn(server, riding)).toEqual({ pending: 3 });
      expect(await nextRealDue(server.store.db, 'sandbox')).toBeNull();
    });
  });

  describe('a change of a big world', () => {
    const COUNT = 2 * MOST_MOVED_AT_ONCE + 5;

    const realDueIn = async ({ world }: Riding) => {
      const timers = server.store.db.selectFrom('timers').where('worldId', '=', world.id);
      return new Set((await timers.select('realDueAt').execute()).map(({ realDueAt }) => realDueAt));
    };
    /** The number of statements that wrote to a table. */
    const writesOf = (statements: readonly string[], table: string) =>
      statements.filter((sql) => sql.startsWith(`update "${table}"`) || sql.startsWith(`insert into "${table}"`))
        .length;

    test('of its clock sets a bounded number of timers at a time, and all of them in the end', async () => {
      const riding = await waitingRides(server, COUNT);
      const { store, statements } = counted(server.store);
      await resumeWorld({ ...server.parts, store }, riding.world);
      expect(writesOf(statements, 'timers')).toBe(3);
      expect(await realDueIn(riding)).toEqual(new Set([server.parts.now() + DAY_MS]));
      await freezeWorld(server.parts, riding.world);
      expect(await realDueIn(riding)).toEqual(new Set([null]));
      expect(await unsettledWorldIds(server.store.db)).toEqual([]);
    });

    test('of auto_advance updates a bounded number of rides at a time, and all of them in the end', async () => {
      const count = 2 * MOST_RIDES_AT_ONCE + 5;
      const riding = await waitingRides(server, count);
      const api = server.client({ token: await server.newToken({ world: riding.world }) });
      expect((await api.updateWorld({ body: { auto_advance: true } })).data!.auto_advance).toBe(true);
      const timers = server.store.db.selectFrom('timers').where('worldId', '=', riding.world.id);
      const rows = await timers.select('dueAt').execute();
      expect(rows.map(({ dueAt }) => dueAt - riding.world.clock.worldAnchor)).toEqual(Array(count).fill(2 * SECOND_MS));
      expect(await unsettledWorldIds(server.store.db)).toEqual([]);
    });

    test('that a dead process started is completed by the sweep of the next process', async () => {
      const riding = await waitingRides(server, COUNT);
      await server.store.transaction(async (tx) => {
        expect(await saveClock(tx, riding.world.id, run(riding.world.clock, server.parts.now()))).toBe(false);
        const { isSettled } = await saveWorldChange(server.parts, tx, riding.world, { autoAdvance: true }, 0);
        expect(isSettled).toBe(false);
      });
      expect(await unsettledWorldIds(server.store.db)).toEqual([riding.world.id]);
      await sweep(server.parts);
      expect(await unsettledWorldIds(server.store.db)).toEqual([]);
      expect(await realDueIn(riding)).toEqual(new Set([server.parts.now() + 2 * SECOND_MS]));
    });
  });

  // two calls change a big world at once: the later change comes between two transactions of the settling call
  describe('two changes at once:', () => {
    /** The parts of another server, which is interrupted once, just before its nth transaction. */
    function interrupted(nth: number, interrupt: () => Promise<unknown>): SettlingParts & typeof server.parts {
      let count = 0;
      const transaction: typeof server.store.transaction = async (work) => {
        count += 1;
        if (count === nth) await interrupt();
        return server.store.transaction(work);
      };
      return { ...server.parts, steps: newStepGate(), store: { ...server.store, transaction } };
    }

    const timersIn = ({ world }: Riding) =>
      server.store.db.selectFrom('timers').where('worldId', '=', world.id).select(['dueAt', 'realDueAt']).execute();

    /** Saves a change without settling it. */
    const begin = ({ world }: Riding, change: Parameters<typeof saveWorldChange>[3]) =>
      server.store.transaction((tx) => saveWorldChange(server.parts, tx, world, change, world.clock.worldAnchor));

    test.each([1, 2, 3, 4])(
      'auto_advance that is set again before transaction %i applies to all rides',
      async (turn) => {
        const count = 3 * MOST_RIDES_AT_ONCE + 5;
        const riding = await waitingRides(server, count);
        await begin(riding, { autoAdvance: true });
        await settleWorld(
          interrupted(turn, () => begin(riding, { autoAdvance: false })),
          riding.world.id,
        );
        const due = (await timersIn(riding)).map(({ dueAt }) => dueAt - riding.world.clock.worldAnchor);
        expect(due).toEqual(Array(count).fill(DAY_MS));
        expect(await unsettledWorldIds(server.store.db)).toEqual([]);
      },
    );

    test('two concurrent calls that settle share the rides', async () => {
      const count = 3 * MOST_RIDES_AT_ONCE + 5;
      const riding = await waitingRides(server, count);
      await begin(riding, { autoAdvance: true });
      await Promise.all([settleWorld(server.parts, riding.world.id), settleWorld(server.parts, riding.world.id)]);
      const due = (await timersIn(riding)).map(({ dueAt }) => dueAt - riding.world.clock.worldAnchor);
      expect(due).toEqual(Array(count).fill(2 * SECOND_MS));
    });

    describe.each([2, 3])('a clock that is set again before transaction %i of another change', (turn) => {
      test.each<[string, (riding: Riding) => Promise<unknown>, number | null]>([
        ['freezing', ({ world }) => freezeWorld(server.parts, world), null],
        ['an advance', ({ world }) => advanceWorld(server.parts, world, HOUR_MS), DAY_MS - HOUR_MS],
        [
          'freezing and resuming later',
          async ({ world }) => {
            await freezeWorld(server.parts, world);
            server.passTime(HOUR_MS);
            await resumeWorld(server.parts, world);
          },
          DAY_MS + HOUR_MS,
        ],
      ])('by %s applies to all timers', async (_, setAgain, dueAfter) => {
        const riding = await waitingRides(server, 2 * MOST_MOVED_AT_ONCE + 5);
        const startedAt = server.parts.now();
        await resumeWorld(
          interrupted(turn, () => setAgain(riding)),
          riding.world,
        );
        const due = new Set((await timersIn(riding)).map(({ realDueAt }) => realDueAt));
        expect(due).toEqual(new Set([dueAfter === null ? null : startedAt + dueAfter]));
        expect(await unsettledWorldIds(server.store.db)).toEqual([]);
      });
    });
  });

  /** The store. Each ride that is saved takes this much real time. */
  function slowStore(ms: number, ran: (sql: string) => void = () => {}) {
    const { store, statements } = counted(server.store);
    const { push } = statements;
    statements.push = (...sql) => {
      for (const each of sql) {
        ran(each);
        if (each.startsWith('update "rides"')) server.passTime(ms);
      }
      return push.apply(statements, sql);
    };
    return store;
  }

  /** Returns a function that returns false on its first call, and true after that. */
  function once(): () => boolean {
    let count = 0;
    return () => count++ > 0;
  }
});
