import type { RequestHandler, Response } from 'express';
import { own } from '../domain/own.ts';
import { Refusal } from '../domain/refusal.ts';
import type { BrowserCookies } from '../http/browser.ts';
import type { Visitor } from '../http/caller.ts';
import { answerPage, type Html, type Page } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import type { Account, Accounts } from '../sign-in/accounts.ts';
import type { PasswordCheck } from '../sign-in/password-check.ts';
import { textIn } from '../sign-in/sent-form.ts';
import { endSession, type SignedIn, signedIn, signInForm } from '../sign-in/session.ts';
import { credentialsPage, noteDone, type Problems, type SignInWords } from '../sign-in/views/form.ts';
import { deleteSignIns } from '../store/sessions.ts';

export interface Link {
  readonly path: string;
  readonly label: string;
}

/** Pages for signed-in accounts of one kind, with one navigation. */
export interface Site<A extends Account> {
  readonly name: string;
  readonly links: readonly Link[];
  readonly paths: Readonly<Record<'overview' | 'signIn' | 'signOut' | 'password' | 'deletion', string>>;
  readonly accounts: Accounts<A>;
  readonly cookies: BrowserCookies;
  readonly checkPassword: PasswordCheck<A>;
  readonly signIn: SignInWords;
  /** The most characters of a form field; absent: as in `textIn`. */
  readonly mostFieldCharacters?: number;
  /** Whether a form is shown again even if no field is to blame, such as for text that our pages never send. */
  readonly repeatsStrangeForms?: boolean;
}

/** A page for signed-out visitors. Its form posts to the page's path, after the CSRF check. */
export interface SignedOutPage {
  readonly path: string;
  readonly show: RequestHandler;
  readonly submit: RequestHandler;
}

export interface Visit<A extends Account> extends SignedIn<A> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** What a form has just done, by name; null if nothing. See `goTo`. */
  readonly done: string | null;
  readonly form: Form;
  /** A form that posts to this page. Calling it sets a cookie. @param hidden its hidden fields, such as the action */
  readonly ownForm: (content: Html, hidden?: Readonly<Record<string, string>>) => Html;
  readonly visitor: Visitor;
  readonly cookies: BrowserCookies;
  readonly res: Response;
}

/** A form's fields. Reading one throws Refusal `bad_parameter` for input that our pages never send. */
export interface Form {
  /** '' for a missing field. */
  text(name: string): string;
  /** All values of a repeated field. */
  all(name: string): readonly string[];
}

/** A page's content. The shell adds the navigation. */
export interface Content extends Pick<Page, 'title' | 'lead' | 'body'> {
  /** Shown above the body after a form succeeds. */
  readonly note?: string | undefined;
  /** The label of the current navigation link, for `aria-current`. */
  readonly current?: string | undefined;
  /** What the page is about, if it has a navigation of its own. */
  readonly subject?: {
    readonly name: string;
    readonly links: readonly Link[];
    /** The label of the navigation link that leads to the subject. */
    readonly above: string;
  };
}

/** A page of a site. Its form posts to the page's path. */
export interface SitePage<A extends Account> {
  /** An Express pattern, such as `/portal/applications/:application`. */
  readonly path: string;
  /** Throws Refusal `not_found` for data of another account. @param problems with the submitted form */
  readonly show: (visit: Visit<A>, problems?: Problems) => Promise<Content> | Content;
  /**
   * Handles the form. Responds, usually with `goTo`, or returns content that is shown once, such as a secret. The
   * session and the CSRF token are already checked. After `wrongFields` the form is shown again with the messages.
   */
  readonly submit?: ((visit: Visit<A>) => Promise<Content | undefined>) | undefined;
}

/** A Refusal that shows the form again with its messages. */
export function wrongFields(problems: Problems): Refusal {
  return new Refusal('bad_parameter', 'Some fields of the form are not valid.', problems);
}

/** For a form without a field that the page always sends, or with a value that it never does. */
export function incompleteForm(): Refusal {
  return wrongFields({ '': 'The form was incomplete. Submit it again.' });
}

/** Redirects to a page, so a reload doesn't resubmit the form. @param done what the form has done; '' without a name */
export function goTo(res: Response, path: string, done?: string): undefined {
  res.redirect(303, done === undefined ? path : `${path}?done${done && `=${done}`}`);
}

/** Notes for the sign-in page, by the name in its query. */
const NOTES = {
  out: 'You’re signed out.',
  everywhere: 'You’re signed out everywhere.',
  deleted: 'Your account was deleted.',
} as const;

/** @param pathTo where a sign-in redirects to. See returnPaths */
export function signInRoute<A extends Account>(
  parts: Pick<Parts, 'store' | 'randomBytes'>,
  { accounts, cookies, checkPassword, paths, signIn }: Site<A>,
  pathTo: (to: unknown) => string,
): SignedOutPage {
  const path = paths.signIn;
  const signInWith = signInForm(parts, accounts, cookies, checkPassword);
  return {
    path,
    show: async (req, res) => {
      const visitor = cookies.visitor(req, res);
      const to = pathTo(req.query.to);
      if ((await signedIn(parts, accounts, visitor)) !== null) return goTo(res, to);
      const { left } = req.query;
      const note = typeof left === 'string' ? own(NOTES, left) : undefined;
      const form = { path, csrfToken: visitor.csrfToken(), hidden: { to } };
      answerPage(res, credentialsPage(signIn, { ...form, note: note && noteDone(note) }));
    },
    submit: async (req, res) => {
      const visitor = cookies.visitor(req, res);
      const to = pathTo(textIn(req.body, 'to'));
      const isSignedIn = await signInWith({
        ...{ visitor, form: req.body, res, beginning: to },
        pageWith: (typed) =>
          credentialsPage(signIn, { path, csrfToken: visitor.csrfToken(), hidden: { to }, ...typed }),
      });
      if (isSignedIn) goTo(res, to);
    },
  };
}

/** Clears the browser's session cookie and redirects to the sign-in page, which shows a note. */
export function leave<A extends Account>(
  { cookies, paths }: Pick<Site<A>, 'cookies' | 'paths'>,
  res: Response,
  how: keyof typeof NOTES,
): undefined {
  cookies.endSession(res);
  res.redirect(303, `${paths.signIn}?left=${how}`);
}

export function signOut<A extends Account>(parts: Pick<Parts, 'store'>, site: Site<A>): RequestHandler {
  const { accounts, cookies } = site;
  return async (req, res) => {
    await endSession(parts, accounts, cookies.visitor(req, res));
    leave(site, res, 'out');
  };
}

export function signOutEverywhere<A extends Account>(
  { store }: Pick<Parts, 'store'>,
  site: Site<A>,
): NonNullable<SitePage<A>['submit']> {
  const { tables, events } = site.accounts;
  return async ({ account, visitor, res }) => {
    await store.transaction((tx) => deleteSignIns(tx, tables, account.id));
    visitor.audit(events.signOutEverywhere(account.id));
    return leave(site, res, 'everywhere');
  };
}
