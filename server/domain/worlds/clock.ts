import type { WorldSettings } from './settings.ts';

/** A world's clock, kept as two anchors so that nothing has to tick: running, world time is worldAnchor + (real now - realAnchor). */
export interface WorldClock {
  /** Real milliseconds UTC at which the clock was last set. */
  readonly realAnchor: number;
  /** World milliseconds UTC at that instant. */
  readonly worldAnchor: number;
  readonly running: boolean;
}

/** The instant that no clock of a sandbox is brought to: the beginning of 2100, milliseconds UTC. */
export const END_OF_TIME = Date.UTC(2100, 0, 1);

export type WorldKind = 'live' | 'sandbox';

/** Live, or one of an application's sandboxes. Every row of a ride's life is keyed by its world. */
export interface World {
  readonly id: string;
  readonly kind: WorldKind;
  /** The application whose sandbox it is; null for live, which all applications share. */
  readonly applicationId: string | null;
  /** What every id and every chance of a sandbox derives from. */
  readonly seed: string;
  readonly clock: WorldClock;
  /** Whether rides move on by themselves. Always so in the live world. */
  readonly autoAdvance: boolean;
  readonly settings: WorldSettings;
  /** How often it was reset. */
  readonly resets: number;
}

/** World time at a real instant. */
export function worldTime(clock: WorldClock, realNow: number): number {
  return clock.running ? clock.worldAnchor + (realNow - clock.realAnchor) : clock.worldAnchor;
}

/** Real time at which the clock will show a world instant; null while it is frozen. */
export function realTimeOf(clock: WorldClock, worldInstant: number): number | null {
  return clock.running ? clock.realAnchor + (worldInstant - clock.worldAnchor) : null;
}

export function freeze(clock: WorldClock, realNow: number): WorldClock {
  return { realAnchor: realNow, worldAnchor: worldTime(clock, realNow), running: false };
}

export function run(clock: WorldClock, realNow: number): WorldClock {
  return { realAnchor: realNow, worldAnchor: worldTime(clock, realNow), running: true };
}

/** Moves a clock forward; it stays frozen or running as it was. */
export function advance(clock: WorldClock, realNow: number, byMs: number): WorldClock {
  return { ...clock, realAnchor: realNow, worldAnchor: worldTime(clock, realNow) + byMs };
}
