import { fractionDigits } from '../domain/pricing/currency.ts';

/**
 * A formatted amount, such as `$2.20`.
 * @param amount minor units
 * @param currency ISO 4217
 */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.format(amount / 10 ** fractionDigits(currency));
}
