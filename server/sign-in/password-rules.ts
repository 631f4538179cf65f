import { dictionary } from '@zxcvbn-ts/language-common';
import { PASSWORD_LENGTH } from './password-length.ts';

/** What a password must not consist of: a person's own words, known to all who know them. */
export interface OwnWords {
  readonly email: string;
  /** Absent for an account without a name. */
  readonly firstName?: string;
  readonly lastName?: string;
}

/** From leaks, in lower case. */
const COMMON: ReadonlySet<string> = new Set(dictionary['passwords-common']);
/** Blanks, and what shows nothing. */
const UNSEEN = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const PRODUCT = 'ridehail';
const DIGITS = '0123456789';

/**
 * Why a password may not be chosen, as a sentence for the person; null if it may (NIST SP 800-63B-4, section 3.1.1.2).
 * Every form where a password is chosen asks this. The module takes a while to load, so import it when it is needed.
 */
export function problemOfPassword(password: string, own: OwnWords): string | null {
  const { least, most } = PASSWORD_LENGTH;
  const normal = password.normalize('NFKC');
  const characters = charactersIn(normal);
  // some characters are many in this form
  if (Math.min(characters, charactersIn(password)) < least) return `Choose a password of at least ${least} characters.`;
  if (characters > most) return `A password has at most ${most} characters.`;
  const plain = normal.toLowerCase();
  const visible = plain.replace(UNSEEN, '');
  if (COMMON.has(plain) || COMMON.has(visible) || isOneCharacterAtMost(visible)) {
    return 'This password is among those that are guessed first. Choose another one.';
  }
  return isOwn(plain, own) ? 'Your password must be more than your email address or your name.' : null;
}

/** In code points, as NIST counts: an emoji is one, and not the two units of a string. */
function charactersIn(text: string): number {
  return [...text].length;
}

function isOneCharacterAtMost(text: string): boolean {
  return new Set(text).size <= 1;
}

/** Whether nothing but own words is left without signs, and without digits at the end. */
function isOwn(plain: string, { email, firstName = '', lastName = '' }: OwnWords): boolean {
  const [localPart = '', domain = ''] = email.split('@');
  const words = [email, localPart, domain, firstName, lastName, firstName + lastName, lastName + firstName, PRODUCT];
  const known = new Set(words.flatMap((word) => [lettersOf(word), stemOf(word)]).filter((word) => word !== ''));
  return known.has(lettersOf(plain)) || known.has(stemOf(plain));
}

/** Without the digits at the end, unless it is only digits. */
function stemOf(word: string): string {
  const letters = lettersOf(word);
  let end = letters.length;
  while (end > 0 && DIGITS.includes(letters[end - 1]!)) end -= 1;
  return end === 0 ? letters : letters.slice(0, end);
}

function lettersOf(word: string): string {
  return word
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}
