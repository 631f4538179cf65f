import type { World } from './clock.ts';
import { DEFAULT_SETTINGS } from './settings.ts';

/** The only live world, which all applications share. Its clock is real time. */
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
