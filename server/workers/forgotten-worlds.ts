import { WORLD_LIMITS } from '../../generated/server.ts';
import { auditTo } from '../audit.ts';
import { DAY_MS } from '../domain/time.ts';
import type { Parts } from '../parts.ts';
import { forgottenWorlds } from '../store/world-calls.ts';
import { WorldGone } from '../store/worlds.ts';
import { type EndParts, endWorldInTurns } from './world-ends.ts';

/** Worlds read in one query. */
const MOST_WORLDS_AT_ONCE = 100;
/** Calls are recorded once a day, so the latest call can be a day later than the recorded one. */
const KEPT_MS = (WORLD_LIMITS.days + 1) * DAY_MS;

/** Deletes sandboxes without a call for a long time, as deleteWorld does. */
export async function deleteForgottenWorlds(parts: EndParts & Pick<Parts, 'logger'>): Promise<void> {
  const audit = auditTo(parts.logger);
  for (;;) {
    const worlds = await forgottenWorlds(parts.store.db, parts.now() - KEPT_MS, MOST_WORLDS_AT_ONCE);
    if (worlds.length === 0) return;
    for (const { id, applicationId } of worlds) {
      try {
        await endWorldInTurns(parts, id, 'deletion');
      } catch (error) {
        // another server has deleted it
        if (error instanceof WorldGone) continue;
        throw error;
      }
      audit({ event: 'world_deleted', result: 'unused', application: applicationId, world: id });
    }
  }
}
