import type { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { draw, pick } from '../../../server/domain/chance.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import type { Balancer } from './balancer.ts';
import type { Fleet, StrikeKind } from './fleet.ts';
import { type ChaosReceiver, next } from './receiver.ts';
import type { Scene } from './run.ts';

/** Longer than the lease of a timer, which is longer than that of a delivery. */
const SHORTEST_FREEZE_MS = 32 * SECOND_MS;
const LONGEST_FREEZE_MS = 40 * SECOND_MS;
/** Longest time between an event and the strike, so that the strike interrupts the work that the event started. */
const SOON_MS = 30;
/** The same after a start. */
const STARTING_MS = 300;
/** For a moment, a call that a kill cut off or a statement of a frozen instance may still hold row locks. */
const SETTLE_MS = 2 * SECOND_MS;
const NOTHING_WAITS = ', although no webhook waits for a response, so it tests no late write';

export interface Plan {
  readonly seed: string;
  readonly kills: number;
  readonly freezes: number;
  /** Number of restarts of all instances, one after the other. */
  readonly rollings: number;
  /** Longest time between two strikes. */
  readonly longestPauseMs: number;
}

/** A span of time with only a rolling restart, in milliseconds UTC. */
export interface Rolling {
  readonly from: number;
  readonly to: number;
}

/** The strikes of a run in order. Freezes and restarts are spread among the kills. */
export function strikesOf({ seed, kills, freezes, rollings }: Plan): readonly StrikeKind[] {
  const counts = { kill: kills, freeze: freezes, restart: rollings };
  const all = (Object.keys(counts) as StrikeKind[]).flatMap((kind) => Array<StrikeKind>(counts[kind]).fill(kind));
  const places = all.map((kind, i) => ({ kind, place: draw(seed, 'place', kind, i) }));
  return places.sort((a, b) => a.place - b.place).map(({ kind }) => kind);
}

/**
 * Strikes one instance after another, and always leaves at least one working. Kills continue while an instance is
 * frozen.
 * @param receiver its `happenings` must emit `call` too
 * @returns when the rolling restarts took place
 */
export async function strikeAll(
  plan: Plan,
  { balancer, report }: Pick<Scene, 'balancer' | 'report'>,
  fleet: Fleet,
  receiver: ChaosReceiver,
): Promise<Rolling[]> {
  const { seed, longestPauseMs } = plan;
  const rollings: Rolling[] = [];
  let thawing: Promise<void> = Promise.resolve();
  for (const [number, kind] of strikesOf(plan).entries()) {
    await moment(receiver.happenings, longestPauseMs, seed, number);
    if (kind === 'restart') {
      await thawing;
      report(`Strike ${number + 1}: restarts all instances, one after another`);
      rollings.push(await roll(fleet, balancer));
      continue;
    }
    // while an instance is frozen, the last one must not be killed
    if (fleet.sound().length < 2 || kind === 'freeze') await thawing;
    const instance = pick(fleet.sound(), draw(seed, 'victim', number));
    if (kind === 'kill') {
      report(`Strike ${number + 1}: kills instance ${instance}`);
      await fleet.kill(instance);
      continue;
    }
    const forMs = SHORTEST_FREEZE_MS + (LONGEST_FREEZE_MS - SHORTEST_FREEZE_MS) * draw(seed, 'freeze', number);
    const isWaiting = await waitForUnansweredWebhook(receiver, longestPauseMs);
    const seconds = Math.round(forMs / SECOND_MS);
    report(`Strike ${number + 1}: freezes instance ${instance} for ${seconds} s${isWaiting ? '' : NOTHING_WAITS}`);
    thawing = fleet.freeze(instance, forMs).then(() => balancer.ready([instance]));
    // the next strike that waits for this one throws the error
    thawing.catch(() => {});
  }
  await thawing;
  return rollings;
}

/**
 * Waits for a webhook that gets no immediate response, so that an instance frozen now gets the response after its lease
 * has expired. @returns whether there was one in time. If not, a freeze still tests everything else
 */
async function waitForUnansweredWebhook({ arrivals, happenings }: ChaosReceiver, longestMs: number): Promise<boolean> {
  const until = Date.now() + longestMs;
  const isUnanswered = () => arrivals.at(-1)?.mood === 'slow' || arrivals.at(-1)?.mood === 'hang';
  do await next(happenings, 'arrival', until - Date.now());
  while (!isUnanswered() && Date.now() < until);
  return isUnanswered();
}

async function roll(fleet: Fleet, balancer: Balancer): Promise<Rolling> {
  await pause(SETTLE_MS);
  const from = Date.now();
  for (const instance of fleet.urls.keys()) {
    await balancer.ready();
    await fleet.restart(instance);
  }
  await balancer.ready();
  return { from, to: Date.now() };
}

/** Any moment, or one shortly after the start of a killed instance, a webhook or a call. */
async function moment(happenings: EventEmitter, longestMs: number, seed: string, number: number): Promise<void> {
  const kind = pick(['any', 'start', 'arrival', 'call'] as const, draw(seed, 'kind of moment', number));
  const soon = draw(seed, 'soon', number);
  if (kind === 'start') return pause(STARTING_MS * soon);
  // mostly short, but sometimes long enough for the leases of a killed instance to expire
  await pause(longestMs * draw(seed, 'pause', number) ** 3);
  if (kind === 'any') return;
  await next(happenings, kind, longestMs);
  await pause(SOON_MS * soon);
}
