import { type OwnWords, problemOfPassword } from './password-rules.ts';

/** Why a password that was typed twice cannot be taken, by the name of its input. The module loads as slowly as its rules. */
export function problemsOfNewPassword(
  chosen: string,
  repeated: string,
  own: OwnWords,
): Readonly<Record<string, string>> {
  const problem = problemOfPassword(chosen, own);
  if (problem !== null) return { new_password: problem };
  return repeated === chosen ? {} : { repeated_password: 'The two new passwords differ.' };
}
