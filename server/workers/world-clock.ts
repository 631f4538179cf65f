import { advance, freeze, run, type World, type WorldClock, worldTime } from '../domain/worlds/clock.ts';
import type { Parts } from '../parts.ts';
import { dueInWorld } from '../store/timers.ts';
import { findWorld, holdWorld, saveClock, WorldGone } from '../store/worlds.ts';
import { type AttemptParts, deliverInWorld } from '../webhooks/delivery/in-world.ts';
import type { Sender } from '../webhooks/delivery/send.ts';
import type { Advances } from './advances.ts';
import type { TimerParts } from './ride-timers.ts';
import { runTimer } from './timers.ts';

/** What it takes to set a clock. */
type ClockParts = Pick<Parts, 'store' | 'now'>;

/** What it takes to advance a sandbox. */
export type AdvanceParts = TimerParts & AttemptParts & { readonly sender: Sender; readonly advances: Advances };

/** @returns the new clock. Throws WorldGone, and an Error for the live world; so do the other functions here. */
export function freezeWorld(parts: ClockParts, world: World): Promise<WorldClock> {
  return setClock(parts, world, ({ clock }, realNow) => freeze(clock, realNow));
}

export function resumeWorld(parts: ClockParts, world: World): Promise<WorldClock> {
  return setClock(parts, world, ({ clock }, realNow) => run(clock, realNow));
}

/**
 * Moves a sandbox's clock forward. Timers and webhook attempts that become due on the way run in due order, one at a
 * time, each at its own instant; resolves when all are done. An attempt takes no world time, but as much real time as
 * its receiver needs. A reset ends the advance and leaves the new clock alone. A server shutdown ends it with
 * temporarily_unavailable.
 * @returns the new clock
 */
export function advanceWorld(parts: AdvanceParts, world: World, byMs: number): Promise<WorldClock> {
  return parts.advances.run((assertGoingOn) => advanceInSteps(parts, world, byMs, assertGoingOn));
}

async function advanceInSteps(
  parts: AdvanceParts,
  world: World,
  byMs: number,
  assertGoingOn: () => void,
): Promise<WorldClock> {
  assertSandbox(world);
  // read again: the caller may have read the world seconds ago, and its clock may have been set since
  const before = await readAgain(parts, world);
  const until = worldTime(before.clock, parts.now()) + byMs;
  do {
    assertGoingOn();
    const timer = await dueInWorld(parts.store.db, before.id, until);
    if (await deliverInWorld(parts, parts.sender, before.id, timer?.dueAt ?? until)) continue;
    if (timer === null) break;
    await runTimer(parts, timer);
  } while ((await readAgain(parts, before)).resets === before.resets);
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

async function readAgain({ store }: ClockParts, { id }: World): Promise<World> {
  const world = await findWorld(store.db, id);
  if (world === undefined) throw new WorldGone(id);
  return world;
}

function assertSandbox({ id, kind }: World): void {
  if (kind === 'live') throw new Error(`There is no sandbox ${id}`);
}
