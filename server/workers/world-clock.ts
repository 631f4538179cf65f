import { advance, freeze, run, type World, type WorldClock, worldTime } from '../domain/worlds/clock.ts';
import type { Parts } from '../parts.ts';
import { dueInWorld } from '../store/timers.ts';
import { findWorld, holdClock, saveClock } from '../store/worlds.ts';
import type { Sender } from '../webhooks/send.ts';
import { deliverInWorld } from './deliver-in-world.ts';
import { runTimer } from './timers.ts';

export function freezeWorld(parts: Parts, worldId: string): Promise<void> {
  return setClock(parts, worldId, (clock, realNow) => freeze(clock, realNow));
}

export function resumeWorld(parts: Parts, worldId: string): Promise<void> {
  return setClock(parts, worldId, (clock, realNow) => run(clock, realNow));
}

/**
 * Moves a sandbox's clock forward. Everything that falls due on the way, timers and the attempts of webhooks, runs in due order, one after
 * the other and each at its own instant; resolves when it is done. An attempt takes no time of the world, but as much real time as its
 * receiver needs. Throws an Error for the live world, whose clock is the real one.
 */
export async function advanceWorld(parts: Parts, sender: Sender, worldId: string, byMs: number): Promise<void> {
  const world = await sandbox(parts, worldId);
  const until = worldTime(world.clock, parts.now()) + byMs;
  for (;;) {
    const timer = await dueInWorld(parts.store.db, worldId, until);
    if (await deliverInWorld(parts, sender, worldId, timer?.dueAt ?? until)) continue;
    if (timer === null) break;
    await runTimer(parts, timer);
  }
  // never back: the clock may have run on, or somebody else advanced it, while the steps were taken
  await setClock(parts, worldId, (clock, realNow) =>
    advance(clock, realNow, Math.max(0, until - worldTime(clock, realNow))),
  );
}

async function setClock(
  parts: Parts,
  worldId: string,
  change: (clock: WorldClock, realNow: number) => WorldClock,
): Promise<void> {
  await sandbox(parts, worldId);
  await parts.store.transaction(async (tx) => {
    await saveClock(tx, worldId, change(await holdClock(tx, worldId), parts.now()));
  });
}

async function sandbox({ store }: Parts, worldId: string): Promise<World> {
  const world = await findWorld(store.db, worldId);
  if (world?.kind !== 'sandbox') throw new Error(`There is no sandbox ${worldId}`);
  return world;
}
