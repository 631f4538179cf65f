import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** The number in E.164; undefined if the text is not a number. Unassigned numbers pass, such as 555 numbers. */
export function e164(text: string): string | undefined {
  const number = parsePhoneNumberFromString(text, { defaultCountry: 'US', extract: false });
  // E.164 would lose an extension
  return number?.isPossible() && number.ext === undefined ? number.number : undefined;
}
