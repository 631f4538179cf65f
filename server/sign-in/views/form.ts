import { CSRF_FIELD } from '../../http/browser.ts';
import { type Html, html, NOTHING } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { PASSWORD_LENGTH } from '../password-length.ts';

/** A form with its CSRF token. */
export function formTo(path: string, csrfToken: string, content: Html): Html {
  return html`<form method="post" action="${path}">
      <input type="hidden" name="${CSRF_FIELD}" value="${csrfToken}">
      ${content}
    </form>`;
}

/** A form field. Its name doubles as its ID. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'email' | 'tel' | 'password';
  /** The autofill token (HTML, section 4.10.18.7). */
  readonly autocomplete: string;
  readonly hint?: string;
  readonly value?: string | undefined;
  readonly problem?: string | undefined;
  /** The ID of a problem that is shown elsewhere and concerns several fields. */
  readonly sharedProblemId?: string | undefined;
  readonly leastLength?: number;
  readonly inputMode?: 'numeric';
  readonly isFocused?: boolean;
  /** Whether the input is read-only. */
  readonly isFixed?: boolean;
}

/** Label, hint, problem and input, linked by ID. */
export function labeledInput(field: Field): Html {
  const { name, label, type, autocomplete, hint, value, problem, sharedProblemId, leastLength, inputMode } = field;
  const hintId = hint === undefined ? undefined : `${name}-hint`;
  const problemId = problem === undefined ? sharedProblemId : problemIdOf(name);
  const describedBy = [problemId, hintId].filter((id) => id !== undefined).join(' ');
  return html`<div class="field">
        <label for="${name}">${label}</label>
        ${hint === undefined ? NOTHING : html`<p class="quiet" id="${name}-hint">${hint}</p>`}
        ${problem === undefined ? NOTHING : html`<p class="fault" id="${problemIdOf(name)}">${problem}</p>`}
        <input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required
          ${attribute('inputmode', inputMode)} ${attribute('value', value)} ${attribute('minlength', leastLength)} ${attribute('aria-describedby', describedBy || undefined)}
          ${problemId === undefined ? NOTHING : html`aria-invalid="true"`} ${field.isFocused ? html`autofocus` : NOTHING} ${field.isFixed ? html`readonly` : NOTHING}>
      </div>`;
}

export function problemIdOf(name: string): string {
  return `${name}-problem`;
}

function attribute(name: string, value: string | number | undefined): Html {
  return value === undefined ? NOTHING : html`${name}="${value}"`;
}

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

/** Messages by field name; '' for the whole form. */
export type Problems = Readonly<Record<string, string>>;

/** A form's problems with links to the fields. @param isFocused true if no input on the page has autofocus */
export function problemSummary(problems: Problems, isFocused = true): Pick<Page, 'problem'> {
  const found = Object.entries(problems);
  if (found.length === 0) return {};
  return {
    problem: html`<div class="problem" role="alert" tabindex="-1"${isFocused ? html` autofocus` : html``}>
        <h2>There is a problem</h2>
        <ul>${found.map(item)}</ul>
      </div>`,
  };
}

function item([field, sentence]: [string, string]): Html {
  return field === '' ? html`<li>${sentence}</li>` : html`<li><a href="#${field}">${sentence}</a></li>`;
}
