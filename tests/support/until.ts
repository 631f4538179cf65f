import { vi } from 'vitest';

/** Longer than any machine takes; the time that a test has by itself is a little longer still. */
const LONGEST_MS = 25_000;

/** Waits until a check passes, however busy the machine is. The time-out only ends what would hang. */
export function until<T>(check: () => T | Promise<T>, timeout = LONGEST_MS): Promise<T> {
  return vi.waitFor(check, { timeout, interval: 20 });
}
