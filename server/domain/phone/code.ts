import { MINUTE_MS } from '../time.ts';

const CODE_DIGITS = 6;
const CODE_TTL_MINUTES = 10;
export const CODE_TTL_MS = CODE_TTL_MINUTES * MINUTE_MS;
/**
 * Attempts at a phone verification code. There are a million possible codes, and a passenger can request only a few
 * codes an hour.
 * @beyond the page asks for a new code
 * @heldBy tests/account/phone.test.ts
 */
export const MOST_CODE_TRIES = 5;

/** A code that proves that a passenger can read a phone's messages. */
export function newCode(randomBytes: (size: number) => Uint8Array): string {
  // 48 bits keep the modulo bias negligible
  const number = Buffer.from(randomBytes(6)).readUIntBE(0, 6) % 10 ** CODE_DIGITS;
  return String(number).padStart(CODE_DIGITS, '0');
}

/** The code in a form field; undefined if the text is not a code. */
export function codeIn(text: string): string | undefined {
  const code = text.replace(/[\s-]/g, '');
  return /^\d{6}$/.test(code) ? code : undefined;
}

/** Uses a straight apostrophe: a curly one would more than halve the characters that fit into one text message. */
export function messageWith(code: string): string {
  return `Your Ridehail code is ${code}. It expires in ${CODE_TTL_MINUTES} minutes. Don't share it with anyone.`;
}
