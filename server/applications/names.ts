import { rectifyConfusion } from 'unicode-confusables';
import { wrongField } from '../domain/refusal.ts';

/** Name of an application. Longer names are hard to read. @beyond the form returns with an error */
export const MOST_NAME_CHARACTERS = 60;

/** Invisible characters, including letters and symbols, which are outside Unicode category C. */
const BLANKS = /[\p{Default_Ignorable_Code_Point}\u2800]/u;
/** The variation selector that keyboards add to color the preceding emoji. */
const EMOJI_STYLE = /(?<=\p{Emoji})\ufe0f/gu;
/** More combining marks than any language stacks on a letter: they would cover the lines above and below. */
const PILED_MARKS = /^\p{M}|\p{M}{5}/u;

const refuse = (problem: string) => wrongField('name', problem);

/** The name in the form to store. Throws Refusal `bad_parameter`. */
export function nameFrom(text: string): string {
  const name = text.trim().replace(/\s+/gu, ' ');
  if (name === '') throw refuse('Enter a name.');
  if ([...name].length > MOST_NAME_CHARACTERS)
    throw refuse(`Enter a name with at most ${MOST_NAME_CHARACTERS} characters.`);
  // invisible characters, and those that reverse the text around them, can disguise a name as another one
  if (/\p{C}/u.test(name) || BLANKS.test(name.replace(EMOJI_STYLE, '')))
    throw refuse('The name contains an invisible character. Remove it.');
  if (PILED_MARKS.test(name)) throw refuse('The name contains misplaced accents. Remove them.');
  return name;
}

/**
 * Throws Refusal `bad_parameter` if passengers could take the name for another one: see `disguiseOf`. Operators may give
 * such a name.
 */
export function assertNoDisguise(name: string): void {
  const disguise = disguiseOf(name);
  if (disguise === 'mixed_scripts')
    throw refuse('The name mixes letters of several alphabets, which can look alike. Use letters of one alphabet.');
  if (disguise === 'product') throw refuse('The name looks like our own. Remove the word that does.');
}

/** The scripts in everyday use (UAX 31, table 5). */
const SCRIPTS = [
  ...['Arabic', 'Armenian', 'Bengali', 'Bopomofo', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek'],
  ...['Gujarati', 'Gurmukhi', 'Han', 'Hangul', 'Hebrew', 'Hiragana', 'Kannada', 'Katakana', 'Khmer', 'Lao', 'Latin'],
  ...['Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan'],
];
/** Scripts that one language writes together (UTS 39, section 5.2, Highly Restrictive). */
const TOGETHER = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];
const ALPHABETS = [...SCRIPTS.map((script) => [script]), ...TOGETHER].map((scripts) =>
  ['Common', 'Inherited', ...scripts].map((script) => `\\p{Script_Extensions=${script}}`).join(''),
);
export const IN_ONE_ALPHABET = new RegExp(`^(?:${ALPHABETS.map((letters) => `[${letters}]*`).join('|')})$`, 'u');

const PRODUCT = 'Ridehail';

/**
 * How a name could pass for another: with letters of several scripts (UTS 39, beyond the level Highly Restrictive), or
 * with a word that looks like the product's name (UTS 39, section 4). Null: it could not.
 */
export function disguiseOf(name: string): 'mixed_scripts' | 'product' | null {
  const plain = name.normalize('NFKC').replace(ENCLOSED, letterIn);
  if (!IN_ONE_ALPHABET.test(plain)) return 'mixed_scripts';
  // some signs can stand for letters, or separate words
  const words = [name, plain, looksOf(plain)].flatMap((text) => text.split(/[^\p{L}\p{M}\p{N}]+/u));
  return words.some((word) => looksOf(word) === looksOf(PRODUCT)) ? 'product' : null;
}

/** The letters A to Z in black circles and squares, and of flags. NFKC turns all other enclosed letters into plain ones. */
const ENCLOSED = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu;
const BLOCKS = [0x1f1e6, 0x1f170, 0x1f150];

function letterIn(sign: string): string {
  const code = sign.codePointAt(0)!;
  return String.fromCodePoint(0x41 + code - BLOCKS.find((first) => code >= first)!);
}

/** Letters of phonetic alphabets, which UTS 39 does not list with the letters that they look like. */
const SMALL_CAPITALS = /[ᴀᴅᴇʜɪʟʀ]/g;

/** A text that is equal for words that look alike, in any case. */
function looksOf(word: string): string {
  const plain = unmarked(word).replace(SMALL_CAPITALS, (letter) => 'adehilr'['ᴀᴅᴇʜɪʟʀ'.indexOf(letter)]!);
  const skeleton = unmarked(rectifyConfusion(plain)).toLowerCase();
  // in capital letters, i looks like l, which the skeleton of small letters keeps apart
  return skeleton.replace(/[i1|!¡¦∣│❘]/g, 'l');
}

function unmarked(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}
