/** A payment card, as typed. Only the payment provider receives it: it is never stored, logged or shown again. */
export interface Card {
  /** Digits only. */
  readonly number: string;
  readonly expires: CardMonth;
  /** Three or four digits. */
  readonly securityCode: string;
}

/** A card is valid to the end of this month. */
export interface CardMonth {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
}

export type CardField = 'card_number' | 'expires' | 'security_code';

const FEWEST_DIGITS = 12;
/** Digits of a card number. @beyond the form returns with an error @heldBy tests/domain/card.test.ts */
const MOST_DIGITS = 19;
/**
 * Years until a card expires. Cards are issued for a few years; a later year is a typo.
 * @beyond the form returns with an error
 * @heldBy tests/domain/card.test.ts
 */
const MOST_YEARS_AHEAD = 20;
const CENTURY = 2000;

/**
 * Reads the fields of a form. The error messages do not repeat the input.
 * @param at real milliseconds UTC
 */
export function readCard(
  fields: Readonly<Record<CardField, string>>,
  at: number,
): { readonly card: Card } | { readonly problems: Readonly<Partial<Record<CardField, string>>> } {
  const number = fields.card_number.replace(/[\s-]/g, '');
  const expires = monthIn(fields.expires);
  const securityCode = fields.security_code.trim();
  const problems = {
    card_number: problemOfNumber(number),
    expires: problemOfMonth(expires, at),
    security_code: /^\d{3,4}$/.test(securityCode) ? null : 'Enter the 3- or 4-digit security code.',
  };
  const found = Object.entries(problems).filter(([, problem]) => problem !== null);
  if (found.length > 0 || expires === null) return { problems: Object.fromEntries(found) };
  return { card: { number, expires, securityCode } };
}

/** The only part of a card that is stored: the name by which the passenger recognizes it. */
export function displayNameOf({ number }: Pick<Card, 'number'>): string {
  const brand = BRANDS.find(({ begins }) => begins.test(number))?.name ?? 'Card';
  return `${brand} ending in ${number.slice(-4)}`;
}

/** Matched by the first digits (ISO/IEC 7812). */
const BRANDS = [
  { name: 'Visa', begins: /^4/ },
  { name: 'Mastercard', begins: /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/ },
  { name: 'American Express', begins: /^3[47]/ },
  { name: 'Discover', begins: /^(6011|65|64[4-9])/ },
] as const;

function problemOfNumber(number: string): string | null {
  const isLong = number.length >= FEWEST_DIGITS && number.length <= MOST_DIGITS;
  if (!/^\d+$/.test(number) || !isLong) return 'Enter a card number with 12 to 19 digits.';
  return hasRightCheckDigit(number) ? null : 'This card number is invalid. Check each digit.';
}

/** The Luhn check (ISO/IEC 7812-1, annex B), which detects every single wrong digit. */
function hasRightCheckDigit(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Reads `04/29`, `4 / 2029` and `0429`. */
function monthIn(text: string): CardMonth | null {
  const [, month, year] = /^(\d{1,2})\/(\d{2}|\d{4})$|^$/.exec(withSlash(text.replace(/\s/g, ''))) ?? [];
  if (month === undefined || year === undefined || Number(month) < 1 || Number(month) > 12) return null;
  return { month: Number(month), year: year.length === 2 ? CENTURY + Number(year) : Number(year) };
}

function withSlash(text: string): string {
  return /^\d{4}$/.test(text) ? `${text.slice(0, 2)}/${text.slice(2)}` : text;
}

function problemOfMonth(expires: CardMonth | null, at: number): string | null {
  const now = new Date(at);
  const months = expires && (expires.year - now.getUTCFullYear()) * 12 + expires.month - (now.getUTCMonth() + 1);
  if (months === null || months > MOST_YEARS_AHEAD * 12) {
    return 'Enter the expiry month and year, such as 04/29.';
  }
  return months < 0 ? 'This card has expired. Use another card.' : null;
}
