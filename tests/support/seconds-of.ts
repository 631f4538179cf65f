import type { EtaEstimate } from '../../generated/types.ts';

/** The seconds of an estimate that may be used; null: no driver is free. Throws for one that may not. */
export function secondsOf(estimate: EtaEstimate | undefined): number | null {
  if (!estimate?.is_valid_estimate) throw new Error('The estimate is not valid');
  return estimate.eta_seconds;
}
