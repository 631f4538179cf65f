import type { DeveloperLinkRow, Queries } from './schema.ts';
import { MOST_ROWS_SWEPT_AT_ONCE } from './tokens.ts';

/**
 * A link that an operator hands on, and that works once: to invite a developer, or to set a developer's password. Only the
 * hash of its token is stored. Instants are real milliseconds UTC.
 */
export type DeveloperLink = Readonly<DeveloperLinkRow>;

/** Saves a link in place of the one that was made for its email before. Of two at once, the later one stays. */
export async function saveDeveloperLink(db: Queries, link: DeveloperLink): Promise<void> {
  const { tokenHash, developerId, expiresAt } = link;
  await db
    .insertInto('developerLinks')
    .values(link)
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ tokenHash, developerId, expiresAt }))
    .execute();
}

/** Returns an expired link too. */
export async function findDeveloperLink(db: Queries, tokenHash: string): Promise<DeveloperLink | undefined> {
  return db.selectFrom('developerLinks').selectAll().where('tokenHash', '=', tokenHash).executeTakeFirst();
}

/** Deletes and returns a link, an expired one too; undefined when it is absent or another call has taken it. */
export async function takeDeveloperLink(db: Queries, tokenHash: string): Promise<DeveloperLink | undefined> {
  return db.deleteFrom('developerLinks').where('tokenHash', '=', tokenHash).returningAll().executeTakeFirst();
}

/** Deletes the link that was made for an email, if there is one: an invitation, or one for a new password. @param email in lower case */
export async function deleteDeveloperLinkOf(db: Queries, email: string): Promise<void> {
  await db.deleteFrom('developerLinks').where('email', '=', email).execute();
}

/** Deletes some expired links. @returns how many; 0 when none is left */
export async function deleteExpiredDeveloperLinks(db: Queries, at: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('developerLinks')
    .where('tokenHash', 'in', (row) =>
      row.selectFrom('developerLinks').select('tokenHash').where('expiresAt', '<=', at).limit(MOST_ROWS_SWEPT_AT_ONCE),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
