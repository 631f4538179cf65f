import { type Html, html } from '../../pages/html.ts';

export interface Problem {
  readonly sentence: string;
  /** The id of the field to mend; absent: it is about the whole form. */
  readonly field?: string;
}

/**
 * What is wrong with a form, with a way to each field.
 * @param isFocused whether reading begins here, for nothing else on the page asks for the cursor
 */
export function problemSummary(problems: readonly Problem[], { isFocused }: { isFocused: boolean }): Html {
  return html`<div class="problem" role="alert" tabindex="-1"${isFocused ? html` autofocus` : html``}>
        <h2>There is a problem</h2>
        <ul>${problems.map(item)}</ul>
      </div>`;
}

function item({ sentence, field }: Problem): Html {
  return field === undefined ? html`<li>${sentence}</li>` : html`<li><a href="#${field}">${sentence}</a></li>`;
}
