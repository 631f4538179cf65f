import { type OwnWords, problemOfPassword } from './password-rules.ts';

/** Problems with a new password and its repetition, by input name. Slow to load: import on demand. */
export function problemsOfNewPassword(
  chosen: string,
  repeated: string,
  own: OwnWords,
): Readonly<Record<string, string>> {
  const problem = problemOfPassword(chosen, own);
  if (problem !== null) return { new_password: problem };
  return repeated === chosen ? {} : { repeated_password: 'The new passwords don’t match.' };
}
