import { type Html, html } from '../../../pages/html.ts';
import { formTo } from '../../../sign-in/views/form.ts';

interface OwnForm {
  /** The page that shows the form, and that takes it. */
  readonly path: string;
  readonly csrfToken: string;
  /** What tells the forms of a page apart, and one showing of a form from the next. */
  readonly hidden?: Readonly<Record<string, string>>;
}

export function ownForm({ path, csrfToken, hidden = {} }: OwnForm, content: Html): Html {
  const field = ([name, value]: [string, string]) => html`<input type="hidden" name="${name}" value="${value}">`;
  return formTo(path, csrfToken, html`${Object.entries(hidden).map(field)}${content}`);
}

/** The button that sends a form. */
export function button(words: string, kind: 'primary' | 'danger' | 'plain' = 'primary'): Html {
  const shown = kind === 'plain' ? html`<button>${words}</button>` : html`<button class="${kind}">${words}</button>`;
  return html`<div class="buttons">${shown}</div>`;
}
