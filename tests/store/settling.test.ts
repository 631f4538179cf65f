import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../server/domain/time.ts';
import { advanceTo, freeze, run, type WorldClock } from '../../server/domain/worlds/clock.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { MOST_MOVED_AT_ONCE, saveClock, settleClock } from '../../server/store/clocks.ts';
import { insertPassengerIfAbsent } from '../../server/store/passengers.ts';
import { insertRide } from '../../server/store/rides.ts';
import { findUnsettled } from '../../server/store/unsettled.ts';
import { holdWorld, insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { engines } from '../support/database.ts';
import { storeForEach } from '../support/started.ts';
import { application, NOON, passenger, ride, sandbox } from './samples.ts';

const ROWS = 2 * MOST_MOVED_AT_ONCE + 1;
const START: WorldClock = { realAnchor: NOON, worldAnchor: NOON, running: false };
const CHANGES = {
  freeze,
  run,
  advance: (clock: WorldClock, now: number) => advanceTo(clock, now, clock.worldAnchor + HOUR_MS / 3),
};
/** Changes, each a while after the other, with some steps of settling in between. */
const changes = fc.array(
  fc.record({ to: fc.constantFrom('freeze', 'run', 'advance'), afterMs: fc.nat(HOUR_MS / 10), steps: fc.nat(3) }),
  { minLength: 1, maxLength: 8 },
);

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);
  /** Many are due at the same time. */
  const dueAt = sql.raw(`${NOON} + (n % 7 - 1) * ${HOUR_MS}`);
  const numbers = sql.raw(
    `(with recursive listed(n) as (select 1 union all select n + 1 from listed where n < ${ROWS}) select n from listed)`,
  );
  beforeEach(async () => {
    await insertApplicationIfAbsent(store.db, application());
    await insertWorldIfAbsent(store.db, sandbox({ clock: START }), NOON);
    await insertPassengerIfAbsent(store.db, passenger({ worldId: 'sandbox' }));
    await insertRide(store.db, ride({ id: 'r', worldId: 'sandbox' }));
    await sql`insert into timers (world_id, kind, subject_id, due_at) select 'sandbox', 'k' || n % 2, 's' || n, ${dueAt} from ${numbers} as each_row`.execute(
      store.db,
    );
    await sql`insert into events (event_id, world_id, ride_id, application_id, type, occurred_at, environment, body, created_at)
      select 'e' || n, 'sandbox', 'r', 'app', '', n, '', '', 0 from ${numbers} as each_row`.execute(store.db);
    await sql`insert into deliveries (event_id, application_id, world_id, status, attempts, earlier_attempts, due_at, real_due_at, resend)
      select 'e' || n, 'app', 'sandbox', 'pending', 0, 0, ${dueAt}, case when n % 7 < 2 then ${sql.lit(NOON)} end, 0 from ${numbers} as each_row`.execute(
      store.db,
    );
  });

  test('after any changes of a clock, everything is due as on the last one, also if settling was interrupted', async () => {
    let now = NOON;
    let clock = START;
    const settle = () =>
      store.transaction(async (tx) => {
        const held = await holdWorld(tx, { id: 'sandbox', kind: 'sandbox' });
        const unsettled = await findUnsettled(tx, held);
        return !unsettled.clock || (await settleClock(tx, held, unsettled.clockSettledTo));
      });
    await fc.assert(
      fc.asyncProperty(changes, async (made) => {
        for (const { to, afterMs, steps } of made) {
          now += afterMs;
          clock = CHANGES[to](clock, now);
          await store.transaction((tx) => saveClock(tx, 'sandbox', clock));
          for (let step = 0; step < steps; step += 1) await settle();
        }
        while (!(await settle()));
        const shift = clock.running ? clock.realAnchor - clock.worldAnchor : null;
        const real = (due: number) => (shift === null ? null : due + shift);
        const timers = await store.db.selectFrom('timers').select(['dueAt', 'realDueAt']).execute();
        expect(timers.filter(({ dueAt, realDueAt }) => realDueAt !== real(dueAt))).toEqual([]);
        const deliveries = await store.db.selectFrom('deliveries').select(['dueAt', 'realDueAt']).execute();
        const isRight = (due: number, at: number | null) =>
          due <= clock.worldAnchor ? at !== null && at <= clock.realAnchor : at === real(due);
        expect(deliveries.filter(({ dueAt, realDueAt }) => !isRight(dueAt, realDueAt))).toEqual([]);
        expect([timers.length, deliveries.length]).toEqual([ROWS, ROWS]);
      }),
      { numRuns: 15 },
    );
  });
});
