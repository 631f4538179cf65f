import { medianOf } from './median.ts';

/** The median, the minimum and the maximum of the rounds. */
export interface Spread {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: medianOf(values), lowest: Math.min(...values), highest: Math.max(...values) };
}

export function inWords({ median, lowest, highest }: Spread): string {
  return `**${median.toFixed(2)}** (${lowest.toFixed(2)} to ${highest.toFixed(2)})`;
}
