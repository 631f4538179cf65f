/** The Prime Time of a forced confirmation when Prime Time is not active. */
const FORCED_PERCENT = 25;

/**
 * The Prime Time that the passenger must confirm, in percent; 0: none.
 * @param isConfirmationForced always requires a confirmation
 */
export function percentToAgreeTo(percent: number, isConfirmationForced: boolean): number {
  return percent === 0 && isConfirmationForced ? FORCED_PERCENT : percent;
}

/** Percent as shown in the API: 50 becomes '50%'. */
export function primeTimePercentage(percent: number): string {
  return `${percent}%`;
}

/** The multiplier of the fare: 2 at 100 percent. */
export function primeTimeMultiplier(percent: number): number {
  return 1 + percent / 100;
}
