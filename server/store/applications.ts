import { type Application, FIELDS, type Offer, type OwnApplication } from '../domain/application.ts';
import { APPLICATION_DATA, type Erased, type Exported, fieldsThatAre } from '../domain/personal-data.ts';
import { hasRowLocks, listOf } from './engine/dialect.ts';
import { prepared } from './engine/prepared.ts';
import { flagged } from './flag.ts';
import { insertIfAbsent } from './on-conflict.ts';
import type { Database, Page, Queries, Tx } from './schema.ts';

/** An application with the fields that its owner and operators see. */
export type ShownApplication = Pick<OwnApplication, Exported<typeof APPLICATION_DATA>>;

/** The application was deleted after it was read. */
export class ApplicationGone extends Error {
  override readonly name = 'ApplicationGone';

  constructor(id: string) {
    super(`The application ${id} no longer exists.`);
  }
}

/**
 * @returns whether it was inserted. An existing application with this id stays unchanged. A deleted one stays deleted
 *   while it may have data left
 */
export async function insertApplicationIfAbsent(db: Queries, application: OwnApplication): Promise<boolean> {
  const row = { ...flagged(application), redirectUris: JSON.stringify(application.redirectUris) };
  if (!(await insertIfAbsent(db, 'applications', row))) return false;
  // after the insert, which may have waited for the deletion
  const { numDeletedRows } = await db
    .deleteFrom('applications')
    .where('id', '=', application.id)
    .where('id', 'in', (row) => row.selectFrom('deletedApplications').select('deletedApplications.id'))
    .executeTakeFirstOrThrow();
  return numDeletedRows === 0n;
}

export async function findApplication(db: Queries, id: string): Promise<Application | undefined> {
  const [row] = (await applicationQuery(db, { id })).rows;
  return row && { ...row, redirectUris: JSON.parse(row.redirectUris) };
}

const applicationQuery = prepared((db, { id }: Pick<Application, 'id'>) =>
  db.selectFrom('applications').select(APPLICATION_COLUMNS).where('id', '=', id),
);

/** Locks an application until the transaction ends, so that concurrent changes run one after the other. */
export async function holdApplication(tx: Tx, id: string): Promise<OwnApplication | undefined> {
  const query = tx.selectFrom('applications').selectAll().where('id', '=', id);
  const row = await (hasRowLocks(tx) ? query.forUpdate() : query).executeTakeFirst();
  return row && toOwn(row);
}

export async function findOwnApplication(db: Queries, id: string): Promise<ShownApplication | undefined> {
  const row = await db.selectFrom('applications').select(SHOWN_COLUMNS).where('id', '=', id).executeTakeFirst();
  return row && toOwn(row);
}

/** Oldest first. @param developerId the owner; absent: all */
export async function listApplications(db: Queries, developerId?: string): Promise<readonly ShownApplication[]> {
  const rows = await db
    .selectFrom('applications')
    .select(SHOWN_COLUMNS)
    .$if(developerId !== undefined, (query) => query.where('developerId', '=', developerId!))
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map(toOwn);
}

/** An application with its developer's email; null if it has no developer. */
export interface ListedApplication extends ShownApplication {
  readonly developerEmail: string | null;
}

/** Oldest first. @param developerId the owner; null: all */
export async function pageOfApplications(
  db: Queries,
  { developerId, after, limit }: Page<Pick<Application, 'createdAt' | 'id'>> & { readonly developerId: string | null },
): Promise<readonly ListedApplication[]> {
  const rows = await db
    .selectFrom('applications')
    .leftJoin('developers', 'developers.id', 'applications.developerId')
    .select(SHOWN_COLUMNS)
    .select('developers.email as developerEmail')
    .$if(developerId !== null, (query) => query.where('applications.developerId', '=', developerId!))
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('applications.createdAt', 'applications.id'), '>', tuple(after!.createdAt, after!.id)),
      ),
    )
    .orderBy('applications.createdAt')
    .orderBy('applications.id')
    .limit(limit)
    .execute();
  return rows.map(toOwn);
}

export async function hasApplicationBeside(db: Queries, id: string): Promise<boolean> {
  const row = await db.selectFrom('applications').select('id').where('id', '<>', id).limit(1).executeTakeFirst();
  return row !== undefined;
}

export async function countApplications(db: Queries, developerId: string): Promise<number> {
  return (await countApplicationsOf(db, [developerId])).get(developerId) ?? 0;
}

/** The number of applications of some developers, by developer ID. A developer with none is absent. */
export async function countApplicationsOf(
  db: Queries,
  developerIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('applications')
    .select((row) => ['developerId', row.fn.countAll<number>().as('count')])
    .where('developerId', 'in', listOf(db, developerIds))
    .groupBy('developerId')
    .execute();
  return new Map(rows.map(({ developerId, count }) => [developerId!, Number(count)]));
}

/** Counts a new sandbox of an application. @returns how many it has created so far. Throws ApplicationGone. */
export async function countWorldMade(tx: Tx, id: string): Promise<number> {
  const { worldsMade } = await tx
    .updateTable('applications')
    .set((row) => ({ worldsMade: row('worldsMade', '+', 1) }))
    .where('id', '=', id)
    .returning('worldsMade')
    .executeTakeFirstOrThrow(() => new ApplicationGone(id));
  return worldsMade;
}

/** Whether a refresh rotates this application's refresh token. Throws ApplicationGone. */
export async function rotatesRefreshTokens(db: Queries, id: string): Promise<boolean> {
  const [row] = (await rotationQuery(db, { id })).rows;
  if (row === undefined) throw new ApplicationGone(id);
  return row.rotatesRefreshTokens === 1;
}

const rotationQuery = prepared((db, { id }: Pick<Application, 'id'>) =>
  db.selectFrom('applications').select('rotatesRefreshTokens').where('id', '=', id),
);

type Settings = Pick<OwnApplication, 'name' | 'redirectUris' | 'rotatesRefreshTokens' | 'liveEventsSince'>;

/** Rotation takes effect at the next refresh. Existing refresh tokens stay valid. */
export function setSettings(db: Queries, id: string, { redirectUris, ...others }: Partial<Settings>): Promise<void> {
  return updateApplication(db, id, {
    ...flagged(others),
    ...(redirectUris && { redirectUris: JSON.stringify(redirectUris) }),
  });
}

/** Also ends the offer. The new owner decides again whether the live secret, which others know, can read events. */
export function setOwner(db: Queries, id: string, developerId: string): Promise<void> {
  const erased: Pick<ApplicationRow, Erased<typeof APPLICATION_DATA>> = {
    developerId,
    ...NO_OFFER,
    liveEventsSince: null,
  };
  return updateApplication(db, id, erased);
}

/** @param offer null: none */
export function setOffer(db: Queries, id: string, offer: Offer | null): Promise<void> {
  return updateApplication(db, id, offer ?? NO_OFFER);
}

/** Locks the applications that are offered to a developer, also in the past. @returns how many */
export async function holdOffersTo(tx: Tx, developerId: string): Promise<number> {
  const offered = tx.selectFrom('applications').select('id').where('offeredTo', '=', developerId).orderBy('id');
  return (await offered.$if(hasRowLocks(tx), (query) => query.forUpdate()).execute()).length;
}

export async function endOffersTo(db: Queries, developerId: string): Promise<void> {
  await db.updateTable('applications').set(NO_OFFER).where('offeredTo', '=', developerId).execute();
}

export const NO_OFFER: Offer = { offeredTo: null, offerEndsAt: null };

/** The applications that are offered to a developer; the offer that ends first comes first. */
export async function offersTo(
  db: Queries,
  developerId: string,
  realNow: number,
): Promise<readonly ShownApplication[]> {
  const rows = await openOffers(db, developerId, realNow)
    .select(SHOWN_COLUMNS)
    .orderBy('offerEndsAt')
    .orderBy('id')
    .execute();
  return rows.map(toOwn);
}

export async function countOffers(db: Queries, developerId: string, realNow: number): Promise<number> {
  const count = openOffers(db, developerId, realNow).select((row) => row.fn.countAll<number>().as('count'));
  return Number((await count.executeTakeFirstOrThrow()).count);
}

function openOffers(db: Queries, developerId: string, realNow: number) {
  return db.selectFrom('applications').where('offeredTo', '=', developerId).where('offerEndsAt', '>', realNow);
}

export async function updateApplication(db: Queries, id: string, changes: Partial<ApplicationRow>): Promise<void> {
  await db.updateTable('applications').set(changes).where('id', '=', id).execute();
}

/** Gives an application to a developer if it has none. */
export async function adoptApplication(db: Queries, id: string, developerId: string): Promise<void> {
  await db
    .updateTable('applications')
    .set({ developerId })
    .where('id', '=', id)
    .where('developerId', 'is', null)
    .execute();
}

function toOwn<Row extends Pick<ApplicationRow, 'redirectUris' | 'rotatesRefreshTokens'>>(row: Row) {
  const redirectUris: OwnApplication['redirectUris'] = JSON.parse(row.redirectUris);
  return { ...row, redirectUris, rotatesRefreshTokens: row.rotatesRefreshTokens === 1 };
}

const SHOWN_COLUMNS = fieldsThatAre('exported', APPLICATION_DATA).map((name) => `applications.${name}` as const);

const APPLICATION_COLUMNS = [
  ...([
    'id',
    'name',
    'developerId',
    'redirectUris',
    'sandboxWorldId',
    'createdAt',
    'webhookFailingSince',
    'liveEventsSince',
  ] as const),
  ...Object.values(FIELDS.live),
  ...Object.values(FIELDS.sandbox),
];

type ApplicationRow = Database['applications'];
