import { setTimeout as sleep } from 'node:timers/promises';
import type { Parts } from '../parts.ts';
import { continueResend, runningResends } from '../store/deliveries/resends.ts';
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

/** The gate's flow of all resends. */
const FLOW = 'resends';

type ResendParts = Pick<Parts, 'store' | 'now' | 'logger'> & { readonly steps: StepGate };

/** Continues the resends of all applications by one step each. @returns whether any is running */
export async function continueResends(parts: ResendParts): Promise<boolean> {
  const running = await runningResends(parts.store.db);
  await eachInTurn(running, (applicationId) => parts.steps.run(FLOW, () => step(parts, applicationId)));
  return running.length > 0;
}

async function step({ store, now }: ResendParts, applicationId: string): Promise<void> {
  try {
    await store.transaction((tx) => continueResend(tx, applicationId, now()), 'briefly');
  } catch (error) {
    // a later step continues, unless the world was deleted with its resend
    if (!isLockTimeout(error) && !(error instanceof WorldGone)) throw error;
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
  while (!signal.aborted) {
    const isRunning = await continueResends(parts).catch((error: unknown) => {
      parts.logger.error({ err: error }, 'could not continue a resend');
      return false;
    });
    // stopping ends the sleep
    await sleep(isRunning ? PAUSE_MS : LONGEST_PAUSE_MS, undefined, { signal }).catch(() => {});
  }
}
