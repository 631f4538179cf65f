import { setTimeout as wait } from 'node:timers/promises';
import { inTurns } from './in-turns.ts';
import { oneByOne } from './one-by-one.ts';

/** An owner's rest, in multiples of the time that its piece took too long. */
const RESTS = 50;
/**
 * Milliseconds that a piece was too long.
 * @beyond its rest gets no longer, because something else made it so long
 * @heldBy tests/limits/with-rests.test.ts
 */
const MOST_TOO_LONG_MS = 20;

/**
 * Runs pieces of work that nobody can interrupt, one in a turn of the event loop, and those of an owner one after the
 * other. After a piece that took more than `freeMs`, its owner rests for fifty times the excess, so that others get nearly
 * all of the time, however many pieces the owner has.
 * @param now milliseconds of CPU time, so that a piece is not long because others use the machine
 */
export function withRests(
  freeMs: number,
  now: () => number = cpuMs,
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
      if (tooLongMs > 0) await rest(RESTS * Math.min(tooLongMs, MOST_TOO_LONG_MS));
    });
}

/** Of the thread, or of all threads of the process before Node 23.9. */
function cpuMs(): number {
  const { threadCpuUsage = process.cpuUsage } = process as { threadCpuUsage?: typeof process.cpuUsage };
  const { user, system } = threadCpuUsage();
  return (user + system) / 1000;
}
