import type { Response } from 'express';
import type { By } from '../applications/by.ts';
import type { BrowserCookies } from '../http/browser.ts';
import type { Visitor } from '../http/caller.ts';
import type { Page } from '../pages/layout.ts';
import type { Developer } from '../store/developers.ts';
import type { Session } from '../store/sessions.ts';

/** A signed-in developer's request for a portal page. */
export interface PortalVisit {
  readonly developer: Developer;
  readonly session: Session;
  /** The developer as the author of changes to an application. */
  readonly by: By;
  /** The path's named parts. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** What a form has just done, by name; null if nothing. See `goTo`. */
  readonly done: string | null;
  /** The form's fields. A repeated field has all its values. */
  readonly form: PortalForm;
  /** Calling it sets a cookie. */
  readonly csrfToken: () => string;
  readonly visitor: Visitor;
  readonly cookies: BrowserCookies;
  readonly res: Response;
}

export interface PortalForm {
  /** '' for a missing field. */
  text(name: string): string;
  all(name: string): readonly string[];
}

/** A page's content. The shell adds the navigation. */
export interface PortalContent extends Pick<Page, 'lead' | 'body'> {
  readonly title: string;
  /** Shown above the body after a form succeeds. */
  readonly note?: string | undefined;
  /** The page's application, if any. The shell adds links to its other pages. */
  readonly application?: { readonly id: string; readonly name: string };
  /** The label of the current navigation link, for `aria-current`. */
  readonly current?: string;
}

/** Messages by field name; '' for the whole form. */
export type Problems = Readonly<Record<string, string>>;

/** A portal page. Its form posts to the page's path. */
export interface PortalPage {
  /** An Express pattern, such as `/portal/applications/:application`. */
  readonly path: string;
  /** Throws Refusal `not_found` for another developer's data. @param problems with the submitted form, by field name */
  readonly show: (visit: PortalVisit, problems?: Problems) => Promise<PortalContent> | PortalContent;
  /**
   * Handles the form. Responds with `goTo`, or with content that is shown once, such as a secret. The session and the
   * CSRF token are already checked. After a Refusal `bad_parameter` the form is shown again with the message.
   */
  readonly submit?: (visit: PortalVisit) => Promise<PortalContent | undefined>;
}

/** Redirects to a portal page, so a reload doesn't resubmit the form. @param done what the form has done */
export function goTo(res: Response, path: string, done?: string): undefined {
  res.redirect(303, done === undefined ? path : `${path}?${new URLSearchParams({ done })}`);
}
