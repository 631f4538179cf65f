import type { RequestHandler } from 'express';
import type { BrowserCookies } from '../http/browser.ts';
import type { Html } from '../pages/html.ts';
import type { Page } from '../pages/layout.ts';
import type { Account, Accounts } from '../sign-in/accounts.ts';
import type { PasswordCheck } from '../sign-in/password-check.ts';

export interface Link {
  readonly path: string;
  readonly label: string;
}

/** Pages for signed-in accounts of one kind, with one navigation. */
export interface Site<A extends Account> extends Pick<Page, 'isPortal'> {
  /** The navigation's label. */
  readonly name: string;
  readonly links: readonly Link[];
  readonly paths: Readonly<Record<'overview' | 'signIn' | 'signOut', string>>;
  readonly accounts: Accounts<A>;
  readonly cookies: BrowserCookies;
  readonly checkPassword: PasswordCheck<A>;
  readonly signIn: SignInWords;
  /** The most characters of a form field; absent: as in `textIn`. */
  readonly mostFieldCharacters?: number;
  /** Whether a form is shown again even if no field is to blame, such as for text that our pages never send. */
  readonly repeatsStrangeForms?: boolean;
}

/** What a sign-in page says. */
export interface SignInWords extends Pick<Page, 'title' | 'lead'> {
  /** Above the form: the accounts of the demo, if any. */
  readonly demo: Html;
  /** Below the form: how to get an account. */
  readonly ways: Html;
}

/** A page for signed-out visitors. Its form posts to the page's path, after the CSRF check. */
export interface SignedOutPage {
  readonly path: string;
  readonly show: RequestHandler;
  readonly submit: RequestHandler;
}
