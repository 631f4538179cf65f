import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestHandler, Response } from 'express';
import { own } from '../domain/own.ts';
import { Refusal } from '../domain/refusal.ts';
import { DAY_SECONDS } from '../domain/time.ts';
import { COPY_SCRIPT } from '../files.ts';
import { ACCOUNT_PATHS } from '../links.ts';

/** Safe markup, created only by `html`. */
export interface Html {
  readonly markup: string;
}

type Part = string | number | Html | readonly Html[];

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Builds HTML or SVG and escapes every string. Inside a tag, a value is safe only in a quoted attribute. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: String.raw({ raw: strings }, ...parts.map(markupOf)) };
}

export const NOTHING: Html = { markup: '' };

function markupOf(part: Part): string {
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (character) => own(ENTITIES, character)!);
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

/** A part of a page with its own heading. */
export function section(id: string, title: string, body: Html): Html {
  return html`
    <section aria-labelledby="${id}">
      <h2 id="${id}">${title}</h2>
      ${body}
    </section>`;
}

const formatWith = (timeStyle: 'short' | 'medium') =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle, timeZone: 'UTC' });
const FORMATS = { short: formatWith('short'), medium: formatWith('medium') };

/** An instant with its time zone, UTC. @param at milliseconds UTC @param style `medium`: with seconds */
export function momentOf(at: number, style: keyof typeof FORMATS = 'short'): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${FORMATS[style].format(at)} UTC</time>`;
}

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
  /** In the header, instead of the links of the site. */
  readonly navigation?: Html;
  /** Links to the other pages about the same subject, beside the content if there is room. */
  readonly subject?: Html;
  /** The form's problems, shown above the heading. Adds "Error:" to the document title. */
  readonly problem?: Html;
  /** Whether the page has forms, which can only be sent to this server. */
  readonly hasForms?: boolean;
}

export const FORM_STEP = { isPrivate: true, isStep: true, hasForms: true } as const;

const PRODUCT = 'Ridehail';

export function documentOf(page: Page): string {
  const { title, lead, body, problem, navigation = SITE_LINKS, subject = NOTHING, refreshSeconds, goOnTo } = page;
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    ${page.isPrivate ? html`<meta name="robots" content="noindex">` : NOTHING}
    ${refreshSeconds === undefined ? NOTHING : html`<meta http-equiv="refresh" content="${refreshSeconds}">`}
    ${goOnTo === undefined ? NOTHING : html`<meta http-equiv="refresh" content="0; url=${goOnTo}">`}
    <title>${problem === undefined ? '' : 'Error: '}${title} · ${PRODUCT}</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/style.css">
  </head>
  <body${page.isStep ? html` class="step"` : NOTHING}${page.isAccount ? html` class="account"` : NOTHING}>
    <header>
      ${page.isStep ? html`<span class="brand">${MARK}</span>` : html`<a class="brand" href="/">${MARK}</a>${navigation}`}
    </header>
    ${subject}
    <main>
      ${problem ?? NOTHING}
      <h1>${title}</h1>
      <p class="lead">${lead}</p>
      ${body}
    </main>
    <footer>A simulated ride-hailing service. No real cars, no real money.</footer>
    ${hasCopies(page) ? html`<script>${COPY}</script>` : NOTHING}
  </body>
</html>
`.markup;
}

const MARK = html`<img src="/favicon.svg" alt="" width="28" height="28">${PRODUCT}`;

const SITE_LINKS = html`
      <nav aria-label="Main"><a href="/docs">Docs</a><a href="/openapi.yaml">OpenAPI</a><a href="${ACCOUNT_PATHS.overview}">Your account</a></nav>`;

const COPY: Html = { markup: readFileSync(COPY_SCRIPT, 'utf8') };
const COPY_POLICY = `; script-src 'sha256-${createHash('sha256').update(COPY.markup).digest('base64')}'`;

/** Whether the script has something to do on the page. It is the only one, and no page needs it. */
function hasCopies({ body }: Pick<Page, 'body'>): boolean {
  return /<pre|<dd><code/.test(body.markup);
}

/** The status of a page that shows an invalid form again (RFC 9110, section 15.5.21). */
export const ASK_AGAIN = 422;

// no upgrade-insecure-requests: a development server uses plain http, including for phones on the same network
const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

// an SVG opened directly is a document too
const PICTURE_POLICY = "default-src 'none'";

export function answerPage(res: Response, page: Page, status = 200): void {
  res.status(status).set(pageHeaders(page)).type('html').send(documentOf(page));
}

export function pageHeaders(page: Page): Record<string, string> {
  const { hasForms = false, isPrivate = false } = page;
  return {
    'Content-Security-Policy': `${POLICY}; form-action ${hasForms ? "'self'" : "'none'"}${hasCopies(page) ? COPY_POLICY : ''}`,
    'Cache-Control': isPrivate ? 'no-store' : 'no-cache',
  };
}

export function answerNotFound(res: Response, lead: Html, body: Html): void {
  answerPage(res, { title: 'Not found', lead, body }, 404);
}

/** Any site may embed the picture, and caches may store it for a day. */
export function answerPicture(res: Response, picture: Html): void {
  res.set('Cache-Control', `public, max-age=${DAY_SECONDS}`).set('Cross-Origin-Resource-Policy', 'cross-origin');
  res.set('Content-Security-Policy', PICTURE_POLICY);
  res.type('svg').send(picture.markup);
}

/** Adds a path that supports only GET and HEAD. */
export type Get = (path: string, handler: RequestHandler) => void;

export const refuseMethod: RequestHandler = (_req, res) => {
  res.set('Allow', 'GET, HEAD');
  throw new Refusal('method_not_allowed', 'This path supports only GET and HEAD.');
};

export const ICON = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="8" fill="#5b5bd6"/>
  <path d="M9 22 V19 Q9 13 16 13 H19" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/>
  <circle cx="9" cy="23" r="3.5" fill="#fff"/>
  <path d="M18 7 L26 13 L18 19Z" fill="#fff" stroke="#fff" stroke-linejoin="round"/>
</svg>`;
