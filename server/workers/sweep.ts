import { setImmediate as nextTurn } from 'node:timers/promises';
import { KEPT, REFRESH_TOKEN_LIMITS } from '../../generated/server.ts';
import { DEMO } from '../demo.ts';
import { REQUEST_KEPT_MS } from '../domain/logged-request.ts';
import { DAY_MS, HOUR_MS } from '../domain/time.ts';
import type { Parts } from '../parts.ts';
import { deleteOldConsents, FIRST_CONSENT } from '../store/consents.ts';
import { forgetDecisions } from '../store/decisions.ts';
import { DELETE_EXPIRED, deleteSome } from '../store/delete-some.ts';
import { departUnused, FIRST_USE } from '../store/departures.ts';
import { deleteOldEvents, OLDEST_EVENT } from '../store/events.ts';
import { deleteOldRides } from '../store/rides.ts';
import type { Tx } from '../store/schema.ts';
import { deleteExpired } from '../store/tokens.ts';
import { finishApplicationEnds } from './application-ends.ts';
import { type DepartureParts, finishDepartures } from './departures.ts';
import { eachInTurn } from './each-in-turn.ts';
import { type SettlingParts, settleWorlds } from './settle-world.ts';
import { deleteForgottenWorlds, finishEnds, UNUSED_KEPT_MS } from './world-ends.ts';

const SWEEP_EVERY_MS = HOUR_MS;
/** How long the server still reports an expired token, and detects a reused code. */
const KEPT_AFTER_EXPIRY_MS = DAY_MS;
/** A refresh token that is not used for this long expires. */
const REFRESH_TOKEN_KEPT_UNUSED_MS = REFRESH_TOKEN_LIMITS.unusedDays * DAY_MS;
/** How long an unused decision is kept. It is valid for less time: see consent/consent.ts. */
const DECISION_KEPT_MS = HOUR_MS;
/** How long an event can be read and resent. @beyond it is deleted, unless its delivery is still pending */
const EVENT_KEPT_MS = 30 * DAY_MS;

/** How long after its end a live ride can be read. */
const RIDE_KEPT_MS = KEPT.rideDays * DAY_MS;

type SweepParts = SettlingParts & DepartureParts & Pick<Parts, 'logger'>;

const SWEPT: readonly ((parts: SweepParts) => Promise<void>)[] = [
  finishEnds,
  finishApplicationEnds,
  passing(FIRST_USE, (tx, now, from) => {
    const endedIfLastUsedBy = now - REFRESH_TOKEN_KEPT_UNUSED_MS;
    return departUnused(tx, { before: now - UNUSED_KEPT_MS, endedIfLastUsedBy, except: DEMO.clientId }, now, from);
  }),
  finishDepartures,
  inTurns((tx, now) => {
    const before = now - KEPT_AFTER_EXPIRY_MS;
    return deleteExpired(tx, before, before - REFRESH_TOKEN_KEPT_UNUSED_MS);
  }),
  // after the tokens: a consent whose last token was just deleted goes with it
  passing(FIRST_CONSENT, (tx, now, from) => deleteOldConsents(tx, now - KEPT_AFTER_EXPIRY_MS, from)),
  ...Object.values(DELETE_EXPIRED).map((deleteSome) => inTurns(deleteSome)),
  inTurns((tx, now) =>
    deleteSome(tx, 'requestBatches', ['applicationId', 'number'], (row) => row('endedAt', '<=', now - REQUEST_KEPT_MS)),
  ),
  inTurns((tx, now) => forgetDecisions(tx, now - DECISION_KEPT_MS)),
  passing(OLDEST_EVENT, (tx, now, from) => deleteOldEvents(tx, now - EVENT_KEPT_MS, from)),
  inTurns((tx, now) => deleteOldRides(tx, now - RIDE_KEPT_MS)),
  deleteForgottenWorlds,
  settleWorlds,
];

/**
 * Completes the reset and the deletion of worlds, applications and accounts. Deletes expired credentials, consents without tokens, old decisions, events and rides, and unused
 * sandboxes and passengers of default sandboxes. Settles worlds that a server left unsettled. Runs every step, then throws the errors. Several servers may sweep the same database concurrently.
 */
export async function sweep(parts: SweepParts): Promise<void> {
  await eachInTurn(SWEPT, (part) => part(parts));
}

/** Deletes rows in batches until there are no more. Other work runs in between. */
function inTurns(deleteSome: (tx: Tx, now: number) => Promise<number>) {
  return async ({ store, now }: Pick<Parts, 'store' | 'now'>): Promise<void> => {
    // a transaction is retried if another server's sweep locked the same rows in a different order
    while ((await store.transaction((tx) => deleteSome(tx, now()))) > 0) await nextTurn();
  };
}

/** The same for rows that are passed in order. @param deleteSome returns where to continue */
function passing<Place>(first: Place, deleteSome: (tx: Tx, now: number, from: Place) => Promise<Place | null>) {
  return async ({ store, now }: Pick<Parts, 'store' | 'now'>): Promise<void> => {
    for (let from: Place | null = first; from !== null; await nextTurn()) {
      const place: Place = from;
      from = await store.transaction((tx) => deleteSome(tx, now(), place));
    }
  };
}

/**
 * Sweeps immediately and then every hour, until stopped. Logs a failed sweep; the next one catches up. A sweep that runs
 * when it is stopped ends when the store closes, which is no failure.
 */
export function startSweeper(parts: SweepParts): { stop(): void } {
  let isStopped = false;
  const run = () =>
    void sweep(parts).catch((error: unknown) => {
      if (!isStopped) parts.logger.error({ err: error }, 'the sweep failed: the next one catches up');
    });
  run();
  const timer = setInterval(run, SWEEP_EVERY_MS);
  const stop = () => {
    isStopped = true;
    clearInterval(timer);
  };
  return { stop };
}
