import { type Html, html } from '../../pages/html.ts';

export interface Problem {
  readonly sentence: string;
  /** The id of the field to correct; absent for a problem of the whole form. */
  readonly field?: string;
}

/** The problems of a form, with links to its fields. @param isFocused true if no input of the page takes the focus */
export function problemSummary(problems: readonly Problem[], { isFocused }: { isFocused: boolean }): Html {
  return html`<div class="problem" role="alert" tabindex="-1"${isFocused ? html` autofocus` : html``}>
        <h2>There is a problem</h2>
        <ul>${problems.map(item)}</ul>
      </div>`;
}

function item({ sentence, field }: Problem): Html {
  return field === undefined ? html`<li>${sentence}</li>` : html`<li><a href="#${field}">${sentence}</a></li>`;
}
