import type { World } from './clock.ts';
import { DEFAULT_SETTINGS } from './settings.ts';

/** The one live world, which all applications share. Its clock is the real one. */
export const LIVE_WORLD: World = {
  id: 'live',
  kind: 'live',
  applicationId: null,
  seed: 'live',
  clock: { realAnchor: 0, worldAnchor: 0, running: true },
  autoAdvance: true,
  settings: DEFAULT_SETTINGS,
  resets: 0,
};
