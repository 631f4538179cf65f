import { type Html, html, NOTHING } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';

interface RefusedProps {
  readonly title: string;
  /** What happened. */
  readonly sentence: string;
  /** What to do about it, a sentence each. */
  readonly hints?: readonly string[];
  /** Where the same authorization request begins, if it is in order as far as anybody knows. */
  readonly beginning?: string;
  readonly requestId?: string;
}

/** Says why somebody cannot go on here. It leads to no application, for none is known for certain. */
export function refusedPage({ title, sentence, hints = [], beginning, requestId }: RefusedProps): Page {
  return {
    title,
    lead: html`${sentence}`,
    body: html`
      ${hints.length === 0 ? NOTHING : remedy(hints)}
      ${beginning === undefined ? NOTHING : html`<p><a href="${beginning}">Begin again</a></p>`}
      ${requestId === undefined ? NOTHING : html`<p class="quiet">If you report this, name the request: <code>${requestId}</code></p>`}`,
    isPrivate: true,
    isStep: true,
  };
}

function remedy(hints: readonly string[]): Html {
  return html`<section aria-labelledby="remedy">
        <h2 id="remedy">What you can do</h2>
        <ul>${hints.map((hint) => html`<li>${hint}</li>`)}</ul>
      </section>`;
}
