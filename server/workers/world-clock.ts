import { advance, freeze, run, type World, type WorldClock, worldTime } from '../domain/worlds/clock.ts';
import type { Parts } from '../parts.ts';
import { dueInWorld } from '../store/timers.ts';
import { findWorld, holdWorld, saveClock, WorldGone } from '../store/worlds.ts';
import { deliverInWorld } from '../webhooks/delivery/in-world.ts';
import type { Sender } from '../webhooks/delivery/send.ts';
import type { Advances } from './advances.ts';
import { runTimer } from './timers.ts';

/** What a sandbox is advanced with. */
export type AdvanceParts = Parts & { readonly sender: Sender; readonly advances: Advances };

/** @returns the clock as it is then. Throws WorldGone, and an Error for the live world: as the others do here */
export function freezeWorld(parts: Parts, worldId: string): Promise<WorldClock> {
  return setClock(parts, worldId, ({ clock }, realNow) => freeze(clock, realNow));
}

export function resumeWorld(parts: Parts, worldId: string): Promise<WorldClock> {
  return setClock(parts, worldId, ({ clock }, realNow) => run(clock, realNow));
}

/**
 * Moves a sandbox's clock forward. Everything that falls due on the way, timers and the attempts of webhooks, runs in due order, one after
 * the other and each at its own instant; resolves when it is done. An attempt takes no time of the world, but as much real time as its
 * receiver needs. A reset ends it: what began anew is not moved. So does the end of the server, with temporarily_unavailable.
 *
 * @returns the clock as it is then
 */
export function advanceWorld(parts: AdvanceParts, worldId: string, byMs: number): Promise<WorldClock> {
  return parts.advances.run((assertGoingOn) => advanceInSteps(parts, worldId, byMs, assertGoingOn));
}

async function advanceInSteps(
  parts: AdvanceParts,
  worldId: string,
  byMs: number,
  assertGoingOn: () => void,
): Promise<WorldClock> {
  const { clock, resets } = await sandbox(parts, worldId);
  const until = worldTime(clock, parts.now()) + byMs;
  while ((await sandbox(parts, worldId)).resets === resets) {
    assertGoingOn();
    const timer = await dueInWorld(parts.store.db, worldId, until);
    if (await deliverInWorld(parts, parts.sender, worldId, timer?.dueAt ?? until)) continue;
    if (timer === null) break;
    await runTimer(parts, timer);
  }
  // never back: the clock may have run on, or somebody else advanced it, while the steps were taken
  return setClock(parts, worldId, (world, realNow) => {
    if (world.resets !== resets) return world.clock;
    return advance(world.clock, realNow, Math.max(0, until - worldTime(world.clock, realNow)));
  });
}

async function setClock(
  parts: Parts,
  worldId: string,
  change: (world: World, realNow: number) => WorldClock,
): Promise<WorldClock> {
  await sandbox(parts, worldId);
  return parts.store.transaction(async (tx) => {
    const clock = change(await holdWorld(tx, worldId), parts.now());
    await saveClock(tx, worldId, clock);
    return clock;
  });
}

async function sandbox({ store }: Parts, worldId: string): Promise<World> {
  const world = await findWorld(store.db, worldId);
  if (world === undefined) throw new WorldGone(worldId);
  if (world.kind === 'live') throw new Error(`There is no sandbox ${worldId}`);
  return world;
}
