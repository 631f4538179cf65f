import type { Transaction } from 'kysely';
import { countApplications } from '../store/applications.ts';
import { deleteDeveloperLinkOf } from '../store/developer-links.ts';
import { type Developer, deleteDeveloper, holdDeveloper } from '../store/developers.ts';
import type { Database } from '../store/schema.ts';
import { deleteSignIns } from '../store/sessions.ts';
import { OF_DEVELOPERS } from '../store/sign-in-tables.ts';

/**
 * Deletes a developer with their sessions and links, unless they own applications.
 * @param passwordHash of the password that was checked; absent: none was
 * @returns what was done: nothing if they are gone, their password is another one by now, or they own applications
 */
export async function leaveDeveloper(
  tx: Transaction<Database>,
  { id, email }: Pick<Developer, 'id' | 'email'>,
  passwordHash?: string,
): Promise<{ readonly outcome: 'deleted' | 'gone' | 'stale' | 'owner'; readonly applications: number }> {
  // no application is made for them, or transferred to them, while they are held
  const held = await holdDeveloper(tx, id);
  if (held === undefined) return { outcome: 'gone', applications: 0 };
  if (passwordHash !== undefined && held !== passwordHash) return { outcome: 'stale', applications: 0 };
  const applications = await countApplications(tx, id);
  if (applications > 0) return { outcome: 'owner', applications };
  await deleteSignIns(tx, OF_DEVELOPERS, id);
  await deleteDeveloperLinkOf(tx, email);
  await deleteDeveloper(tx, id);
  return { outcome: 'deleted', applications };
}
