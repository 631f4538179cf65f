import type { Response } from 'express';
import type { Passenger } from '../domain/passenger.ts';
import type { BrowserCookies } from '../http/browser.ts';
import type { Visitor } from '../http/caller.ts';
import type { Page } from '../pages/layout.ts';
import type { SentForm } from '../sign-in/sent-form.ts';
import type { Session } from '../store/sessions.ts';

/** A signed-in passenger's request to a section. */
export interface AccountVisit {
  readonly session: Session;
  readonly passenger: Passenger;
  readonly visitor: Visitor;
  readonly cookies: BrowserCookies;
  readonly form: SentForm;
  /** Whether a form of this section has just done its work: see `goTo`. */
  readonly isDone: boolean;
  readonly res: Response;
}

/** What a section shows. The shell adds the navigation. */
export interface SectionPage extends Pick<Page, 'lead' | 'body' | 'problem'> {
  /** Said above the heading when a form has done its work. */
  readonly done?: string;
}

/** A part of the account with a page of its own. */
export interface Section {
  readonly path: string;
  /** The heading of the page. */
  readonly title: string;
  /** The words of the link in the navigation. */
  readonly label: string;
  /** The page. @param problem of the form that was sent, by field name */
  readonly show: (visit: AccountVisit, problems?: Problems) => SectionPage | Promise<SectionPage>;
  /**
   * Does what the form on the page asks for, and answers, most often by `goTo`. The shell has checked session and CSRF
   * token. Returns problems to show the page again. Absent for a page without a form.
   */
  readonly submit?: (visit: AccountVisit) => Promise<Problems | undefined>;
}

/** Sentences by field name; '' for the whole form. */
export type Problems = Readonly<Record<string, string>>;

/** The query that says that a form has done its work. */
const DONE = 'done';

/** Redirects to a page of the account, so that reloading it sends no form again. @param path without a query */
export function goTo(res: Response, path: string, isDone = false): void {
  res.redirect(303, isDone ? `${path}?${DONE}` : path);
}

export function saysDone(query: Readonly<Record<string, unknown>>): boolean {
  return DONE in query;
}
