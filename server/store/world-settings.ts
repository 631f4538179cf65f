import type { Transaction } from 'kysely';
import type { World } from '../domain/worlds/clock.ts';
import type { WorldSettings } from '../domain/worlds/settings.ts';
import type { Database } from './schema.ts';
import { holdWorld, saveSettings } from './worlds.ts';

/**
 * Changes the settings of a world, and locks the world until the transaction ends. Throws WorldGone.
 * @param change from the current settings to the new ones
 * @returns the new settings
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
