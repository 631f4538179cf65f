import { type WorldClock, worldTime } from '../../domain/worlds/clock.ts';
import { hasRowLocks, listOf } from '../engine/dialect.ts';
import { equal } from '../equal.ts';
import type { Tx } from '../schema.ts';
import type { DeliveryRow } from '../webhook-rows.ts';
import type { HeldWorld } from '../worlds.ts';

/**
 * Restarts an event's schedule now, or when the attempt in progress ends. The body stays the same, and attempt numbers
 * continue.
 * @param world must be locked: recording attempts waits for a delivery with many sandboxes in hand
 * @param hadUrl whether to find only events that had a webhook URL
 * @returns false when the application has no such event in this world, or its passenger no longer shares the ride
 */
export async function resendEvent(
  tx: Tx,
  { eventId, applicationId, hadUrl }: Sought,
  { id: worldId, clock }: HeldWorld,
  realNow: number,
): Promise<boolean> {
  // lock order: ride, then delivery, as for the end of an application's access
  if ((await eventOfRide(tx, worldId, { eventId, applicationId, hadUrl })) === undefined) return false;
  // update first: the row lock keeps workers from claiming it or recording an attempt
  const row = await tx
    .updateTable('deliveries')
    .set({ resend: 1 })
    .where(equal({ eventId, applicationId, worldId }))
    .returning(['attempts', 'earlierAttempts', 'leaseUntil'])
    .executeTakeFirst();
  if (row === undefined) return false;
  if (row.leaseUntil === null || row.leaseUntil <= realNow) {
    await tx
      .updateTable('deliveries')
      .set({ ...onScheduleAnew(row, clock, realNow), leaseOwner: null, leaseUntil: null })
      .where('eventId', '=', eventId)
      .execute();
  }
  await noteUrl(tx, [eventId]);
  return true;
}

/** Sandboxes list the events that were ever to be sent. */
export async function noteUrl(tx: Tx, eventIds: readonly string[]): Promise<void> {
  await tx
    .updateTable('events')
    .set({ hadUrl: 1 })
    .where('eventId', 'in', listOf(tx, eventIds))
    .where('hadUrl', '=', 0)
    .execute();
}

type Sought = Pick<DeliveryRow, 'eventId' | 'applicationId'> & { readonly hadUrl?: true | undefined };

/** The event, if its passenger still shares the ride. Keeps the ride from becoming silent until the transaction ends. */
async function eventOfRide(tx: Tx, worldId: string, of: Sought) {
  return tx
    .selectFrom('events')
    .innerJoin('rides', (on) =>
      on.onRef('rides.worldId', '=', 'events.worldId').onRef('rides.id', '=', 'events.rideId'),
    )
    .leftJoin('departures', (on) =>
      on.onRef('departures.worldId', '=', 'rides.worldId').onRef('departures.passengerId', '=', 'rides.passengerId'),
    )
    .select('events.eventId')
    .where('events.worldId', '=', worldId)
    .where('events.eventId', '=', of.eventId)
    .where('events.applicationId', '=', of.applicationId)
    .$if(of.hadUrl === true, (query) => query.where('events.hadUrl', '=', 1))
    .where('rides.silent', '=', 0)
    .where('departures.leftAt', 'is', null)
    .$if(hasRowLocks(tx), (query) => query.forShare('rides'))
    .executeTakeFirst();
}

/** The columns of a delivery whose schedule restarts now, even in a frozen world. Attempt numbers continue. */
export function onScheduleAnew(
  row: Pick<DeliveryRow, 'attempts' | 'earlierAttempts'>,
  clock: WorldClock,
  realNow: number,
) {
  return {
    status: 'pending',
    earlierAttempts: row.earlierAttempts + row.attempts,
    attempts: 0,
    scheduleAnchor: null,
    dueAt: worldTime(clock, realNow),
    realDueAt: realNow,
    resend: 0,
    resent: 1,
  } as const;
}
