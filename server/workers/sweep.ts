import { DAY_MS, HOUR_MS } from '../domain/time.ts';
import type { Parts } from '../parts.ts';
import { deleteExpired } from '../store/tokens.ts';

const SWEEP_EVERY_MS = HOUR_MS;
/** How long an expired token is still told so, and a code that was used twice still recognized. */
const KEPT_AFTER_EXPIRY_MS = DAY_MS;

/** Deletes the credentials that nobody will ask about anymore. */
export async function sweep({ store, now }: Parts): Promise<void> {
  await deleteExpired(store.db, now() - KEPT_AFTER_EXPIRY_MS);
}

/** Sweeps at once and then every hour, until it is stopped. A sweep that fails is logged; the next one makes up for it. */
export function startSweeper(parts: Parts): { stop(): void } {
  const run = () =>
    void sweep(parts).catch((error: unknown) => parts.logger.error({ err: error }, 'expired credentials stay for now'));
  run();
  const timer = setInterval(run, SWEEP_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
