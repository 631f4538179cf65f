import { fractionDigits } from '../domain/pricing/currency.ts';

/**
 * An amount as people write it: `$2.20`.
 * @param amount minor units
 * @param currency ISO 4217
 */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.format(amount / 10 ** fractionDigits(currency));
}
