import type { WorldSettings } from './settings.ts';

/** A world's clock as two anchors, so that nothing ticks. While running: worldAnchor + (real now - realAnchor). */
export interface WorldClock {
  /** Real milliseconds UTC at which the clock was last set. */
  readonly realAnchor: number;
  /** World milliseconds UTC at that instant. */
  readonly worldAnchor: number;
  readonly running: boolean;
  /** The advance that the next call goes on with; absent: none. */
  readonly unfinished?: UnfinishedAdvance;
}

/** An advance that ended before its target. */
export interface UnfinishedAdvance {
  /** World milliseconds UTC. */
  readonly until: number;
  /** How far the call asked to advance. */
  readonly byMs: number;
}

/** A sandbox's clock stays before this instant: the start of 2100, milliseconds UTC. */
export const END_OF_TIME = Date.UTC(2100, 0, 1);

export type WorldKind = 'live' | 'sandbox';

/** The live world, or a sandbox of an application. Every row about a ride is keyed by its world. */
export interface World {
  readonly id: string;
  readonly kind: WorldKind;
  /** The application that owns the sandbox; null for the live world, which all applications share. */
  readonly applicationId: string | null;
  /** Every id and every random draw of a sandbox derives from it. */
  readonly seed: string;
  readonly clock: WorldClock;
  /** Whether rides advance without a call. Always true in the live world. */
  readonly autoAdvance: boolean;
  readonly settings: WorldSettings;
  /** How many times it was reset. */
  readonly resets: number;
}

/** World time at a real instant. */
export function worldTime(clock: WorldClock, realNow: number): number {
  return clock.running ? clock.worldAnchor + (realNow - clock.realAnchor) : clock.worldAnchor;
}

/** Real time at which the clock shows a world instant; null while it is frozen. */
export function realTimeOf(clock: WorldClock, worldInstant: number): number | null {
  return clock.running ? clock.realAnchor + (worldInstant - clock.worldAnchor) : null;
}

export function freeze(clock: WorldClock, realNow: number): WorldClock {
  return { realAnchor: realNow, worldAnchor: worldTime(clock, realNow), running: false };
}

export function run(clock: WorldClock, realNow: number): WorldClock {
  return { realAnchor: realNow, worldAnchor: worldTime(clock, realNow), running: true };
}

/** The advance that is unfinished at a real instant; null: none, or the clock has run past its target. */
export function unfinishedAt({ unfinished, ...clock }: WorldClock, realNow: number): UnfinishedAdvance | null {
  return unfinished !== undefined && unfinished.until > worldTime(clock, realNow) ? unfinished : null;
}

/** Where an advance leads: to the target of the unfinished one if that was as long. World milliseconds UTC. */
export function advanceTarget(clock: WorldClock, realNow: number, byMs: number): number {
  const unfinished = unfinishedAt(clock, realNow);
  return unfinished?.byMs === byMs ? unfinished.until : worldTime(clock, realNow) + byMs;
}

/**
 * Moves a clock forward to a world instant, never back; it stays frozen or running as it was.
 * @param unfinished the advance that is left to do, if any
 */
export function advanceTo(clock: WorldClock, realNow: number, to: number, unfinished?: UnfinishedAdvance): WorldClock {
  const worldAnchor = Math.max(to, worldTime(clock, realNow));
  return { realAnchor: realNow, worldAnchor, running: clock.running, ...(unfinished && { unfinished }) };
}
