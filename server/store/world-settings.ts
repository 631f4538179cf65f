import type { Transaction } from 'kysely';
import type { WorldSettings } from '../domain/worlds/settings.ts';
import { hasRowLocks } from './dialect.ts';
import type { Database } from './schema.ts';
import { toSettings, WorldGone } from './worlds.ts';

/**
 * Changes the settings of a world, which nobody else changes until the transaction ends. Throws WorldGone.
 *
 * @param change from the settings as they are to what they become
 * @returns what they have become
 */
export async function changeSettings(
  tx: Transaction<Database>,
  worldId: string,
  change: (settings: WorldSettings) => WorldSettings,
): Promise<WorldSettings> {
  const row = await tx
    .selectFrom('worlds')
    .select('settings')
    .where('id', '=', worldId)
    .$if(hasRowLocks(tx), (query) => query.forNoKeyUpdate())
    .executeTakeFirstOrThrow(() => new WorldGone(worldId));
  const settings = change(toSettings(row));
  await tx
    .updateTable('worlds')
    .set({ settings: JSON.stringify(settings) })
    .where('id', '=', worldId)
    .execute();
  return settings;
}
