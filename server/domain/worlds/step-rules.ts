import type { StepRules } from '../rides/steps.ts';
import type { World } from './clock.ts';

/** How the rides of a world go on. @param speed what planned travel times are divided by */
export function stepRulesOf(world: World, speed: number): StepRules {
  return { speed, autoAdvance: world.autoAdvance, live: world.kind === 'live' };
}
