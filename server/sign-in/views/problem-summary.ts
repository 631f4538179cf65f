import { type Html, html } from '../../pages/html.ts';

export interface Problem {
  readonly sentence: string;
  /** The ID of the field to correct; absent for a problem with the whole form. */
  readonly field?: string;
}

/** A form's problems with links to the fields. @param isFocused true if no input on the page has autofocus */
export function problemSummary(problems: readonly Problem[], { isFocused }: { isFocused: boolean }): Html {
  return html`<div class="problem" role="alert" tabindex="-1"${isFocused ? html` autofocus` : html``}>
        <h2>There is a problem</h2>
        <ul>${problems.map(item)}</ul>
      </div>`;
}

function item({ sentence, field }: Problem): Html {
  return field === undefined ? html`<li>${sentence}</li>` : html`<li><a href="#${field}">${sentence}</a></li>`;
}
