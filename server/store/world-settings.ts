import type { World } from '../domain/worlds/clock.ts';
import type { WorldSettings } from '../domain/worlds/settings.ts';
import type { Tx } from './schema.ts';
import { holdWorld, saveSettings } from './worlds.ts';

/** Changes the settings of a world, and locks the world until the transaction ends. Throws WorldGone. */
export async function changeSettings(
  tx: Tx,
  world: World,
  change: (settings: WorldSettings) => WorldSettings,
): Promise<WorldSettings> {
  const held = await holdWorld(tx, world);
  const settings = change(held.settings);
  await saveSettings(tx, { ...held, settings });
  return settings;
}
