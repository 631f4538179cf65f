import { TestRunner, vi } from 'vitest';

const IN_A_HOOK_MS = 60_000;

/**
 * Waits until a check passes, however busy the machine is: for nearly all the time that the test has, which only ends what would hang, so
 * that the failure says what never came.
 */
export function until<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 0.9 * (TestRunner.getCurrentTest()?.timeout ?? IN_A_HOOK_MS), interval: 20 });
}
