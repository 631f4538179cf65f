import { type Html, html } from '../../../pages/html.ts';
import { formTo } from '../../../sign-in/views/form.ts';

interface OwnForm {
  /** The page that shows and receives the form. */
  readonly path: string;
  readonly csrfToken: string;
  /** Hidden fields, such as the action or a form ID. */
  readonly hidden?: Readonly<Record<string, string>>;
}

export function ownForm({ path, csrfToken, hidden = {} }: OwnForm, content: Html): Html {
  const field = ([name, value]: [string, string]) => html`<input type="hidden" name="${name}" value="${value}">`;
  return formTo(path, csrfToken, html`${Object.entries(hidden).map(field)}${content}`);
}

/** A form's submit button. */
export function button(words: string, kind: 'primary' | 'danger' | 'plain' = 'primary'): Html {
  const shown = kind === 'plain' ? html`<button>${words}</button>` : html`<button class="${kind}">${words}</button>`;
  return html`<div class="buttons">${shown}</div>`;
}
