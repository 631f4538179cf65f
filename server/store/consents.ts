import { sql } from 'kysely';
import { DAY_MS } from '../domain/time.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { MOST_ROWS_SWEPT_AT_ONCE } from './delete-some.ts';
import { DROPPED } from './deliveries/record.ts';
import { rowsOf } from './engine/changes.ts';
import { hasRowLocks, listOfColumn } from './engine/dialect.ts';
import { equal } from './equal.ts';
import { revoking } from './revoke-tokens.ts';
import type { ConsentRow, Queries, Tx } from './schema.ts';
import { scopesIn } from './scope-text.ts';

/** Older rides produce no more events: they are paid, and their deliveries have ended. */
const RIDE_TELLS_MS = 30 * DAY_MS;

/** An application's current access to a passenger's account. Times are real, in milliseconds UTC. */
export interface AllowedApplication {
  readonly id: string;
  readonly name: string;
  /** The scopes of all its valid tokens and codes. Empty: its access has ended, but it may still get events of a ride. */
  readonly scopes: readonly string[];
  readonly lastAllowedAt: number;
  /** When its access expires; null: the application can refresh its access. */
  readonly endsAt: number | null;
}

export interface AllowedSearch {
  readonly at: number;
  readonly endedIfLastUsedBy: number;
  /** The ID of the application after which the page begins. */
  readonly after: string;
  readonly limit: number;
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
 * Applications that a passenger has allowed, ordered by ID, and what their valid tokens and codes in the live world and
 * their sandboxes permit.
 * @param endedIfLastUsedBy refresh tokens last used by then count as expired
 */
export async function allowedApplications(
  db: Queries,
  passengerId: string,
  { at, endedIfLastUsedBy, after, limit }: AllowedSearch,
): Promise<AllowedApplication[]> {
  // tokens of stand-ins in sandboxes have the same passenger ID; SQLite keeps the order of a cross join
  const ofPage = sql`passenger_id = ${passengerId} and application_id = page.id`;
  const inWorlds = sql`world_id in (${LIVE_WORLD.id}, page.sandbox_world_id) and ${ofPage}`;
  type Held = Pick<AllowedApplication, 'id' | 'name' | 'lastAllowedAt' | 'endsAt'> & { readonly scopes: string | null };
  const rows = await rowsOf(
    db,
    sql<Held>`
      with page as (
        select application.id, application.name, application.sandbox_world_id, consent.last_allowed_at
        from consents as consent join applications as application on application.id = consent.application_id
        where consent.passenger_id = ${passengerId} and consent.application_id > ${after}
        order by consent.application_id limit ${sql.lit(limit)}
      ), held as (
        select application_id, scopes, cast(null as bigint) as ends_at from page cross join refresh_tokens
        where ${inWorlds} and revoked_at is null and last_used_at > ${endedIfLastUsedBy} group by application_id, scopes
        union all
        select application_id, scopes, max(issued.expires_at)
        from page cross join access_grants cross join issued_tokens as issued
        where ${inWorlds} and grant_id = access_grants.id and access_grants.revoked_at is null
        and issued.revoked_at is null and issued.expires_at > ${at} group by application_id, scopes
        union all
        select application_id, scopes, max(expires_at) from page cross join authorization_codes
        where ${ofPage} and used_at is null and expires_at > ${at} group by application_id, scopes
      )
      select page.id, page.name, page.last_allowed_at, held.scopes, held.ends_at
      from page left join held on held.application_id = page.id order by page.id`,
  );
  const byId = new Map<string, Held[]>();
  for (const row of rows) byId.set(row.id, [...(byId.get(row.id) ?? []), row]);
  return [...byId.values()].map((held) => {
    const { id, name, lastAllowedAt } = held[0]!;
    return {
      ...{ id, name, lastAllowedAt },
      scopes: [...new Set(held.flatMap(({ scopes }) => (scopes === null ? [] : scopesIn(scopes))))],
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
  // before the codes: a consent that commits meanwhile is either ended whole, or stays listed
  const consents = await tx.deleteFrom('consents').where(equal(access)).executeTakeFirstOrThrow();
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
  await silenceRides(tx, access, at);
  const ended = [codes, refreshTokens, accessTokens].some(({ numUpdatedRows }) => numUpdatedRows > 0n);
  return ended || consents.numDeletedRows > 0n;
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
    .where(equal(access))
    // worded as in the partial index: repeated for other applications, this must not read all rides
    .where(sql<boolean>`silent = 0 and not (world_id <> 'live')`)
    .where('requestedAt', '>', at - RIDE_TELLS_MS)
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
 * Reads the next batch of consents. Deletes those last given before `before` that have no token or code left, unless the
 * application may still be told of the passenger's latest ride.
 * @param before real milliseconds UTC; a newer consent may not have its code yet
 * @returns the end of this batch; null when there are no more
 */
export async function deleteOldConsents(tx: Tx, before: number, after: ConsentPlace): Promise<ConsentPlace | null> {
  const place = sql`(passenger_id, application_id)`;
  const some = tx
    .selectFrom('consents')
    .select(['passengerId', 'applicationId'])
    .where(sql<boolean>`${place} > (${after.passengerId}, ${after.applicationId})`)
    .orderBy('passengerId')
    .orderBy('applicationId')
    .limit(MOST_ROWS_SWEPT_AT_ONCE);
  const last = (await some.execute()).at(-1);
  if (last === undefined) return null;
  const ofConsent = sql`passenger_id = consents.passenger_id and application_id = consents.application_id`;
  // not all worlds with a stand-in, of which there are as many as consents
  const inWorlds = sql`world_id in (
    ${LIVE_WORLD.id}, (select sandbox_world_id from applications where id = consents.application_id)
  )`;
  await tx
    .deleteFrom('consents')
    // not a range: PostgreSQL would expect a quarter of the table in it, and compile the statement each time
    .where(sql<boolean>`${place} in ${some}`)
    .where('lastAllowedAt', '<', before)
    .where(sql<boolean>`not exists (select 1 from authorization_codes where ${ofConsent})`)
    .where(sql<boolean>`not exists (select 1 from refresh_tokens where ${inWorlds} and ${ofConsent})`)
    .where(sql<boolean>`not exists (select 1 from access_grants where ${inWorlds} and ${ofConsent})`)
    // each ride settles the payment for the one before
    .where(
      sql<boolean>`coalesce((
        select case when silent = 0 and requested_at > ${before - RIDE_TELLS_MS} then application_id end
        from rides where world_id = ${LIVE_WORLD.id} and passenger_id = consents.passenger_id
        order by requested_at desc limit 1
      ), '') <> consents.application_id`,
    )
    .execute();
  return last;
}
