import { v4, v7 } from 'uuid';
import { digest } from './chance.ts';

/** A sandbox id, derived from the seed, the kind and a key such as a number. The same seed gives the same ids. */
export function sandboxId(seed: string, kind: string, ...key: ReadonlyArray<string | number>): string {
  return v4({ random: digest(seed, 'id', kind, ...key).subarray(0, 16) });
}

/**
 * A live id: a UUID version 7 (RFC 9562), which sorts by time and needs no shared counter.
 * @param at milliseconds UTC
 * @param random 16 random bytes
 */
export function liveId(at: number, random: Uint8Array): string {
  return v7({ msecs: at, random });
}
