import type { Response } from 'express';
import type { By } from '../applications/by.ts';
import type { BrowserCookies } from '../http/browser.ts';
import type { Visitor } from '../http/caller.ts';
import type { Page } from '../pages/layout.ts';
import type { Developer } from '../store/developers.ts';
import type { Session } from '../store/sessions.ts';

/** A signed-in developer's request to a page of the portal. */
export interface PortalVisit {
  readonly developer: Developer;
  readonly session: Session;
  /** The developer, for what they do with an application. */
  readonly by: By;
  /** The parts of the path that the page's pattern names. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** What a form has just done, by name: see `goTo`; null if none has. */
  readonly done: string | null;
  /** The fields of the form; of a field that was sent several times, all. */
  readonly form: PortalForm;
  /** Calling it sets a cookie. */
  readonly csrfToken: () => string;
  /** The browser that the request comes from. */
  readonly visitor: Visitor;
  readonly cookies: BrowserCookies;
  readonly res: Response;
}

export interface PortalForm {
  /** '' if it was not sent. */
  text(name: string): string;
  all(name: string): readonly string[];
}

/** What a page shows. The shell adds the navigation. */
export interface PortalContent extends Pick<Page, 'lead' | 'body'> {
  readonly title: string;
  /** Said above the heading when a form has done its work. */
  readonly note?: string | undefined;
  /** The application that the page is about; absent: none. The shell adds the links to its other pages. */
  readonly application?: { readonly id: string; readonly name: string };
  /** The words of the current link in the navigation, for `aria-current`. */
  readonly current?: string;
}

/** Sentences by field name; '' for the whole form. */
export type Problems = Readonly<Record<string, string>>;

/** A page of the portal. Its form posts to the page's own path. */
export interface PortalPage {
  /** An Express pattern, such as `/portal/applications/:application`. */
  readonly path: string;
  /** Throws Refusal `not_found` for what is not the developer's. @param problems of the form that was sent, by field name */
  readonly show: (visit: PortalVisit, problems?: Problems) => Promise<PortalContent> | PortalContent;
  /**
   * Does what the form asks for, and answers: most often by `goTo`, or by content that is shown once, such as a secret.
   * Session and CSRF token are checked. A Refusal `bad_parameter` that it throws is shown with the form again.
   */
  readonly submit?: (visit: PortalVisit) => Promise<PortalContent | undefined>;
}

/** Redirects to a page of the portal, so that reloading it sends no form again. @param done what a form has done */
export function goTo(res: Response, path: string, done?: string): undefined {
  res.redirect(303, done === undefined ? path : `${path}?${new URLSearchParams({ done })}`);
}
