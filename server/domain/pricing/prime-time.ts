/** Percent as the API shows it: 50 is '50%'. */
export function primeTimePercentage(percent: number): string {
  return `${percent}%`;
}

/** What the fare is multiplied by: 2 at 100 percent. */
export function primeTimeMultiplier(percent: number): number {
  return 1 + percent / 100;
}
