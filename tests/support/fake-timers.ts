import { onTestFinished, vi } from 'vitest';

/** Fakes timers until the end of the test. @param now the initial time of the clock, milliseconds UTC */
export function fakeTimers(toFake: NonNullable<Parameters<typeof vi.useFakeTimers>[0]>['toFake'], now?: number): void {
  vi.useFakeTimers({ toFake, ...(now !== undefined && { now }) });
  onTestFinished(() => void vi.useRealTimers());
}
