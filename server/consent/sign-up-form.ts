import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { z } from 'zod';
import { PASSWORD_LENGTH } from './password-length.ts';
import type { SignUpField } from './views/sign-up.ts';

/** The fields of a sign-up: trimmed, the email in lower case, the phone number in E.164. */
export type SignUp = Readonly<Record<SignUpField, string>>;

export type SignUpProblems = Readonly<Partial<Record<SignUpField, string>>>;

const PHONE_NUMBER = 'Enter a phone number, with its country code unless it is of the US, such as +1 415 555 0100.';
const EMAIL = 'Enter a whole email address, such as maya@example.com.';

const name = (label: string) =>
  z
    .string()
    .trim()
    .min(1, `Enter your ${label}.`)
    .max(100, `Your ${label} may have at most 100 characters.`)
    .regex(/^\P{Cc}*$/u, `Your ${label} must stand on one line, without control characters.`);

/** The rules of the form, each with its error message. */
const RULES = z.object({
  first_name: name('first name'),
  last_name: name('last name'),
  email: z
    .string()
    .trim()
    .min(1, 'Enter your email address.')
    .max(254, 'An email address has at most 254 characters.')
    .toLowerCase()
    .pipe(z.email(EMAIL)),
  phone_number: z
    .string()
    .trim()
    .min(1, 'Enter your phone number.')
    .transform((text, context) => e164(text) ?? context.addIssue(PHONE_NUMBER) ?? z.NEVER),
  password: z
    .string()
    .min(PASSWORD_LENGTH.least, `Choose a password of at least ${PASSWORD_LENGTH.least} characters.`)
    .max(PASSWORD_LENGTH.most, `A password has at most ${PASSWORD_LENGTH.most} characters.`),
}) satisfies z.ZodType<SignUp>;

/** @param fields as sent; a missing one is empty */
export function readSignUp(
  fields: Readonly<Record<SignUpField, string>>,
): { readonly signUp: SignUp } | { readonly problems: SignUpProblems } {
  const { success, data, error } = RULES.safeParse(fields);
  if (success) return { signUp: data };
  return { problems: Object.fromEntries(error.issues.map(({ path, message }) => [path[0], message])) };
}

/** The number in E.164; undefined if the text is not a number. Unassigned numbers pass, such as 555 numbers. */
function e164(text: string): string | undefined {
  const number = parsePhoneNumberFromString(text, { defaultCountry: 'US', extract: false });
  // E.164 would lose an extension
  return number?.isPossible() && number.ext === undefined ? number.number : undefined;
}
