import { setImmediate } from 'node:timers/promises';
import { instant, seconds } from './clock.ts';
import type { Span } from './journal.ts';
import type { Stage } from './stage.ts';

/** Concurrent committers: about as many rides change at the same time on a busy server. */
const COMMITTERS = 8;
/** Committing pauses at this many undelivered events, because the measured rate must be sustainable. */
const MOST_UNDER_WAY = 512;
const LOOK_AGAIN_SECONDS = 0.002;
/** How often a span is extended, at most. */
const MOST_SPANS = 60;

export interface Load {
  readonly endpoints: number;
  /** The number of endpoints that hang: the first ones. They get events like the others, but nothing waits for them. */
  readonly hanging: number;
  /** The length of the measured span. A warm-up of a fifth of it comes first. */
  readonly seconds: number;
}

export const isHealthy =
  ({ hanging }: Pick<Load, 'hanging'>) =>
  (endpoint: number) =>
    endpoint >= hanging;

/** Selects endpoints by their index. */
type IsOf = (endpoint: number) => boolean;

/** Commits as fast as events are delivered. */
export async function saturate(stage: Stage, load: Load, isMeasured: IsOf): Promise<Span> {
  const isCounted = isHealthy(load);
  const next = inTurn(load.endpoints);
  return during(stage, load, isMeasured, async (isOver) => {
    const committer = async () => {
      while (!isOver()) {
        if (stage.journal.waiting(isCounted) >= MOST_UNDER_WAY) await seconds(LOOK_AGAIN_SECONDS);
        else await stage.commit(next());
        // yields to the event loop, because SQLite calls never do
        await setImmediate();
      }
    };
    await Promise.all(Array.from({ length: COMMITTERS }, committer));
  });
}

/** Commits at a fixed rate, in events per second, regardless of how fast they are delivered. */
export async function commitAtRate(stage: Stage, load: Load, rate: number, isMeasured: IsOf): Promise<Span> {
  return during(stage, load, isMeasured, (isOver) => commitUntil(stage, rate, inTurn(load.endpoints), isOver));
}

/** Commits each event at its planned time, even if earlier commits are still running. */
export async function commitUntil(
  stage: Stage,
  rate: number,
  nextEndpoint: () => number,
  isOver: () => boolean,
): Promise<void> {
  const from = instant();
  const commits: Promise<void>[] = [];
  while (!isOver()) {
    if (instant() < from + (commits.length * 1000) / rate) await seconds(LOOK_AGAIN_SECONDS);
    else commits.push(stage.commit(nextEndpoint()));
  }
  await Promise.all(commits);
}

/** On a very busy machine, the span lasts until the measured endpoints have figures. */
async function during(
  { journal }: Stage,
  load: Load,
  isMeasured: IsOf,
  work: (isOver: () => boolean) => Promise<void>,
): Promise<Span> {
  const from = instant() + load.seconds * 200;
  let to = from + load.seconds * 1000;
  const hasFigures = () => {
    const { rate, p50 } = journal.speed({ from, to }, isMeasured);
    return rate > 0 && !Number.isNaN(p50);
  };
  const isOver = () => {
    if (instant() < to) return false;
    if (hasFigures()) return true;
    if (to > from + MOST_SPANS * load.seconds * 1000) throw new Error('The receivers got no event in time.');
    to += load.seconds * 1000;
    return false;
  };
  await work(isOver);
  return { from, to };
}

function inTurn(endpoints: number): () => number {
  let turn = 0;
  return () => turn++ % endpoints;
}

/** Waits until all events have arrived at the endpoints that don't hang. Throws an Error if that takes too long. */
export async function settle(stage: Stage, { hanging }: Pick<Load, 'hanging'>, withinSeconds: number): Promise<void> {
  const giveUpAt = instant() + withinSeconds * 1000;
  for (;;) {
    const waiting = stage.journal.waiting(isHealthy({ hanging }));
    if (waiting === 0) return;
    if (instant() > giveUpAt) throw new Error(`${waiting} events had no 200 within ${withinSeconds} seconds.`);
    await seconds(LOOK_AGAIN_SECONDS);
  }
}
