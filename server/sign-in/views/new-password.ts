import { type Html, html } from '../../pages/html.ts';
import { PASSWORD_LENGTH } from '../password-length.ts';
import { type Field, labeledInput } from './field.ts';

/** Shared by all inputs for a new password. */
export const NEW_PASSWORD: Pick<Field, 'type' | 'autocomplete' | 'hint' | 'leastLength'> = {
  type: 'password',
  autocomplete: 'new-password',
  hint: `At least ${PASSWORD_LENGTH.least} characters.`,
  leastLength: PASSWORD_LENGTH.least,
};

/** The inputs for a new password and its repetition. @param problems by input name */
export function newPasswordInputs(problems: Readonly<Record<string, string>>): Html {
  return html`${labeledInput({
    ...NEW_PASSWORD,
    name: 'new_password',
    label: 'New password',
    problem: problems.new_password,
  })}
      ${labeledInput({
        name: 'repeated_password',
        label: 'Repeat new password',
        type: 'password',
        autocomplete: 'new-password',
        problem: problems.repeated_password,
      })}`;
}
