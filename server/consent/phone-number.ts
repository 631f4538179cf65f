import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** The number in E.164; undefined if the text isn't a number. Accepts unassigned numbers, such as 555 numbers. */
export function e164(text: string): string | undefined {
  const number = parsePhoneNumberFromString(text, { defaultCountry: 'US', extract: false });
  // E.164 has no extensions
  return number?.isPossible() && number.ext === undefined ? number.number : undefined;
}
