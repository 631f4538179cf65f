import { isStorable, mayChange, noApplication } from '../../applications/by.ts';
import { findOwnApplication, type OwnApplication } from '../../store/applications.ts';
import type { Queries } from '../../store/schema.ts';
import type { PortalVisit } from '../page.ts';

/** The application in the path. Throws Refusal `not_found` for an unknown one and for another developer's. */
export async function ownApplication(
  db: Queries,
  { params: { application: id = '' }, account: developer }: Pick<PortalVisit, 'params' | 'account'>,
): Promise<OwnApplication> {
  const application = isStorable(id) ? await findOwnApplication(db, id) : undefined;
  if (application === undefined || !mayChange(application, developer.id)) throw noApplication();
  return application;
}
