import type { Audit } from '../audit.ts';
import type { OwnApplication } from '../domain/application.ts';
import { Refusal } from '../domain/refusal.ts';
import { oneByOne } from '../limits/one-by-one.ts';
import { holdApplication } from '../store/applications.ts';
import type { Store } from '../store/engine/open.ts';
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
async function holdOwn(tx: Tx, id: string, { developerId }: By): Promise<OwnApplication> {
  const application = isStorable(id) ? await holdApplication(tx, id) : undefined;
  if (application === undefined || !mayChange(application, developerId)) throw noApplication();
  return application;
}

const inOrder = oneByOne();

/**
 * Runs a transaction that locks an application after the others of this process: on PostgreSQL, each that waits for a row
 * keeps a connection. Throws like `holdOwn`.
 * @param hold locks the application, and refuses a developer who may not change it
 */
export function changeOwn<T>(
  { transaction }: Pick<Store, 'transaction'>,
  by: By,
  id: string,
  work: (tx: Tx, application: OwnApplication) => Promise<T>,
  hold = holdOwn,
): Promise<T> {
  return inOrder(id, () => transaction(async (tx) => work(tx, await hold(tx, id, by))));
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
