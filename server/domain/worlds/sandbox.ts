import type { World } from './clock.ts';
import { DEFAULT_BEGINNING, DEFAULT_SETTINGS, type WorldBeginning } from './settings.ts';

/** A new sandbox. @param realNow milliseconds UTC */
export function sandboxThatBegins(
  named: Pick<World, 'id' | 'applicationId' | 'seed'>,
  realNow: number,
  { now, running, autoAdvance, limits }: WorldBeginning = DEFAULT_BEGINNING,
): World {
  const clock = { realAnchor: realNow, worldAnchor: now ?? realNow, running };
  return { ...named, kind: 'sandbox', clock, autoAdvance, settings: { ...DEFAULT_SETTINGS, limits }, resets: 0 };
}
