import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../server/domain/time.ts';
import { MOST_RIDES_AT_ONCE, saveWorldChange, type WorldChange } from '../../server/rides/save.ts';
import { MOST_MOVED_AT_ONCE } from '../../server/store/clocks.ts';
import { unsettledWorldIds } from '../../server/store/unsettled.ts';
import { type SettlingParts, settleWorld } from '../../server/workers/settle-world.ts';
import { advanceWorld, freezeWorld, resumeWorld } from '../../server/workers/world-clock.ts';
import { engines } from '../support/database.ts';
import { waitingRides } from '../support/many-rides.ts';
import { serverForEach } from '../support/started.ts';
import type { Riding } from '../support/take-ride.ts';

/** The number of the settling call's transaction. The later change comes just before it. */
const TURNS = [1, 2, 3, 4];

// two calls change a big world at once: the later change comes between two transactions of the settling call
describe.each(engines)('on %s', (engine) => {
  const server = serverForEach(engine);

  /** The parts of a server that is interrupted once, just before its nth transaction. */
  function interrupted(nth: number, interrupt: () => Promise<unknown>): SettlingParts & typeof server.parts {
    let count = 0;
    const transaction: typeof server.store.transaction = async (work) => {
      count += 1;
      if (count === nth) await interrupt();
      return server.store.transaction(work);
    };
    return { ...server.parts, store: { ...server.store, transaction } };
  }

  const timersIn = ({ world }: Riding) =>
    server.store.db.selectFrom('timers').where('worldId', '=', world.id).select(['dueAt', 'realDueAt']).execute();

  /** Saves a change without settling it. */
  const begin = ({ world }: Riding, change: WorldChange) =>
    server.store.transaction((tx) => saveWorldChange(server.parts, tx, world, change, world.clock.worldAnchor));

  test.each(TURNS)('auto_advance that is set again before transaction %i applies to all rides', async (turn) => {
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
  });

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
