import { v4, v7 } from 'uuid';
import { digest } from './chance.ts';

/** The id of the thing of a kind in a sandbox that a key names, such as its number: a seeded world repeats its ids. */
export function sandboxId(seed: string, kind: string, ...key: ReadonlyArray<string | number>): string {
  return v4({ random: digest(seed, 'id', kind, ...key).subarray(0, 16) });
}

/**
 * A live id: sorts by time, and needs no shared counter.
 * @param at milliseconds UTC
 * @param random 16 random bytes
 */
export function liveId(at: number, random: Uint8Array): string {
  return v7({ msecs: at, random });
}
