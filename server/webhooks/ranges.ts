import { setTimeout as pause } from 'node:timers/promises';
import { RESEND_LIMITS } from '../../generated/server.ts';
import { assertEventsAllowed, type CallingApplication, webhookUrlIn } from '../domain/application.ts';
import { Refusal } from '../domain/refusal.ts';
import type { RideEventType } from '../domain/rides/events.ts';
import type { World } from '../domain/worlds/clock.ts';
import { fairJobs } from '../limits/fair-jobs.ts';
import type { Parts } from '../parts.ts';
import { ApplicationGone, holdApplication } from '../store/applications.ts';
import { findRange } from '../store/deliveries/range.ts';
import { hasRunningResend, startResend } from '../store/deliveries/resends.ts';
import { isUniqueViolation } from '../store/engine/errors.ts';
import { flag } from '../store/flag.ts';
import type { Tx } from '../store/schema.ts';
import type { ResendRow } from '../store/webhook-rows.ts';
import { holdWorld } from '../store/worlds.ts';

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

/** One step of all searches runs at a time, because each costs the database a few milliseconds. Applications take turns. */
const stepInOrder = fairJobs(1);
/** The worlds of applications for which a range is being looked for: as for a running one, a further call is refused. */
const searching = new Set<string>();
/** After a step, nobody searches for as long as it took, but no longer than this. */
const RESTS_UP_TO_MS = 100;

/**
 * Starts to send a range of events again: see `workers/resends.ts`. Throws Refusal `no_webhook_url`, `resend_running`,
 * `insufficient_scope` if live events are turned off, ApplicationGone, WorldGone,
 * and `bad_parameter` if the range ends before it begins.
 * @param assertRoom throws if there is no room for further attempts
 */
export async function startRange(
  { store }: Pick<Parts, 'store'>,
  { application, world, at, realNow }: RangeOwner,
  { since: wantedSince, until, eventType = undefined, failedOnly }: WantedRange,
  assertRoom: (tx: Tx) => Promise<void>,
): Promise<Readonly<ResendRow>> {
  assertUrl(world, application);
  // no event is outside of these times, and years before 0 or after 9999 have no usual form
  const since = Math.min(Math.max(wantedSince, 0), at + 1);
  // before the search, which is long
  if (await hasRunningResend(store.db, { applicationId: application.id, worldId: world.id })) throw running();
  if (until !== undefined && until < wantedSince)
    throw new Refusal('bad_parameter', 'The range ends before it begins.', { until: 'must not be before since' });
  const end = Math.min(Math.max(until ?? at + 1, since), at + 1);
  const named = { applicationId: application.id, worldId: world.id, eventType: eventType ?? null };
  const range = { ...named, failedOnly: flag(failedOnly) };
  const inTurn = <T>(step: () => Promise<T>) => stepInOrder(application.id, () => withRest(step));
  const times = { since, until: end };
  const key = `${world.kind} ${application.id}`;
  if (searching.has(key)) throw running();
  searching.add(key);
  const looked = findRange(store.db, range, times, inTurn, RESEND_LIMITS.events);
  const { events, last, isCut } = await looked.finally(() => searching.delete(key));
  const { occurredAt: lastAt, eventId: lastId } = last;
  const found = { ...range, since, until: isCut ? lastAt : end, events, lastAt, lastId, startedAt: realNow };
  const resend = await store
    .transaction(async (tx) => {
      // the search takes seconds, in which the owner can change everything
      const current = await holdApplication(tx, application.id);
      if (current === undefined) throw new ApplicationGone(application.id);
      await holdWorld(tx, world);
      assertEventsAllowed({ world, application: current });
      assertUrl(world, current);
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

async function withRest<T>(step: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await step();
  await pause(Math.min(performance.now() - begun, RESTS_UP_TO_MS));
  return result;
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
