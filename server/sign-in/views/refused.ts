import { type Html, html, NOTHING } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';

interface RefusedProps {
  readonly title: string;
  /** What happened. */
  readonly sentence: string;
  /** What to do about it, one sentence each. */
  readonly hints?: readonly string[];
  /** Where to start over; absent if the request itself may be wrong. */
  readonly beginning?: string;
  readonly requestId?: string;
}

/** An error page. It doesn't link to the application, which may be unknown. */
export function refusedPage({ title, sentence, hints = [], beginning, requestId }: RefusedProps): Page {
  return {
    title,
    lead: html`${sentence}`,
    body: html`
      ${hints.length === 0 ? NOTHING : remedy(hints)}
      ${beginning === undefined ? NOTHING : html`<p><a href="${beginning}">Start over</a></p>`}
      ${requestId === undefined ? NOTHING : html`<p class="quiet">To report this, include the request ID: <code>${requestId}</code></p>`}`,
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
