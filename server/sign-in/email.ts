import { z } from 'zod';

/** The rule for an email address that is typed. It becomes trimmed, and lower case. */
export const EMAIL_RULE = z
  .string()
  .trim()
  .min(1, 'Enter your email address.')
  .max(254, 'An email address has at most 254 characters.')
  .toLowerCase()
  .pipe(z.email('Enter a whole email address, such as maya@example.com.'));

/** An email address as it is kept, or the sentence that says what is wrong with it. */
export function readEmail(typed: string): { readonly email: string } | { readonly problem: string } {
  const { data, error } = EMAIL_RULE.safeParse(typed);
  return data === undefined ? { problem: error!.issues[0]!.message } : { email: data };
}
