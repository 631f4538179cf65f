import { Refusal } from '../domain/refusal.ts';
import type { World } from '../domain/worlds/clock.ts';

/** Throws Refusal `sandbox_only` for the live world, which nobody controls. */
export function assertSandbox(world: World): void {
  if (world.kind === 'sandbox') return;
  const how = 'Use a token that was got with the sandbox secret.';
  throw new Refusal('sandbox_only', `The live world cannot be controlled. ${how}`);
}
