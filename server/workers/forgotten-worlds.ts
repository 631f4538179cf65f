import { WORLD_LIMITS } from '../../generated/server.ts';
import { DAY_MS } from '../domain/time.ts';
import { forgottenWorlds } from '../store/world-calls.ts';
import { WorldGone } from '../store/worlds.ts';
import { type EndParts, endWorldInTurns } from './world-ends.ts';

/** Worlds that are read at once. */
const MOST_WORLDS_AT_ONCE = 100;
/** Calls are recorded once a day, so the latest one can be a day later than the recorded one. */
const KEPT_MS = (WORLD_LIMITS.days + 1) * DAY_MS;

/** Deletes the sandboxes that nobody has called for long, as deleteWorld does. */
export async function deleteForgottenWorlds(parts: EndParts): Promise<void> {
  for (;;) {
    const ids = await forgottenWorlds(parts.store.db, parts.now() - KEPT_MS, MOST_WORLDS_AT_ONCE);
    if (ids.length === 0) return;
    for (const id of ids) {
      await endWorldInTurns(parts, id, 'deletion').catch((error: unknown) => {
        // another server deleted it
        if (!(error instanceof WorldGone)) throw error;
      });
    }
  }
}
