import { RESEND_LIMITS } from '../../generated/server.ts';
import { type CallingApplication, webhookUrlIn } from '../domain/application.ts';
import { Refusal } from '../domain/refusal.ts';
import type { RideEventType } from '../domain/rides/events.ts';
import type { World } from '../domain/worlds/clock.ts';
import { piecesOfAKind } from '../limits/in-turns.ts';
import type { Parts } from '../parts.ts';
import { presentInstant } from '../present/instant.ts';
import { findRange } from '../store/deliveries/range.ts';
import { hasRunningResend, startResend } from '../store/deliveries/resends.ts';
import { isUniqueViolation } from '../store/engine/errors.ts';
import { flag } from '../store/flag.ts';
import type { Tx } from '../store/schema.ts';
import type { ResendRow } from '../store/webhook-rows.ts';

/** Which events of an application's world to send again, by world time in milliseconds UTC. */
export interface WantedRange {
  readonly since: number;
  /** Excluded; absent: now. */
  readonly until?: number | undefined;
  /** Absent: every type. */
  readonly eventType?: RideEventType | undefined;
  /** Whether to leave out events that arrived or were never sent. */
  readonly failedOnly: boolean;
}

interface RangeOwner {
  readonly application: CallingApplication;
  readonly world: World;
  /** World time. */
  readonly at: number;
  readonly realNow: number;
}

/** Very long ranges can be searched at once. Calls do not wait for their pieces. */
const nextPiece = piecesOfAKind();

/**
 * Starts to send a range of events again: see `workers/resends.ts`. Throws Refusal `no_webhook_url`, `resend_running`,
 * and `bad_parameter` if the range ends before it begins, or begins in the future.
 * @param assertRoom throws if there is no room for further attempts
 */
export async function startRange(
  { store }: Pick<Parts, 'store'>,
  { application, world, at, realNow }: RangeOwner,
  { since, until, eventType = undefined, failedOnly }: WantedRange,
  assertRoom: (tx: Tx) => Promise<void>,
): Promise<Readonly<ResendRow>> {
  assertUrl(world, application);
  // before the search, which is long
  if (await hasRunningResend(store.db, { applicationId: application.id, worldId: world.id })) throw running();
  if (until !== undefined && until < since)
    throw new Refusal('bad_parameter', 'The range ends before it begins.', { until: 'must not be before since' });
  if (since > at) {
    const now = presentInstant(at);
    throw new Refusal('bad_parameter', `The range begins after ${now}, the present time of this world.`, {
      since: `must not be after ${now}`,
    });
  }
  const end = Math.min(until ?? at + 1, at + 1);
  const named = { applicationId: application.id, worldId: world.id, eventType: eventType ?? null };
  const range = { ...named, failedOnly: flag(failedOnly) };
  const inTurn = <T>(step: () => Promise<T>) => nextPiece().then(step);
  const times = { since, until: end };
  const { events, last, isCut } = await findRange(store.db, range, times, inTurn, RESEND_LIMITS.events);
  const { occurredAt: lastAt, eventId: lastId } = last;
  const found = { ...range, since, until: isCut ? lastAt : end, events, lastAt, lastId, startedAt: realNow };
  const resend = await store
    .transaction(async (tx) => {
      const started = await startResend(tx, found);
      await assertRoom(tx);
      return started;
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'one_running_resend') ? running() : error;
    });
  if (resend === null) throw running();
  return resend;
}

function running(): Refusal {
  const sentence = 'Your application is already sending a range of events again. Wait for it, or cancel it.';
  return new Refusal('resend_running', sentence);
}

/** Throws Refusal `no_webhook_url`. */
export function assertUrl(world: World, application: CallingApplication): void {
  if (webhookUrlIn(world, application) === null)
    throw new Refusal('no_webhook_url', 'There is no webhook URL to send events to. Set one first.');
}
