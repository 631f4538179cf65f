import { type Html, html, NOTHING } from '../../../pages/html.ts';
import { described, type Labeled, labeled } from '../../../sign-in/views/form.ts';

interface TextField extends Labeled {
  readonly value: string;
  readonly isOptional?: boolean;
}

export function textField(field: TextField & { readonly isUrl?: boolean }): Html {
  const { name, value, isOptional = false, isUrl = false } = field;
  return labeled(
    field,
    html`<input id="${name}" name="${name}" type="text" value="${value}"${isUrl ? html` inputmode="url"` : NOTHING} ${AS_TYPED}
          ${required(isOptional)} ${described(field)}>`,
  );
}

export function linesField(field: TextField & { readonly rows: number }): Html {
  const { name, value, rows, isOptional = false } = field;
  // browsers drop a leading empty line
  return labeled(
    field,
    html`<textarea id="${name}" name="${name}" rows="${rows}" ${AS_TYPED} ${required(isOptional)} ${described(field)}>
${value}</textarea>`,
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function choiceField(field: Labeled & { readonly choices: readonly Choice[]; readonly value: string }): Html {
  const option = ({ value, label }: Choice) =>
    html`<option value="${value}"${value === field.value ? html` selected` : NOTHING}>${label}</option>`;
  return labeled(
    field,
    html`<select id="${field.name}" name="${field.name}" ${described(field)}>${field.choices.map(option)}</select>`,
  );
}

/** Turns off the browser's corrections for IDs, URLs and names. */
const AS_TYPED = html`autocomplete="off" autocapitalize="off" spellcheck="false"`;

function required(isOptional: boolean): Html {
  return isOptional ? NOTHING : html`required`;
}

export function button(words: string, kind: 'primary' | 'danger' | 'plain' = 'primary'): Html {
  const shown = kind === 'plain' ? html`<button>${words}</button>` : html`<button class="${kind}">${words}</button>`;
  return html`<div class="buttons">${shown}</div>`;
}
