import { type WorldClock, worldTime } from '../../domain/worlds/clock.ts';
import { equal } from '../equal.ts';
import type { Tx } from '../schema.ts';
import type { DeliveryRow } from '../webhook-rows.ts';
import type { HeldWorld } from '../worlds.ts';

/**
 * Restarts an event's schedule now, or when the attempt in progress ends. The body stays the same, and attempt numbers
 * continue.
 * @param world must be locked: recording attempts waits for a delivery with many sandboxes in hand
 * @returns false when the application has no such event in this world
 */
export async function resendEvent(
  tx: Tx,
  { eventId, applicationId }: Pick<DeliveryRow, 'eventId' | 'applicationId'>,
  { id: worldId, clock }: HeldWorld,
  realNow: number,
): Promise<boolean> {
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
  return true;
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
  } as const;
}
