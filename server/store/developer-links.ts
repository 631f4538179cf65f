import type { DeveloperLinkRow, Queries } from './schema.ts';

/**
 * A single-use link that an operator passes on: it invites a developer or resets a developer's password. Only the hash
 * of its token is stored. Times are real, in milliseconds UTC.
 */
export type DeveloperLink = Readonly<DeveloperLinkRow>;

/** Saves a link and replaces the previous one for the same email. Of two concurrent links, the later one wins. */
export async function saveDeveloperLink(db: Queries, link: DeveloperLink): Promise<void> {
  const { tokenHash, developerId, expiresAt } = link;
  await db
    .insertInto('developerLinks')
    .values(link)
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ tokenHash, developerId, expiresAt }))
    .execute();
}

/** Returns expired links too. */
export async function findDeveloperLink(db: Queries, tokenHash: string): Promise<DeveloperLink | undefined> {
  return db.selectFrom('developerLinks').selectAll().where('tokenHash', '=', tokenHash).executeTakeFirst();
}

/** Deletes and returns a link, even an expired one; undefined when there is none or another call has taken it. */
export async function takeDeveloperLink(db: Queries, tokenHash: string): Promise<DeveloperLink | undefined> {
  return db.deleteFrom('developerLinks').where('tokenHash', '=', tokenHash).returningAll().executeTakeFirst();
}

/** Deletes the invitation or password reset link of an email, if there is one. @param email in lower case */
export async function deleteDeveloperLinkOf(db: Queries, email: string): Promise<void> {
  await db.deleteFrom('developerLinks').where('email', '=', email).execute();
}
