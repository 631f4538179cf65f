import type { World } from './clock.ts';

/** The one live world, which all applications share. Its clock is the real one. */
export const LIVE_WORLD: World = {
  id: 'live',
  kind: 'live',
  applicationId: null,
  seed: 'live',
  clock: { realAnchor: 0, worldAnchor: 0, running: true },
  autoAdvance: true,
};
