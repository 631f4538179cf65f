import { advance, freeze, run, type World, type WorldClock, worldTime } from '../domain/worlds/clock.ts';
import type { Parts } from '../parts.ts';
import { dueInWorld } from '../store/timers.ts';
import { holdWorld, saveClock } from '../store/worlds.ts';
import { type AttemptParts, deliverInWorld } from '../webhooks/delivery/in-world.ts';
import type { Sender } from '../webhooks/delivery/send.ts';
import type { Advances } from './advances.ts';
import type { TimerParts } from './ride-timers.ts';
import { runTimer } from './timers.ts';

/** What a clock is set with. */
type ClockParts = Pick<Parts, 'store' | 'now'>;

/** What a sandbox is advanced with. */
export type AdvanceParts = TimerParts & AttemptParts & { readonly sender: Sender; readonly advances: Advances };

/** @returns the clock as it is then. Throws WorldGone, and an Error for the live world, as the other functions here do. */
export function freezeWorld(parts: ClockParts, world: World): Promise<WorldClock> {
  return setClock(parts, world, ({ clock }, realNow) => freeze(clock, realNow));
}

export function resumeWorld(parts: ClockParts, world: World): Promise<WorldClock> {
  return setClock(parts, world, ({ clock }, realNow) => run(clock, realNow));
}

/**
 * Moves a sandbox's clock forward. Everything that falls due on the way, timers and the attempts of webhooks, runs in due order, one after
 * the other and each at its own instant; resolves when it is done. An attempt takes no time of the world, but as much real time as its
 * receiver needs. A reset ends it: what began anew is not moved. So does the end of the server, with temporarily_unavailable.
 *
 * @returns the clock as it is then
 */
export function advanceWorld(parts: AdvanceParts, world: World, byMs: number): Promise<WorldClock> {
  return parts.advances.run((assertGoingOn) => advanceInSteps(parts, world, byMs, assertGoingOn));
}

async function advanceInSteps(
  parts: AdvanceParts,
  before: World,
  byMs: number,
  assertGoingOn: () => void,
): Promise<WorldClock> {
  assertSandbox(before);
  const until = worldTime(before.clock, parts.now()) + byMs;
  for (;;) {
    assertGoingOn();
    const timer = await dueInWorld(parts.store.db, before.id, until);
    if (timer !== null && timer.resets !== before.resets) break;
    if (await deliverInWorld(parts, parts.sender, before.id, timer?.dueAt ?? until)) continue;
    if (timer === null) break;
    await runTimer(parts, timer);
  }
  return setClock(parts, before, ({ clock, resets }, realNow) => {
    if (resets !== before.resets) return clock;
    // never back: the clock may have run on during the steps, or another call may have advanced it
    return advance(clock, realNow, Math.max(0, until - worldTime(clock, realNow)));
  });
}

async function setClock(
  parts: ClockParts,
  before: World,
  change: (world: World, realNow: number) => WorldClock,
): Promise<WorldClock> {
  assertSandbox(before);
  return parts.store.transaction(async (tx) => {
    const clock = change(await holdWorld(tx, before), parts.now());
    await saveClock(tx, before.id, clock);
    return clock;
  });
}

function assertSandbox({ id, kind }: World): void {
  if (kind === 'live') throw new Error(`There is no sandbox ${id}`);
}
