/** The number of digits after the decimal point: two for most currencies, none for the yen. @param currency ISO 4217 */
export function fractionDigits(currency: string): number {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}
