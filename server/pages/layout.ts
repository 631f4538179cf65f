import { ACCOUNT_PATHS } from '../links.ts';
import { type Html, html, NOTHING } from './html.ts';

/** A page. The title is also the heading. */
export interface Page {
  readonly title: string;
  /** One sentence below the heading. */
  readonly lead: Html;
  readonly body: Html;
  /** Seconds until the browser reloads the page, if ever. */
  readonly refreshSeconds?: number;
  /** The path that the browser opens at once. */
  readonly goOnTo?: string;
  /** Whether the page is only for people with its address. Disables caching and indexing. */
  readonly isPrivate?: boolean;
  /** Whether the page is a step in a flow, shown as one narrow column without navigation. */
  readonly isStep?: boolean;
  /** Whether the page is part of an account, shown as one column with forms. */
  readonly isAccount?: boolean;
  /** Whether the page is for developers, whose header doesn't link to the passenger account. */
  readonly isPortal?: boolean;
  readonly navigation?: Html;
  /** The form's problems, shown above the heading. Adds "Error:" to the document title. */
  readonly problem?: Html;
  /** Whether the page has forms, which can only be sent to this server. */
  readonly hasForms?: boolean;
}

export const FORM_STEP = { isPrivate: true, isStep: true, hasForms: true } as const;

const PRODUCT = 'Ridehail';

export function documentOf({
  title,
  lead,
  body,
  problem,
  navigation,
  refreshSeconds,
  goOnTo,
  isPrivate = false,
  isStep = false,
  isAccount = false,
  isPortal = false,
}: Page): string {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    ${isPrivate ? html`<meta name="robots" content="noindex">` : NOTHING}
    ${refreshSeconds === undefined ? NOTHING : html`<meta http-equiv="refresh" content="${refreshSeconds}">`}
    ${goOnTo === undefined ? NOTHING : html`<meta http-equiv="refresh" content="0; url=${goOnTo}">`}
    <title>${problem === undefined ? '' : 'Error: '}${title} · ${PRODUCT}</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/style.css">
  </head>
  <body${isStep ? html` class="step"` : NOTHING}${isAccount ? html` class="account"` : NOTHING}>
    <header>
      ${isStep ? html`<span class="brand">${MARK}</span>` : siteHeader(isPortal ? NOTHING : PASSENGER_LINK)}
    </header>
    ${navigation ?? NOTHING}
    <main>
      ${problem ?? NOTHING}
      <h1>${title}</h1>
      <p class="lead">${lead}</p>
      ${body}
    </main>
    <footer>A simulated ride-hailing service. No real cars, no real money.</footer>
  </body>
</html>
`.markup;
}

const MARK = html`<img src="/favicon.svg" alt="" width="28" height="28">${PRODUCT}`;

const PASSENGER_LINK = html`<a href="${ACCOUNT_PATHS.overview}">Your account</a>`;

function siteHeader(more: Html): Html {
  return html`<a class="brand" href="/">${MARK}</a>
      <nav aria-label="Main"><a href="/docs">Docs</a><a href="/openapi.yaml">OpenAPI</a>${more}</nav>`;
}
