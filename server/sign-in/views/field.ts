import { type Html, html, NOTHING } from '../../pages/html.ts';

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
