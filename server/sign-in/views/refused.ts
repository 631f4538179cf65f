import { type Html, html, NOTHING, type Page } from '../../pages/page.ts';

export interface RefusedProps {
  readonly title: string;
  readonly sentence: string;
  readonly hints?: readonly string[];
  /** Where to start over; absent if the request itself may be wrong. */
  readonly beginning?: string;
  readonly linkText?: string;
  /** What went wrong, for the developers of an app. */
  readonly detail?: string;
  readonly requestId?: string;
}

/** An error page. It doesn't link to the application, which may be unknown. */
export function refusedPage(props: RefusedProps): Page {
  const { title, sentence, hints = [], beginning, linkText = 'Start over', detail, requestId } = props;
  return {
    title,
    lead: html`${sentence}`,
    body: html`
      ${hints.length === 0 ? NOTHING : remedy(hints)}
      ${beginning === undefined ? NOTHING : html`<p><a href="${beginning}">${linkText}</a></p>`}
      ${detail === undefined ? NOTHING : html`<p class="quiet">For the app’s developers: ${detail}</p>`}
      ${requestId === undefined ? NOTHING : html`<p class="quiet">If you report this problem, include the request ID: <code>${requestId}</code></p>`}`,
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
