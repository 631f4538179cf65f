import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../domain/time.ts';
import type { Parts } from '../parts.ts';
import { continueResend, type RunningResend, runningResends } from '../store/deliveries/resends.ts';
import { isLockTimeout } from '../store/engine/errors.ts';
import { WorldGone } from '../store/worlds.ts';
import { eachInTurn } from './each-in-turn.ts';
import type { StepGate } from './step-gate.ts';

/**
 * Pause of the worker that sends ranges of events again.
 * @beyond a new range waits this long
 */
const LONGEST_PAUSE_MS = 250;
/** Between two steps of a range: the deliveries of the last one go out. */
const PAUSE_MS = 50;
/**
 * Rest of a range whose events wait for their receiver.
 * @beyond it continues this long after the receiver has answered
 * @heldBy tests/workers/resends.test.ts
 */
const LONGEST_REST_MS = SECOND_MS;

type ResendParts = Pick<Parts, 'store' | 'now' | 'logger'> & { readonly steps: StepGate };

/** How long resends rest whose events wait for their receiver, in milliseconds, and until when. By world. */
type Rests = Map<string, { readonly ms: number; readonly until: number }>;

/**
 * Continues all resends by one step each.
 * @param rests of the calls before; one in which nothing has changed rests twice as long each time
 * @returns whether any is running
 */
export async function continueResends(parts: ResendParts, rests: Rests = new Map()): Promise<boolean> {
  const running = await runningResends(parts.store.db);
  for (const key of rests.keys()) if (!running.some((resend) => keyOf(resend) === key)) rests.delete(key);
  await eachInTurn(running, async (resend) => {
    const { ms, until } = rests.get(keyOf(resend)) ?? { ms: PAUSE_MS / 2, until: 0 };
    if (parts.now() < until) return;
    const hasChanged = await parts.steps.run(FLOW, () => step(parts, resend));
    const next = Math.min(2 * ms, LONGEST_REST_MS);
    if (hasChanged) rests.delete(keyOf(resend));
    else rests.set(keyOf(resend), { ms: next, until: parts.now() + next });
  });
  return running.length > 0;
}

const keyOf = ({ applicationId, worldId }: RunningResend) => `${applicationId} ${worldId}`;

/** The gate's flow of all resends. */
const FLOW = 'resends';

/** @returns whether it has changed anything */
async function step({ store, now }: ResendParts, resend: RunningResend): Promise<boolean> {
  try {
    return await store.transaction((tx) => continueResend(tx, resend, now()), 'briefly');
  } catch (error) {
    // a later step continues, unless the world was deleted with its resend
    if (!isLockTimeout(error) && !(error instanceof WorldGone)) throw error;
    return false;
  }
}

/** Continues the resends of ranges, until stopped. */
export function startResendWorker(parts: ResendParts) {
  const stopping = new AbortController();
  const stopped = work(parts, stopping.signal);
  return {
    /** Resolves when the step in progress is finished. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await stopped;
    },
  };
}

async function work(parts: ResendParts, signal: AbortSignal): Promise<void> {
  const rests: Rests = new Map();
  while (!signal.aborted) {
    const isRunning = await continueResends(parts, rests).catch((error: unknown) => {
      parts.logger.error({ err: error }, 'could not continue a resend');
      return false;
    });
    // stopping ends the sleep
    await sleep(isRunning ? PAUSE_MS : LONGEST_PAUSE_MS, undefined, { signal }).catch(() => {});
  }
}
