import type { LogAction, LogEntry } from '../domain/application-log.ts';
import { insertLogEntry, OTHER_DEVELOPER } from '../store/application-log.ts';
import type { Tx } from '../store/schema.ts';
import type { By } from './by.ts';

/** An entry of an application's log. */
export interface Noted extends Pick<LogEntry, 'detail'> {
  readonly action: LogAction;
  /** Whether the log leaves out who it was, who is not the owner. */
  readonly isByOther?: boolean;
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
  { action, detail, isByOther = false }: Noted,
): Promise<void> {
  const who = isByOther ? { developerId: OTHER_DEVELOPER, network: null } : { developerId, network };
  await insertLogEntry(tx, { ...who, applicationId, at: realNow, action, detail: detail && cut(detail) });
}

function cut(detail: string): string {
  return detail.length > MOST_DETAIL_CHARACTERS ? `${detail.slice(0, MOST_DETAIL_CHARACTERS)}…` : detail;
}
