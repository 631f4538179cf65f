import type { WorldSettings } from './settings.ts';

/**
 * A world's clock as two anchors, so that nothing has to tick. While running: worldAnchor + (real now - realAnchor).
 */
export interface WorldClock {
  /** Real time at which the clock was last set, in milliseconds UTC. */
  readonly realAnchor: number;
  /** World time at that moment, in milliseconds UTC. */
  readonly worldAnchor: number;
  readonly running: boolean;
  /** The advance that the next call continues; absent: none. */
  readonly unfinished?: UnfinishedAdvance;
}

/** An advance that stopped before its target. */
export interface UnfinishedAdvance {
  /** World time, in milliseconds UTC. */
  readonly until: number;
  /** The length of the requested advance. */
  readonly byMs: number;
}

/** A sandbox's clock stays before this time: the start of 2100, in milliseconds UTC. */
export const END_OF_TIME = Date.UTC(2100, 0, 1);

export type WorldKind = 'live' | 'sandbox';

/** The live world, or an application's sandbox. Every row about a ride is keyed by its world. */
export interface World {
  readonly id: string;
  readonly kind: WorldKind;
  /** The application that owns the sandbox; null for the live world, which all applications share. */
  readonly applicationId: string | null;
  /** All ids and random draws of a sandbox derive from this seed. */
  readonly seed: string;
  readonly clock: WorldClock;
  /** Whether rides advance without calls. Always true in the live world. */
  readonly autoAdvance: boolean;
  readonly settings: WorldSettings;
  readonly resets: number;
}

/** The world time at a real time, in milliseconds UTC. */
export function worldTime(clock: WorldClock, realNow: number): number {
  return clock.running ? clock.worldAnchor + (realNow - clock.realAnchor) : clock.worldAnchor;
}

/** The real time at which the clock reaches a world time; null while it is frozen. */
export function realTimeOf(clock: WorldClock, worldInstant: number): number | null {
  return clock.running ? clock.realAnchor + (worldInstant - clock.worldAnchor) : null;
}

export function freeze(clock: WorldClock, realNow: number): WorldClock {
  return { realAnchor: realNow, worldAnchor: worldTime(clock, realNow), running: false };
}

export function run(clock: WorldClock, realNow: number): WorldClock {
  return { realAnchor: realNow, worldAnchor: worldTime(clock, realNow), running: true };
}

/** The unfinished advance at a real time; null: none, or the clock has run past its target. */
export function unfinishedAt({ unfinished, ...clock }: WorldClock, realNow: number): UnfinishedAdvance | null {
  return unfinished !== undefined && unfinished.until > worldTime(clock, realNow) ? unfinished : null;
}

/** The target of an advance, in world milliseconds UTC. An unfinished advance of the same length keeps its target. */
export function advanceTarget(clock: WorldClock, realNow: number, byMs: number): number {
  const unfinished = unfinishedAt(clock, realNow);
  return unfinished?.byMs === byMs ? unfinished.until : worldTime(clock, realNow) + byMs;
}

/** Moves a clock forward to a world time, never back. A frozen clock stays frozen and a running one keeps running. */
export function advanceTo(clock: WorldClock, realNow: number, to: number, unfinished?: UnfinishedAdvance): WorldClock {
  const worldAnchor = Math.max(to, worldTime(clock, realNow));
  return { realAnchor: realNow, worldAnchor, running: clock.running, ...(unfinished && { unfinished }) };
}
