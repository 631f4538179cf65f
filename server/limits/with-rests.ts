import { setTimeout as wait } from 'node:timers/promises';
import { inTurns } from './in-turns.ts';
import { oneByOne } from './one-by-one.ts';

/** Times that a piece of work rests after it. */
const RESTS = 50;

/**
 * Runs pieces of work that nobody can interrupt, one in a turn of the event loop, and those of an owner one after the
 * other. After a piece that took more than `freeMs`, its owner rests for fifty times the rest, so that others get nearly
 * all of the time, however many pieces the owner has.
 * @param now milliseconds
 */
export function withRests(
  freeMs: number,
  now: () => number = () => performance.now(),
  rest: (ms: number) => Promise<void> = wait,
): (owner: string, work: () => void) => Promise<void> {
  const inOrder = oneByOne();
  const inTurn = inTurns(1);
  return (owner, work) =>
    inOrder(owner, async () => {
      await new Promise<void>((resolve) => inTurn(resolve));
      const begun = now();
      work();
      const tooLongMs = now() - begun - freeMs;
      if (tooLongMs > 0) await rest(RESTS * tooLongMs);
    });
}
