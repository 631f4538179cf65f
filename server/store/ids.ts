import { liveId, sandboxId } from '../domain/ids.ts';
import type { World } from '../domain/worlds/clock.ts';
import type { Queries } from './schema.ts';
import { takeCounter } from './worlds.ts';

/** Where new live ids come from. */
export interface IdSource {
  /** Real milliseconds UTC. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
}

/** A new id in a world. In a sandbox it follows from the seed and how many came before, so that a seeded world repeats itself. */
export async function newId(db: Queries, world: World, kind: string, source: IdSource): Promise<string> {
  if (world.kind === 'live') return liveId(source.now(), source.randomBytes(16));
  return sandboxId(world.seed, kind, await takeCounter(db, world.id));
}
