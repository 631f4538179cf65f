import { CSRF_FIELD } from '../../http/browser.ts';
import { FORM_STEP, type Html, html, NOTHING, type Page } from '../../pages/page.ts';
import { PASSWORD_LENGTH } from '../password-length.ts';

/** A form with its CSRF token. @param hidden more hidden fields, such as the action @param id for buttons outside it */
export function formTo(
  path: string,
  csrfToken: string,
  content: Html,
  hidden: Readonly<Record<string, string>> = {},
  id?: string,
): Html {
  const fields = Object.entries({ [CSRF_FIELD]: csrfToken, ...hidden });
  return html`<form method="post" action="${path}" ${attribute('id', id)}>
      ${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
      ${content}
    </form>`;
}

/** What all fields have. The name doubles as the ID, so it must be unique on the page. */
export interface Labeled {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  /** The ID of a problem that is shown elsewhere and concerns several fields. */
  readonly sharedProblemId?: string | undefined;
}

export interface Field extends Labeled {
  readonly type: 'text' | 'email' | 'tel' | 'password';
  /** The autofill token (HTML, section 4.10.18.7). */
  readonly autocomplete: string;
  readonly value?: string | undefined;
  readonly leastLength?: number;
  readonly inputMode?: 'numeric';
  readonly isFocused?: boolean;
  /** Whether the input is read-only. */
  readonly isFixed?: boolean;
}

export function labeledInput(field: Field): Html {
  const { name, type, autocomplete, value, leastLength, inputMode } = field;
  return labeled(
    field,
    html`<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required
          ${attribute('inputmode', inputMode)} ${attribute('value', value)} ${attribute('minlength', leastLength)} ${described(field)}
          ${field.isFocused ? html`autofocus` : NOTHING} ${field.isFixed ? html`readonly` : NOTHING}>`,
  );
}

/** Label, hint, problem and control. The control needs the attributes of `described`, which link it to them. */
export function labeled({ name, label, hint, problem }: Labeled, control: Html): Html {
  return html`<div class="field">
        <label for="${name}">${label}</label>
        ${hint === undefined ? NOTHING : html`<p class="quiet" id="${name}-hint">${hint}</p>`}
        ${problem === undefined ? NOTHING : html`<p class="fault" id="${problemIdOf(name)}">${problem}</p>`}
        ${control}
      </div>`;
}

export function described({ name, hint, problem, sharedProblemId }: Labeled): Html {
  const problemId = problem === undefined ? sharedProblemId : problemIdOf(name);
  const ids = [problemId, hint === undefined ? undefined : `${name}-hint`].filter((id) => id !== undefined);
  return html`${attribute('aria-describedby', ids.join(' ') || undefined)} ${attribute('aria-invalid', problemId && 'true')}`;
}

function problemIdOf(name: string): string {
  return `${name}-problem`;
}

function attribute(name: string, value: string | number | undefined): Html {
  return value === undefined ? NOTHING : html`${name}="${value}"`;
}

export const EMAIL = { name: 'email', label: 'Email', type: 'email', autocomplete: 'email' } as const;

export const NEW_PASSWORD: Pick<Field, 'type' | 'autocomplete' | 'hint' | 'leastLength'> = {
  type: 'password',
  autocomplete: 'new-password',
  hint: `At least ${PASSWORD_LENGTH.least} characters.`,
  leastLength: PASSWORD_LENGTH.least,
};

/** The inputs for a new password and its repetition. @param problems by input name */
export function newPasswordInputs({ new_password: problem, repeated_password: problemOfRepeated }: Problems): Html {
  const { type, autocomplete } = NEW_PASSWORD;
  const repeated = { name: 'repeated_password', label: 'Repeat new password', problem: problemOfRepeated };
  return html`${labeledInput({ ...NEW_PASSWORD, name: 'new_password', label: 'New password', problem })}
      ${labeledInput({ type, autocomplete, ...repeated })}`;
}

/** An input for the account's password. */
export function passwordInput(field: Omit<Field, 'type' | 'autocomplete'>): Html {
  return labeledInput({ ...field, type: 'password', autocomplete: 'current-password' });
}

/** Messages by field name; '' for the whole form. */
export type Problems = Readonly<Record<string, string>>;

/** A form's problems with links to the fields. @param isFocused true if no input on the page has autofocus */
export function problemSummary(problems: Problems, isFocused = true): Pick<Page, 'problem'> {
  const found = Object.entries(problems);
  if (found.length === 0) return {};
  const item = ([field, sentence]: [string, string]) =>
    field === '' ? html`<li>${sentence}</li>` : html`<li><a href="#${field}">${sentence}</a></li>`;
  return {
    problem: html`<div class="problem" role="alert" tabindex="-1"${isFocused ? html` autofocus` : NOTHING}>
        <h2>There is a problem</h2>
        <ul>${found.map(item)}</ul>
      </div>`,
  };
}

/** What a sign-in form repeats. Never the password. */
export interface Credentials {
  /** As submitted. */
  readonly email?: string;
  readonly problem?: string;
}

function credentialInputs({ email = '', problem }: Credentials) {
  // after a failed attempt the password is the more likely mistake
  const field = email === '' ? 'email' : 'password';
  const sharedProblemId = problem === undefined ? undefined : problemIdOf(field);
  const stateOf = (name: string) => ({
    ...{ problem: name === field ? problem : undefined, sharedProblemId, isFocused: name === field },
  });
  const inputs = html`
      ${labeledInput({ ...EMAIL, value: email || undefined, ...stateOf('email') })}
      ${passwordInput({ name: 'password', label: 'Password', ...stateOf('password') })}
      <div class="buttons"><button class="primary">Sign in</button></div>`;
  return { inputs, summary: problemSummary(problem === undefined ? {} : { [field]: problem }, false) };
}

/** The words of a sign-in page. */
export interface SignInWords extends Pick<Page, 'title' | 'lead'> {
  /** Above the form: the accounts of the demo, if any. */
  readonly demo: Html;
  /** Below the form: how to get an account. */
  readonly ways: Html;
}

interface SignInProps extends Credentials {
  readonly path: string;
  readonly csrfToken: string;
  /** Hidden fields. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** Shown after a sign-out or a sign-up, for example. */
  readonly note?: Html | undefined;
}

export function credentialsPage({ title, lead, demo, ways }: SignInWords, props: SignInProps): Page {
  const { path, csrfToken, hidden, note = NOTHING, ...typed } = props;
  const { inputs, summary } = credentialInputs(typed);
  return {
    title,
    lead,
    body: html`
      ${note}
      ${demo}
      ${formTo(path, csrfToken, inputs, hidden)}
      ${ways}`,
    ...FORM_STEP,
    ...summary,
  };
}

export function noteDone(sentence: string): Html {
  return html`<p class="done" role="status">${sentence}</p>`;
}

/** The same for a new and a taken email, so the page doesn't reveal who has an account. */
export const SIGNED_UP = html`<p class="note" role="status">Sign in to continue. If you’re new, use the password you just chose. If this
      email already had an account, nothing changed: use that account’s password.</p>`;
