import { type Html, html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';

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
