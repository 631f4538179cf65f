import type { Audit } from '../audit.ts';
import { Refusal } from '../domain/refusal.ts';
import { insertLogEntry } from '../store/application-log.ts';
import { holdApplication, type OwnApplication } from '../store/applications.ts';
import type { Tx } from '../store/schema.ts';

/** Who changes an application, and from where. */
export interface By {
  /** Null: an operator, who can change every application. */
  readonly developerId: string | null;
  /** As in the audit trail; null for operators. */
  readonly network: string | null;
  /** Real time, in milliseconds UTC. */
  readonly realNow: number;
  readonly audit: Audit;
}

export type LogAction =
  | 'created'
  | 'renamed'
  | 'redirect_uris_changed'
  | 'webhook_set'
  | 'webhook_removed'
  | 'secret_rotated'
  | 'refresh_rotation_on'
  | 'refresh_rotation_off'
  | 'transferred'
  | 'test_event_sent';

/** An entry of an application's log. */
export interface Noted {
  readonly action: LogAction;
  /** What changed, without secrets; null: the action is enough. */
  readonly detail: string | null;
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
  return new Refusal('not_found', 'No app has this ID.');
}

/** PostgreSQL rejects NUL, even in a lookup. */
export function isStorable(id: string): boolean {
  return !id.includes('\0');
}

/**
 * Detail of an entry in the log of an application. Redirect URIs can be five times as long, and a developer can have
 * 50,000 entries.
 * @beyond the rest is cut off
 */
export const MOST_DETAIL_CHARACTERS = 1000;

/** Adds an entry to the log of a locked application. */
export async function note(
  tx: Tx,
  applicationId: string,
  { developerId, network, realNow }: By,
  { action, detail }: Noted,
): Promise<void> {
  await insertLogEntry(tx, { applicationId, at: realNow, developerId, network, action, detail: detail && cut(detail) });
}

function cut(detail: string): string {
  return detail.length > MOST_DETAIL_CHARACTERS ? `${detail.slice(0, MOST_DETAIL_CHARACTERS)}…` : detail;
}
