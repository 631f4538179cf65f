import type { StepRules } from '../rides/steps.ts';
import type { World } from './clock.ts';

/** @param speed divides planned travel times */
export function stepRulesOf(world: World, speed: number): StepRules {
  return { speed, autoAdvance: world.autoAdvance, live: world.kind === 'live' };
}
