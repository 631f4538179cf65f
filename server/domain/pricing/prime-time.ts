import { primeTimePercent } from '../areas.ts';
import type { ServiceArea } from '../service-area.ts';

/** Prime Time for a forced confirmation while none is active. */
const FORCED_PERCENT = 25;

/**
 * The Prime Time that a passenger has to agree to, in percent; 0: none.
 * @param isConfirmationForced asks for a confirmation in any case
 */
export function percentToAgreeTo(area: ServiceArea, at: number, isConfirmationForced: boolean): number {
  const percent = primeTimePercent(area, at);
  return percent === 0 && isConfirmationForced ? FORCED_PERCENT : percent;
}

/** Percent as the API shows it: 50 is '50%'. */
export function primeTimePercentage(percent: number): string {
  return `${percent}%`;
}

/** What the fare is multiplied by: 2 at 100 percent. */
export function primeTimeMultiplier(percent: number): number {
  return 1 + percent / 100;
}
