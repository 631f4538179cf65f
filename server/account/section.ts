import type { Response } from 'express';
import type { Passenger } from '../domain/passenger.ts';
import type { BrowserCookies } from '../http/browser.ts';
import type { Visitor } from '../http/caller.ts';
import type { Page } from '../pages/layout.ts';
import type { SentForm } from '../sign-in/sent-form.ts';
import type { Session } from '../store/sessions.ts';

/** A signed-in passenger's request for a section. */
export interface AccountVisit {
  readonly session: Session;
  readonly passenger: Passenger;
  readonly visitor: Visitor;
  readonly cookies: BrowserCookies;
  readonly form: SentForm;
  /** Whether a form of this section has just succeeded. See `goTo`. */
  readonly isDone: boolean;
  readonly res: Response;
}

/** A section's content. The shell adds the navigation. */
export interface SectionPage extends Pick<Page, 'lead' | 'body' | 'problem'> {
  /** Shown above the body after a form succeeds. */
  readonly done?: string;
}

/** A page of the account. */
export interface Section {
  readonly path: string;
  /** The page's heading. */
  readonly title: string;
  /** The link text in the navigation. */
  readonly label: string;
  /** @param problems with the submitted form, by field name */
  readonly show: (visit: AccountVisit, problems?: Problems) => SectionPage | Promise<SectionPage>;
  /**
   * Handles the page's form and responds, usually with `goTo`. The shell has already checked the session and the CSRF
   * token. Returns problems to show the form again. Absent for a page without a form.
   */
  readonly submit?: (visit: AccountVisit) => Promise<Problems | undefined>;
}

/** Messages by field name; '' for the whole form. */
export type Problems = Readonly<Record<string, string>>;

/** The query parameter that marks a form as done. */
const DONE = 'done';

/** Redirects to an account page, so a reload doesn't resubmit the form. @param path without a query */
export function goTo(res: Response, path: string, isDone = false): void {
  res.redirect(303, isDone ? `${path}?${DONE}` : path);
}

export function saysDone(query: Readonly<Record<string, unknown>>): boolean {
  return DONE in query;
}
