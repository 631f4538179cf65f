import type { Request, Response } from 'express';
import { FAILURES, OPERATIONS } from '../../generated/server.ts';
import { own } from '../domain/own.ts';
import { Refusal } from '../domain/refusal.ts';
import { MINUTE_SECONDS } from '../domain/time.ts';
import { UNAVAILABLE_RETRY_SECONDS } from '../http/failures.ts';
import { notesOf } from '../http/notes.ts';
import { answerPage, html, NOTHING, type Page, section } from '../pages/page.ts';

/** The codes of all paths and of pages. */
const STATUSES: Readonly<Record<string, number>> = { ...FAILURES, ...OPERATIONS.authorizeApplication.failures };
const TITLES: Readonly<Record<number, string>> = {
  429: 'Too many attempts',
  500: 'Something went wrong',
  503: 'Temporarily unavailable',
};

/** Whether a page can show an error. Not for another host name: the page's styles and forms wouldn't work. */
export function canShow(thrown: unknown, res: Response): boolean {
  const isMisdirected = thrown instanceof Refusal && thrown.code === 'misdirected_request';
  return !(isMisdirected || res.headersSent || res.writableEnded);
}

/** Shows an error as a page. @param special what the page says instead */
export function answerFailure(req: Request, res: Response, failure: Refusal, special: Partial<RefusedProps>): void {
  notesOf(req).failure = failure.code;
  const status = own(STATUSES, failure.code) ?? 500;
  if (status === 503) res.set('Retry-After', String(UNAVAILABLE_RETRY_SECONDS));
  const title = TITLES[status] ?? 'We couldn’t read this form';
  const requestId = res.get('X-Request-Id');
  answerPage(res, refusedPage({ title, sentence: failure.description, requestId, ...special }), status);
}

/** Records the wait and returns 429 (RFC 6585, section 4). @param beginning where to try again */
export function answerWait(res: Response, waitSeconds: number, beginning: string, tell: () => void): undefined {
  tell();
  const page = refusedPage({
    title: 'Too many attempts',
    sentence: `You’ve made too many attempts. Wait ${waitInWords(waitSeconds)}, then try again.`,
    beginning,
    linkText: 'Try again',
  });
  res.set('Retry-After', String(waitSeconds));
  answerPage(res, page, 429);
}

export function waitInWords(seconds: number): string {
  if (seconds < MINUTE_SECONDS) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / MINUTE_SECONDS);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

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
  const remedies = html`<ul>${hints.map((hint) => html`<li>${hint}</li>`)}</ul>`;
  return {
    title,
    lead: html`${sentence}`,
    body: html`
      ${hints.length === 0 ? NOTHING : section('remedy', 'What you can do', remedies)}
      ${beginning === undefined ? NOTHING : html`<p><a href="${beginning}">${linkText}</a></p>`}
      ${detail === undefined ? NOTHING : html`<p class="quiet">For the app’s developers: ${detail}</p>`}
      ${requestId === undefined ? NOTHING : html`<p class="quiet">If you report this problem, include the request ID: <code>${requestId}</code></p>`}`,
    isPrivate: true,
    isStep: true,
  };
}
