import { z } from 'zod';

/** The rule for an email address from a form. Trims it and converts it to lower case. */
export const EMAIL_RULE = z
  .string()
  .trim()
  .min(1, 'Enter your email address.')
  .max(254, 'Enter an email address with at most 254 characters.')
  .toLowerCase()
  .pipe(z.email('Enter a full email address, such as maya@example.com.'));

export function readEmail(typed: string): { readonly email: string } | { readonly problem: string } {
  const { data, error } = EMAIL_RULE.safeParse(typed);
  return data === undefined ? { problem: error!.issues[0]!.message } : { email: data };
}
