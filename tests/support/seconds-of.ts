import type { EtaEstimate } from '../../generated/types.ts';

/** The seconds of a valid estimate; null: no driver is free. Throws when the estimate is not valid. */
export function secondsOf(estimate: EtaEstimate | undefined): number | null {
  if (!estimate?.is_valid_estimate) throw new Error('The estimate is not valid.');
  return estimate.eta_seconds;
}
