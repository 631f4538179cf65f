import { TestRunner, vi } from 'vitest';

const IN_A_HOOK_MS = 60_000;

/** Retries a check until it passes. It gives up just before the test times out, so that the failure names the check. */
export function until<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 0.9 * (TestRunner.getCurrentTest()?.timeout ?? IN_A_HOOK_MS), interval: 20 });
}
