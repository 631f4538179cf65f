import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../domain/time.ts';
import { advanceTarget, advanceTo, freeze, run, type World, type WorldClock } from '../domain/worlds/clock.ts';
import { saveClock } from '../store/clocks.ts';
import { dueDeliveryInWorld } from '../store/deliveries/due.ts';
import { dueInWorld } from '../store/timers.ts';
import { whileLocked } from '../store/transaction.ts';
import { findWorld, holdWorld, WorldGone } from '../store/worlds.ts';
import { type AttemptParts, type Claimed, claimInWorld, deliverClaimed } from '../webhooks/delivery/in-world.ts';
import type { Sender } from '../webhooks/delivery/send.ts';
import type { Advances } from './advances.ts';
import type { TimerParts } from './ride-timers.ts';
import { type SettlingParts, settleWorld } from './settle-world.ts';
import { runTimer } from './timers.ts';

const LOOK_AGAIN_MS = SECOND_MS / 50;

export type AdvanceParts = TimerParts & AttemptParts & { readonly sender: Sender; readonly advances: Advances };

/** @returns the new clock. Throws WorldGone, and an Error for the live world, like the other functions here. */
export function freezeWorld(parts: SettlingParts, world: World): Promise<WorldClock> {
  return setClock(parts, world, ({ clock }, realNow) => freeze(clock, realNow));
}

export function resumeWorld(parts: SettlingParts, world: World): Promise<WorldClock> {
  return setClock(parts, world, ({ clock }, realNow) => run(clock, realNow));
}

/**
 * Moves a sandbox's clock forward. Timers and webhook attempts that become due run in due order, one at a time, each at
 * its own due time. An attempt takes no world time, but as much real time as its receiver needs.
 *
 * The advance stops early, at the time of its last step, when it reaches its allowance, when the client disconnects, or
 * when the server stops. The clock remembers the target, and the next advance of the same length continues, on any
 * server. A reset ends the advance and leaves the new clock alone. Two concurrent advances each go to their own target,
 * measured from the original clock, and no step runs twice.
 */
export function advanceWorld(parts: AdvanceParts, world: World, byMs: number, may: Partial<Allowance> = {}) {
  return parts.advances.run((isStopping) => advanceInSteps(parts, world, byMs, { ...UNLIMITED, ...may }, isStopping));
}

export interface Allowance {
  readonly steps: number;
  /** Real milliseconds, after which no step starts. */
  readonly ms: number;
  /** Whether the client has disconnected. */
  readonly hasHungUp: () => boolean;
}

const UNLIMITED: Allowance = { steps: Number.POSITIVE_INFINITY, ms: Number.POSITIVE_INFINITY, hasHungUp: () => false };

async function advanceInSteps(
  parts: AdvanceParts,
  world: World,
  byMs: number,
  may: Allowance,
  isStopping: () => boolean,
) {
  assertSandbox(world);
  const startedAt = parts.now();
  let goal: { readonly resets: number; readonly until: number } | undefined;
  /** How many timers and attempts ran. */
  let steps = 0;
  let reached = Number.NEGATIVE_INFINITY;
  const isOver = () => steps >= may.steps || parts.now() - startedAt >= may.ms || isStopping() || may.hasHungUp();
  const target = async () => {
    // read again: the caller may have read the world seconds ago, and its clock may have been set since
    const found = await findWorld(parts.store.db, world.id);
    if (found === undefined) throw new WorldGone(world.id);
    const { clock, resets } = found;
    goal ??= { resets, until: advanceTarget(clock, parts.now(), byMs) };
    return resets === goal.resets ? goal.until : null;
  };
  let taken = await takeStep(parts, world, target, isOver);
  for (; taken !== 'done' && taken !== 'over'; taken = await takeStep(parts, world, target, isOver)) {
    if (taken === 'held') {
      await sleep(LOOK_AGAIN_MS);
      continue;
    }
    reached = Math.max(reached, taken);
    steps += 1;
  }
  const { until, resets: before } = goal!;
  const isDone = taken === 'done';
  const clock = await setClock(parts, world, ({ clock, resets }, realNow) => {
    if (resets !== before) return clock;
    return isDone ? advanceTo(clock, realNow, until) : advanceTo(clock, realNow, reached, { until, byMs });
  });
  return { clock, steps };
}

/** The world time of a step, or why no step was taken. `held`: a worker is making the attempt that is due. */
type Taken = number | 'done' | 'over' | 'held';

/**
 * Runs the first timer or attempt that is due. While an attempt waits for its receiver, it does not hold a turn.
 * @param target the world time to advance to; null: the world was reset
 */
async function takeStep(
  parts: AdvanceParts,
  { id }: World,
  target: () => Promise<number | null>,
  isOver: () => boolean,
): Promise<Taken> {
  const { db } = parts.store;
  const inTurn = <T>(work: () => Promise<T>) => whileLocked(() => parts.steps.run(id, work));
  const taken = await inTurn(async (): Promise<Taken | Claimed> => {
    const until = await target();
    if (until === null) return 'done';
    const timer = await dueInWorld(db, id, until);
    if (isOver()) return (timer ?? (await dueDeliveryInWorld(db, id, until))) === null ? 'done' : 'over';
    const claimed = await claimInWorld(parts, id, timer?.dueAt ?? until);
    if (claimed !== null) return claimed;
    if (timer === null) return 'done';
    await runTimer(parts, timer);
    return timer.dueAt;
  });
  if (typeof taken !== 'object') return taken;
  await deliverClaimed(parts, parts.sender, taken, inTurn);
  return taken.delivery.dueAt;
}

async function setClock(
  parts: SettlingParts,
  before: World,
  change: (world: World, realNow: number) => WorldClock,
): Promise<WorldClock> {
  assertSandbox(before);
  const { clock, isSettled } = await parts.store.transaction(async (tx) => {
    const clock = change(await holdWorld(tx, before), parts.now());
    return { clock, isSettled: await saveClock(tx, before.id, clock) };
  });
  if (!isSettled) await settleWorld(parts, before.id);
  return clock;
}

function assertSandbox({ id, kind }: World): void {
  if (kind === 'live') throw new Error(`There is no sandbox ${id}`);
}
