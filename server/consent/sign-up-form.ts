import { z } from 'zod';
import { EMAIL_RULE } from '../sign-in/email.ts';
import { problemOfPassword } from '../sign-in/password-rules.ts';
import type { Problems } from '../sign-in/views/form.ts';
import { e164 } from './phone-number.ts';
import { NOT_A_NUMBER, type SignUpField } from './views/sign-in.ts';

/** A sign-up's fields: trimmed, with the email in lower case and the phone number in E.164. */
export type SignUp = Readonly<Record<SignUpField, string>>;

/** No line breaks, control characters or characters that change text direction. */
const ONE_LINE = /^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u;

const name = (label: string) =>
  z
    .string()
    .trim()
    .min(1, `Enter your ${label}.`)
    .max(100, `Your ${label} is too long. Enter at most 100 characters.`)
    .regex(ONE_LINE, `Your ${label} contains a line break or an invisible character. Remove it.`);

const RULES = z.object({
  first_name: name('first name'),
  last_name: name('last name'),
  email: EMAIL_RULE,
  phone_number: z
    .string()
    .trim()
    .min(1, 'Enter your phone number.')
    .transform((text, context) => e164(text) ?? context.addIssue(NOT_A_NUMBER) ?? z.NEVER),
  // checked in readSignUp, which compares it with the other fields
  password: z.string(),
}) satisfies z.ZodType<SignUp>;

/** @param fields as submitted; '' for a missing field */
export function readSignUp(
  fields: Readonly<Record<SignUpField, string>>,
): { readonly signUp: SignUp } | { readonly problems: Problems } {
  const { data, error } = RULES.safeParse(fields);
  const own = { email: fields.email.trim(), firstName: fields.first_name, lastName: fields.last_name };
  const password = problemOfPassword(fields.password, own);
  if (data !== undefined && password === null) return { signUp: data };
  const problems = Object.fromEntries(error?.issues.map(({ path, message }) => [path[0], message]) ?? []);
  return { problems: { ...problems, ...(password !== null && { password }) } };
}
