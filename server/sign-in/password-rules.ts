import { dictionary } from '@zxcvbn-ts/language-common';
import { PASSWORD_LENGTH } from './password-length.ts';
import type { Problems } from './views/form.ts';

/** A person's own words, which are easy to guess and so can't make up a password. */
interface OwnWords {
  readonly email: string;
  /** Absent for accounts without a name. */
  readonly firstName?: string;
  readonly lastName?: string;
}

/** Leaked passwords in lower case. */
const COMMON: ReadonlySet<string> = new Set(dictionary['passwords-common']);
/** Spaces and invisible characters. */
const UNSEEN = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const PRODUCT = 'ridehail';
const DIGITS = '0123456789';

/**
 * Why a new password isn't allowed, as a message for the person; null if it is (NIST SP 800-63B-4, section 3.1.1.2).
 * Call it in every form that sets a password. The module loads slowly, so import it on demand.
 */
export function problemOfPassword(password: string, own: OwnWords): string | null {
  const { least, most } = PASSWORD_LENGTH;
  const normal = password.normalize('NFKC');
  const characters = charactersIn(normal);
  // normalizing can expand one character into many
  if (Math.min(characters, charactersIn(password)) < least)
    return `Choose a password with at least ${least} characters.`;
  if (characters > most) return `Choose a password with at most ${most} characters.`;
  const plain = normal.toLowerCase();
  const visible = plain.replace(UNSEEN, '');
  if (COMMON.has(plain) || COMMON.has(visible) || new Set(visible).size <= 1) {
    return 'This password is too easy to guess. Choose another one.';
  }
  return isOwn(plain, own)
    ? 'Choose a password that isn’t based on your name, your email address or the word Ridehail.'
    : null;
}

/** In code points, as NIST counts: an emoji is one character, not two string units. */
function charactersIn(text: string): number {
  return [...text].length;
}

/** Whether a password is only a name, the email address or the product's name, with punctuation and final digits. */
function isOwn(plain: string, { email, firstName = '', lastName = '' }: OwnWords): boolean {
  const [localPart = '', domain = ''] = email.split('@');
  const words = [email, localPart, domain, firstName, lastName, firstName + lastName, lastName + firstName, PRODUCT];
  const known = new Set(words.flatMap((word) => [lettersOf(word), stemOf(word)]).filter((word) => word !== ''));
  return known.has(lettersOf(plain)) || known.has(stemOf(plain));
}

/** Without trailing digits, unless it is all digits. */
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

/** Problems with a new password and its repetition. Slow to load: import on demand. */
export function problemsOfNewPassword(chosen: string, repeated: string, own: OwnWords): Problems {
  const problem = problemOfPassword(chosen, own);
  if (problem !== null) return { new_password: problem };
  return repeated === chosen ? {} : { repeated_password: 'The new passwords don’t match.' };
}
