import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { driverIds } from '../../server/domain/fleet/driver-id.ts';
import { liveId } from '../../server/domain/ids.ts';
import type { Ride } from '../../server/domain/rides/ride.ts';
import { DAY_MS, HOUR_MS } from '../../server/domain/time.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { RIDE_TIMER } from '../../server/rides/save.ts';
import type { Store } from '../../server/store/open.ts';
import { insertRide } from '../../server/store/rides.ts';
import type { RideRow, TimerRow } from '../../server/store/schema.ts';
import { AREA, finishedRide, rideUnderWay } from './rides.ts';

/** One in this many rides is under way. */
const UNDER_WAY_PER = 10;
const OLDEST_MS = 365 * DAY_MS;
const ROWS_IN_A_STATEMENT = 200;
const ROWS_IN_A_TRANSACTION = 10_000;

/**
 * Inserts copies of two rides. No request reads them, and no timer of theirs is due during the measurement. Each has its
 * own passenger, and a car that is not on the map, so the cars near a pickup stay free.
 */
export async function insertOtherRides(store: Store, count: number, now: number, tell: (line: string) => void) {
  if (count === 0) return;
  const passenger = { id: 'passenger', client: { id: 'bench-0' } };
  const finished = await inserted(store, finishedRide(passenger, now - DAY_MS));
  const underWay = await inserted(store, rideUnderWay(passenger, now, new Set()));
  const drivers = driverIds(LIVE_WORLD.seed, AREA.id);
  const copy = (index: number): RideRow => {
    const isUnderWay = index % UNDER_WAY_PER === 0;
    const sample = isUnderWay ? underWay : finished;
    const requestedAt = isUnderWay ? now : Math.floor(now - OLDEST_MS + (index * (OLDEST_MS - DAY_MS)) / count);
    const [id, passengerId] = [liveId(requestedAt, randomBytes(16)), liveId(now, randomBytes(16))];
    const driverId = drivers.idOf({ row: 0, column: 0, index });
    const document = sample.document
      .replaceAll(sample.id, id)
      .replaceAll(`"${sample.passengerId}"`, `"${passengerId}"`)
      .replaceAll(sample.driverId!, driverId);
    const finishedAt = sample.finishedAt && sample.finishedAt + requestedAt - sample.requestedAt;
    return { ...sample, id, passengerId, driverId, requestedAt, finishedAt, document };
  };
  for (let done = 0; done < count; ) {
    const end = Math.min(count, done + ROWS_IN_A_TRANSACTION);
    await store.transaction(async (tx) => {
      for (; done < end; done += ROWS_IN_A_STATEMENT) {
        const length = Math.min(ROWS_IN_A_STATEMENT, end - done);
        const rides = Array.from({ length }, (_, index) => copy(done + index));
        await tx.insertInto('rides').values(rides).execute();
        const timers = rides.filter(({ active }) => active).map((ride) => timerOf(ride, now));
        await tx.insertInto('timers').values(timers).execute();
      }
    });
    if (end % (10 * ROWS_IN_A_TRANSACTION) === 0) tell(`${end} of ${count} rides`);
  }
  if (store.engine === 'postgres') await sql`analyze rides, timers`.execute(store.db);
}

async function inserted({ db }: Store, ride: Ride): Promise<RideRow> {
  await insertRide(db, ride);
  return db.selectFrom('rides').selectAll().where('id', '=', ride.id).executeTakeFirstOrThrow();
}

function timerOf({ worldId, id }: RideRow, now: number): TimerRow {
  const dueAt = now + HOUR_MS + Math.floor(Math.random() * HOUR_MS);
  return { worldId, kind: RIDE_TIMER, subjectId: id, dueAt, realDueAt: dueAt, leaseUntil: null };
}
