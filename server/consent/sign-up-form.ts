import { z } from 'zod';
import { EMAIL_RULE } from '../sign-in/email.ts';
import { problemOfPassword } from '../sign-in/password-rules.ts';
import { e164 } from './phone-number.ts';
import type { SignUpField } from './views/sign-up.ts';

/** The fields of a sign-up: trimmed, the email in lower case, the phone number in E.164. */
export type SignUp = Readonly<Record<SignUpField, string>>;

export type SignUpProblems = Readonly<Partial<Record<SignUpField, string>>>;

const PHONE_NUMBER = 'Enter a phone number, with its country code unless it is of the US, such as +1 415 555 0100.';

/** Without ends of lines, and without characters that turn the direction of the text around them. */
const ONE_LINE = /^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u;

const name = (label: string) =>
  z
    .string()
    .trim()
    .min(1, `Enter your ${label}.`)
    .max(100, `Your ${label} may have at most 100 characters.`)
    .regex(ONE_LINE, `Your ${label} must stand on one line, without control characters.`);

/** The rules of the form, each with its error message. */
const RULES = z.object({
  first_name: name('first name'),
  last_name: name('last name'),
  email: EMAIL_RULE,
  phone_number: z
    .string()
    .trim()
    .min(1, 'Enter your phone number.')
    .transform((text, context) => e164(text) ?? context.addIssue(PHONE_NUMBER) ?? z.NEVER),
  // its rules compare it with the other fields
  password: z.string(),
}) satisfies z.ZodType<SignUp>;

/** @param fields as sent; a missing one is empty */
export function readSignUp(
  fields: Readonly<Record<SignUpField, string>>,
): { readonly signUp: SignUp } | { readonly problems: SignUpProblems } {
  const { data, error } = RULES.safeParse(fields);
  const own = { email: fields.email.trim(), firstName: fields.first_name, lastName: fields.last_name };
  const password = problemOfPassword(fields.password, own);
  if (data !== undefined && password === null) return { signUp: data };
  const problems = Object.fromEntries(error?.issues.map(({ path, message }) => [path[0], message]) ?? []);
  return { problems: { ...problems, ...(password !== null && { password }) } };
}
