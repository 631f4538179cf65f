/**
 * An amount as people write it: `$2.20`.
 * @param amount minor units
 * @param currency ISO 4217
 */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  // a currency's digits after the point: two for most, none for the yen
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}
