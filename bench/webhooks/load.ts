import { setImmediate } from 'node:timers/promises';
import { instant, seconds } from '../clock.ts';
import type { IsOf, Span } from './journal.ts';
import type { Stage } from './stage.ts';

/** Concurrent committers: about as many rides change at the same time on a busy server. */
const COMMITTERS = 8;
/** Committing pauses at this many undelivered events, because the measured rate must be sustainable. */
const MOST_UNDER_WAY = 512;
const LOOK_AGAIN_SECONDS = 0.002;
const LONGEST_SETTLING_SECONDS = 60;

export interface Load {
  /** The number of endpoints, which get events in turn. */
  readonly endpoints: number;
  /** The first measured endpoint. Nothing waits for those before it, because they may hang. */
  readonly first: number;
  /** The length of the measured span. A warm-up of a fifth of it comes first. */
  readonly seconds: number;
}

export const isMeasured =
  ({ first }: Pick<Load, 'first'>): IsOf =>
  (endpoint) =>
    endpoint >= first;

/** Commits as fast as events are delivered. @returns the measured span */
export async function saturate(stage: Stage, load: Load): Promise<Span> {
  const span = spanOf(load);
  const next = inTurn(load.endpoints);
  const committer = async () => {
    while (instant() < span.to) {
      if (stage.journal.waiting(isMeasured(load)) >= MOST_UNDER_WAY) await seconds(LOOK_AGAIN_SECONDS);
      else await stage.commit(next());
      // yields to the event loop, because SQLite calls never do
      await setImmediate();
    }
  };
  await Promise.all(Array.from({ length: COMMITTERS }, committer));
  return span;
}

/**
 * Commits at a fixed rate, in events per second, regardless of how fast they are delivered: each event at its planned
 * time, even if earlier commits are still running.
 */
export async function commitUntil({ commit }: Stage, rate: number, next: () => number, isOver: () => boolean) {
  const from = instant();
  const commits: Promise<void>[] = [];
  while (!isOver()) {
    if (instant() < from + (commits.length * 1000) / rate) await seconds(LOOK_AGAIN_SECONDS);
    else commits.push(commit(next()));
  }
  await Promise.all(commits);
}

export function spanOf({ seconds }: Load): Span {
  const from = instant() + seconds * 200;
  return { from, to: from + seconds * 1000 };
}

export function inTurn(endpoints: number): () => number {
  let turn = 0;
  return () => turn++ % endpoints;
}

/** Waits until all events have arrived at the measured endpoints. Throws an Error if that takes too long. */
export async function settle({ journal }: Stage, load: Pick<Load, 'first'>): Promise<void> {
  const giveUpAt = instant() + LONGEST_SETTLING_SECONDS * 1000;
  while (journal.waiting(isMeasured(load)) > 0) {
    if (instant() > giveUpAt) throw new Error(`Some events had no 200 within ${LONGEST_SETTLING_SECONDS} seconds.`);
    await seconds(LOOK_AGAIN_SECONDS);
  }
}
