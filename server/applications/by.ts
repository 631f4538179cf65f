import type { Audit } from '../audit.ts';
import type { OwnApplication } from '../domain/application.ts';
import { Refusal } from '../domain/refusal.ts';
import { holdApplication } from '../store/applications.ts';
import type { Tx } from '../store/schema.ts';

/** Who changes an application, and from where. */
export interface By {
  /** Null: an operator, who can change every application. */
  readonly developerId: string | null;
  /** As in the audit trail; null for operators. */
  readonly network: string | null;
  readonly realNow: number;
  readonly audit: Audit;
}

/**
 * Locks an application of this developer. Throws Refusal `not_found` for an unknown application and for another
 * developer's, so that no one learns which ids exist.
 */
export async function holdOwn(tx: Tx, id: string, { developerId }: By): Promise<OwnApplication> {
  const application = isStorable(id) ? await holdApplication(tx, id) : undefined;
  if (application === undefined || !mayChange(application, developerId)) throw noApplication();
  return application;
}

export function mayChange({ developerId: owner }: Pick<OwnApplication, 'developerId'>, developerId: string | null) {
  return developerId === null || owner === developerId;
}

export function noApplication(): Refusal {
  return new Refusal('not_found', 'No application has this ID.');
}

/** PostgreSQL rejects NUL, even in a lookup. */
export function isStorable(id: string): boolean {
  return !id.includes('\0');
}
