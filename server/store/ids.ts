import { liveId, sandboxId } from '../domain/ids.ts';
import type { World } from '../domain/worlds/clock.ts';
import type { Tx } from './schema.ts';
import { holdWorld, takeNumber } from './worlds.ts';

/** What new live ids are made from. */
export interface IdSource {
  /** Real time, in milliseconds UTC. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
}

/**
 * Creates an id in a world, and locks the world. Sandbox ids derive from the seed and a counter, so that a seeded world
 * is reproducible. Throws WorldGone.
 */
export async function newId(tx: Tx, world: World, kind: string, source: IdSource) {
  if (world.kind === 'live') {
    return { id: liveId(source.now(), source.randomBytes(16)), world: await holdWorld(tx, world) };
  }
  const taken = await takeNumber(tx, world.id);
  return { id: sandboxId(world.seed, kind, taken.number), world: taken.world };
}
