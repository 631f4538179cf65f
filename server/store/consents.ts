import { sql } from 'kysely';
import { DAY_MS } from '../domain/time.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { MOST_ROWS_SWEPT_AT_ONCE } from './delete-some.ts';
import { DROPPED } from './deliveries/record.ts';
import { hasRowLocks, listOfColumn } from './engine/dialect.ts';
import { equal } from './equal.ts';
import { revoking } from './revoke-tokens.ts';
import type { ConsentRow, Queries, RefreshTokenRow, Tx } from './schema.ts';
import { scopesIn } from './scope-text.ts';

/** Older rides produce no more events: they are paid, and their deliveries have ended. */
const RIDE_TELLS_MS = 30 * DAY_MS;

/** An application's current access to a passenger's account. Times are real, in milliseconds UTC. */
export interface AllowedApplication {
  readonly id: string;
  readonly name: string;
  /** The scopes of all its valid tokens and codes. */
  readonly scopes: readonly string[];
  readonly lastAllowedAt: number;
  /** When its access expires; null: the application can refresh its access. */
  readonly endsAt: number | null;
}

export async function noteConsent(
  db: Queries,
  { passengerId, applicationId, at }: Pick<ConsentRow, 'passengerId' | 'applicationId'> & { readonly at: number },
): Promise<void> {
  await db
    .insertInto('consents')
    .values({ passengerId, applicationId, firstAllowedAt: at, lastAllowedAt: at })
    .onConflict((conflict) => conflict.columns(['passengerId', 'applicationId']).doUpdateSet({ lastAllowedAt: at }))
    .execute();
}

/** All consents that a passenger has not revoked, even without valid tokens. */
export async function consentsOf(db: Queries, passengerId: string) {
  return db
    .selectFrom('consents')
    .innerJoin('applications', 'applications.id', 'consents.applicationId')
    .select(['applications.id', 'applications.name', 'consents.firstAllowedAt', 'consents.lastAllowedAt'])
    .where('consents.passengerId', '=', passengerId)
    .orderBy('consents.firstAllowedAt')
    .orderBy('applications.id')
    .execute();
}

/**
 * Applications with valid tokens or codes of a passenger, in the live world or a sandbox, ordered by name.
 * @param endedIfLastUsedBy refresh tokens last used by then count as expired
 */
export async function allowedApplications(
  db: Queries,
  passengerId: string,
  { at, endedIfLastUsedBy }: { readonly at: number; readonly endedIfLastUsedBy: number },
): Promise<readonly AllowedApplication[]> {
  type Held = Pick<AllowedApplication, 'id' | 'name' | 'endsAt'> &
    Pick<RefreshTokenRow, 'scopes' | 'issuedAt'> & { readonly lastAllowedAt: number | null };
  // tokens of stand-ins in sandboxes have the same passenger ID; grouped, because there may be thousands
  const inWorlds = sql`world_id in (select world_id from passengers where id = ${passengerId}) and passenger_id = ${passengerId}`;
  const found = sql<Held>`(
    with held as (
      select application_id, scopes, min(issued_at) as issued_at, null as ends_at from refresh_tokens
      where ${inWorlds} and revoked_at is null and last_used_at > ${endedIfLastUsedBy} group by application_id, scopes
      union all
      select application_id, scopes, min(issued_at), max(expires_at) from access_tokens
      where ${inWorlds} and revoked_at is null and expires_at > ${at} group by application_id, scopes
      union all
      select application_id, scopes, min(issued_at), max(expires_at) from authorization_codes
      where passenger_id = ${passengerId} and used_at is null and expires_at > ${at} group by application_id, scopes
    )
    select application.id, application.name, held.scopes, held.issued_at, held.ends_at, consent.last_allowed_at
    from held join applications as application on application.id = held.application_id
    left join consents as consent
      on consent.application_id = held.application_id and consent.passenger_id = ${passengerId}
  )`;
  const rows = await db.selectFrom(found.as('found')).selectAll().orderBy('name').orderBy('id').execute();
  const byId = new Map<string, Held[]>();
  for (const row of rows) byId.set(row.id, [...(byId.get(row.id) ?? []), row]);
  return [...byId.values()].map((held) => {
    const { id, name, lastAllowedAt } = held[0]!;
    return {
      id,
      name,
      scopes: [...new Set(held.flatMap(({ scopes }) => scopesIn(scopes)))],
      // tokens from before consents were recorded have only their own time
      lastAllowedAt: lastAllowedAt ?? Math.min(...held.map(({ issuedAt }) => issuedAt)),
      endsAt: held.some(({ endsAt }) => endsAt === null) ? null : Math.max(...held.map(({ endsAt }) => endsAt!)),
    };
  });
}

/**
 * Ends applications' access to a passenger's account: pending decisions, codes and tokens, including those of stand-ins
 * in sandboxes. Deletes in the order of the token exchange, so that a concurrent exchange either fails or has its
 * result revoked too.
 * @param applicationId absent for all applications
 * @returns whether it revoked something
 */
export async function endAccess(tx: Tx, passengerId: string, at: number, applicationId?: string): Promise<boolean> {
  const access = { passengerId, ...(applicationId !== undefined && { applicationId }) };
  const ofPassenger = tx.selectFrom('sessions').select('tokenHash').where('accountId', '=', passengerId);
  await tx.deleteFrom('decisions').where('sessionHash', 'in', ofPassenger).execute();
  const codes = await tx
    .updateTable('authorizationCodes')
    .set({ usedAt: at })
    .where(equal(access))
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', at)
    .executeTakeFirstOrThrow();
  const worlds = tx.selectFrom('passengers').select('worldId').where('id', '=', passengerId);
  const tokens = (table: 'accessGrants' | 'refreshTokens') =>
    revoking(tx, table, at).where('worldId', 'in', worlds).where(equal(access));
  const refreshTokens = await tokens('refreshTokens').executeTakeFirstOrThrow();
  const accessTokens = await tokens('accessGrants').where('expiresAt', '>', at).executeTakeFirstOrThrow();
  await tx.deleteFrom('consents').where(equal(access)).execute();
  await silenceRides(tx, access, at);
  return [codes, refreshTokens, accessTokens].some(({ numUpdatedRows }) => numUpdatedRows > 0n);
}

/**
 * Stops sending applications information about a passenger's live rides. A concurrent change locks the ride: either it
 * finds the ride silent, or this transaction drops its events. Stand-ins contain no data of the passenger.
 */
async function silenceRides(
  tx: Tx,
  access: Pick<ConsentRow, 'passengerId'> & Partial<ConsentRow>,
  at: number,
): Promise<void> {
  const silenced = await tx
    .updateTable('rides')
    .set({ silent: 1 })
    .where(equal({ worldId: LIVE_WORLD.id, ...access }))
    .where('requestedAt', '>', at - RIDE_TELLS_MS)
    .where('silent', '=', 0)
    .returning('id')
    .execute();
  if (silenced.length === 0) return;
  const ids = listOfColumn(tx, silenced, 'id');
  const waiting = await tx
    .selectFrom('deliveries')
    .select('eventId')
    .where('status', '=', 'pending')
    .where('eventId', 'in', (row) =>
      row.selectFrom('events').select('eventId').where('worldId', '=', LIVE_WORLD.id).where('rideId', 'in', ids),
    )
    // lock order: by id; recording attempts locks in the same order
    .orderBy('eventId')
    .$if(hasRowLocks(tx), (query) => query.forUpdate())
    .execute();
  if (waiting.length === 0) return;
  await tx
    .updateTable('deliveries')
    .set(DROPPED)
    .where('eventId', 'in', listOfColumn(tx, waiting, 'eventId'))
    .execute();
}

export type ConsentPlace = Pick<ConsentRow, 'passengerId' | 'applicationId'>;

export const FIRST_CONSENT: ConsentPlace = { passengerId: '', applicationId: '' };

/**
 * Reads the next batch of consents. Deletes those last given before `before` that have no token or code left in any
 * world.
 * @param before real milliseconds UTC; a newer consent may not have its code yet
 * @returns the end of this batch; null when there are no more
 */
export async function deleteOldConsents(tx: Tx, before: number, after: ConsentPlace): Promise<ConsentPlace | null> {
  const place = sql`(passenger_id, application_id)`;
  const from = sql<boolean>`${place} > (${after.passengerId}, ${after.applicationId})`;
  const next = await tx
    .selectFrom('consents')
    .select(['passengerId', 'applicationId'])
    .where(from)
    .orderBy('passengerId')
    .orderBy('applicationId')
    .limit(MOST_ROWS_SWEPT_AT_ONCE)
    .execute();
  const last = next.at(-1);
  if (last === undefined) return null;
  const ofConsent = sql`passenger_id = consents.passenger_id and application_id = consents.application_id`;
  // the worlds of the passenger and of their stand-ins, which have the same ID: the index of tokens begins with the world
  const inWorlds = sql`world_id in (select world_id from passengers where id = consents.passenger_id)`;
  await tx
    .deleteFrom('consents')
    .where(from)
    .where(sql<boolean>`${place} <= (${last.passengerId}, ${last.applicationId})`)
    .where('lastAllowedAt', '<', before)
    .where(sql<boolean>`not exists (select 1 from authorization_codes where ${ofConsent})`)
    .where(sql<boolean>`not exists (select 1 from refresh_tokens where ${inWorlds} and ${ofConsent})`)
    .where(sql<boolean>`not exists (select 1 from access_grants where ${inWorlds} and ${ofConsent})`)
    .execute();
  return last;
}
