import { forgetOffersTo } from '../store/application-log.ts';
import { countApplications, countOffers, endOffersTo, holdOffersTo } from '../store/applications.ts';
import { deleteDeveloperLinkOf } from '../store/developer-links.ts';
import { type Developer, deleteDeveloper, holdDeveloper } from '../store/developers.ts';
import type { Tx } from '../store/schema.ts';
import { deleteSignIns } from '../store/sessions.ts';
import { OF_DEVELOPERS } from '../store/sign-in-tables.ts';
import { StaleVersion } from '../store/transaction.ts';

/**
 * Deletes a developer with their sessions, links and offers, unless they own applications.
 * @param passwordHash hash of the verified password; absent: none was verified
 * @returns the outcome. Nothing changes if the developer is already gone, the password has changed, or they own
 *   applications
 */
export async function leaveDeveloper(
  tx: Tx,
  { id, email }: Pick<Developer, 'id' | 'email'>,
  passwordHash?: string,
): Promise<{ readonly outcome: 'deleted' | 'gone' | 'stale' | 'owner'; readonly applications: number }> {
  // lock order: applications, then the developer
  const offers = await holdOffersTo(tx, id);
  // while this lock is held, they cannot get an application or an offer
  const held = await holdDeveloper(tx, id);
  if (held === undefined) return { outcome: 'gone', applications: 0 };
  if (passwordHash !== undefined && held !== passwordHash) return { outcome: 'stale', applications: 0 };
  const applications = await countApplications(tx, id);
  if (applications > 0) return { outcome: 'owner', applications };
  // to wait now for the application of an offer that came meanwhile could deadlock, so all runs again
  if ((await countOffers(tx, id, 0)) !== offers) throw new StaleVersion('Another application is offered now');
  await endOffersTo(tx, id);
  await forgetOffersTo(tx, id);
  await deleteSignIns(tx, OF_DEVELOPERS, id);
  await deleteDeveloperLinkOf(tx, email);
  await deleteDeveloper(tx, id);
  return { outcome: 'deleted', applications };
}
