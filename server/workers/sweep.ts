import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import { KEPT, REFRESH_TOKEN_LIMITS } from '../../generated/server.ts';
import { DAY_MS, HOUR_MS } from '../domain/time.ts';
import type { Parts } from '../parts.ts';
import { type ConsentPlace, deleteOldConsents, FIRST_CONSENT } from '../store/consents.ts';
import { forgetDecisions } from '../store/decisions.ts';
import { deleteExpiredDeveloperLinks } from '../store/developer-links.ts';
import { deleteExpiredDevices } from '../store/devices.ts';
import { deleteOldEvents, OLDEST_EVENT, type OldEvent } from '../store/events.ts';
import { deleteExpiredPhoneCodes } from '../store/phone-codes.ts';
import { deleteOldRides } from '../store/rides.ts';
import type { Database } from '../store/schema.ts';
import { deleteExpiredSessions } from '../store/sessions.ts';
import { OF_DEVELOPERS, OF_PASSENGERS } from '../store/sign-in-tables.ts';
import { deleteExpired } from '../store/tokens.ts';
import { finishApplicationEnds } from './application-ends.ts';
import { type DepartureParts, finishDepartures } from './departures.ts';
import { eachInTurn } from './each-in-turn.ts';
import { deleteForgottenWorlds } from './forgotten-worlds.ts';
import { type SettlingParts, settleWorlds } from './settle-world.ts';
import { finishEnds } from './world-ends.ts';

const SWEEP_EVERY_MS = HOUR_MS;
/** How long the server still reports an expired token, and recognizes a code used twice. */
const KEPT_AFTER_EXPIRY_MS = DAY_MS;
/** A refresh token ends after as long without use. */
const REFRESH_TOKEN_KEPT_UNUSED_MS = REFRESH_TOKEN_LIMITS.unusedDays * DAY_MS;
/** How long a decision can be taken. The browser that made it takes it at once. */
const DECISION_KEPT_MS = HOUR_MS;
/** How long an event can be looked up and sent again. */
const EVENT_KEPT_MS = 30 * DAY_MS;

/** How long after its end a live ride can be looked up. */
const RIDE_KEPT_MS = KEPT.rideDays * DAY_MS;

type SweepParts = SettlingParts & DepartureParts & Pick<Parts, 'logger'>;

/** What a sweep does, in order. */
const SWEPT: readonly ((parts: SweepParts) => Promise<void>)[] = [
  settleWorlds,
  finishEnds,
  finishApplicationEnds,
  finishDepartures,
  inTurns((tx, now) => {
    const before = now - KEPT_AFTER_EXPIRY_MS;
    return deleteExpired(tx, before, before - REFRESH_TOKEN_KEPT_UNUSED_MS);
  }),
  sweepConsents,
  ...[OF_PASSENGERS, OF_DEVELOPERS].flatMap((tables) => [
    inTurns((tx, now) => deleteExpiredSessions(tx, tables, now)),
    inTurns((tx, now) => deleteExpiredDevices(tx, tables, now)),
  ]),
  inTurns(deleteExpiredDeveloperLinks),
  inTurns(deleteExpiredPhoneCodes),
  inTurns((tx, now) => forgetDecisions(tx, now - DECISION_KEPT_MS)),
  sweepEvents,
  inTurns((tx, now) => deleteOldRides(tx, now - RIDE_KEPT_MS)),
  deleteForgottenWorlds,
];

/**
 * Settles, resets and deletes the worlds that a server left half done; finishes the deletion of applications and accounts; deletes expired
 * credentials, consents without any, old decisions, events and rides, and unused sandboxes. Throws what failed once all else is done. Several
 * servers may sweep the same database at once.
 */
export async function sweep(parts: SweepParts): Promise<void> {
  await eachInTurn(SWEPT, (part) => part(parts));
}

/** Deletes some rows until none is left. Others are served in between. */
function inTurns(deleteSome: (tx: Transaction<Database>, now: number) => Promise<number>) {
  return async ({ store, now }: Pick<Parts, 'store' | 'now'>): Promise<void> => {
    // a transaction runs again if the sweep of another server locked the same rows in another order
    while ((await store.transaction((tx) => deleteSome(tx, now()))) > 0) await nextTurn();
  };
}

/** After the tokens: a consent whose last token has just gone goes too. */
async function sweepConsents({ store, now }: Pick<Parts, 'store' | 'now'>): Promise<void> {
  let after: ConsentPlace | null = FIRST_CONSENT;
  while (after !== null) {
    const from: ConsentPlace = after;
    after = await store.transaction((tx) => deleteOldConsents(tx, now() - KEPT_AFTER_EXPIRY_MS, from));
    await nextTurn();
  }
}

async function sweepEvents({ store, now }: Pick<Parts, 'store' | 'now'>): Promise<void> {
  let after: OldEvent | null = OLDEST_EVENT;
  while (after !== null) {
    const from: OldEvent = after;
    after = await store.transaction((tx) => deleteOldEvents(tx, now() - EVENT_KEPT_MS, from));
    await nextTurn();
  }
}

/** Sweeps at once and then every hour, until it is stopped. A failed sweep is logged, and the next one catches up. */
export function startSweeper(parts: SweepParts): { stop(): void } {
  const run = () =>
    void sweep(parts).catch((error: unknown) => parts.logger.error({ err: error }, 'what has expired stays for now'));
  run();
  const timer = setInterval(run, SWEEP_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
