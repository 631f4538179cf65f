import type { Transaction } from 'kysely';
import type { World } from '../domain/worlds/clock.ts';
import type { WorldSettings } from '../domain/worlds/settings.ts';
import type { Database } from './schema.ts';
import { holdWorld, saveSettings } from './worlds.ts';

/**
 * Changes the settings of a world, which nobody else changes until the transaction ends. Throws WorldGone.
 *
 * @param change from the settings as they are to what they become
 * @returns what they have become
 */
export async function changeSettings(
  tx: Transaction<Database>,
  world: World,
  change: (settings: WorldSettings) => WorldSettings,
): Promise<WorldSettings> {
  const held = await holdWorld(tx, world);
  const settings = change(held.settings);
  await saveSettings(tx, { ...held, settings });
  return settings;
}
