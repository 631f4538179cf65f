import { type Html, html } from '../../pages/html.ts';
import { PASSWORD_LENGTH } from '../password-length.ts';
import { type Field, labeledInput } from './field.ts';

/** What every input for a new password has. */
export const NEW_PASSWORD: Pick<Field, 'type' | 'autocomplete' | 'hint' | 'leastLength'> = {
  type: 'password',
  autocomplete: 'new-password',
  hint: `At least ${PASSWORD_LENGTH.least} characters.`,
  leastLength: PASSWORD_LENGTH.least,
};

/** The inputs for a new password, which is typed twice. @param problems by the name of the input */
export function newPasswordInputs(problems: Readonly<Record<string, string>>): Html {
  return html`${labeledInput({
    ...NEW_PASSWORD,
    name: 'new_password',
    label: 'New password',
    problem: problems.new_password,
  })}
      ${labeledInput({
        name: 'repeated_password',
        label: 'New password again',
        type: 'password',
        autocomplete: 'new-password',
        problem: problems.repeated_password,
      })}`;
}
