import type { RequestHandler, Response } from 'express';
import { own } from '../domain/own.ts';
import { answerPage, FORM_STEP, type Html, html, NOTHING, type Page } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import type { Account } from '../sign-in/accounts.ts';
import { textIn } from '../sign-in/sent-form.ts';
import { signedIn } from '../sign-in/session.ts';
import { endSession, signInForm } from '../sign-in/sign-in.ts';
import { type Credentials, credentialInputs, formTo, noteDone } from '../sign-in/views/form.ts';
import { deleteSignIns } from '../store/sessions.ts';
import { goTo, type SignedOutPage, type SignInWords, type Site, type SitePage } from './site.ts';

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
      const form = { path, csrfToken: visitor.csrfToken(), to };
      answerPage(res, signInPage(signIn, { ...form, note: note && noteDone(note) }));
    },
    submit: async (req, res) => {
      const visitor = cookies.visitor(req, res);
      const to = pathTo(textIn(req.body, 'to'));
      const isSignedIn = await signInWith({
        ...{ visitor, form: req.body, res, beginning: to },
        pageWith: (typed) => signInPage(signIn, { path, csrfToken: visitor.csrfToken(), to, ...typed }),
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

interface SignInProps extends Credentials {
  readonly path: string;
  readonly csrfToken: string;
  readonly to: string;
  /** Shown after a sign-out or a sign-up, for example. */
  readonly note?: Html | undefined;
}

export function signInPage({ title, lead, demo, ways }: SignInWords, props: SignInProps): Page {
  const { path, csrfToken, to, note = NOTHING, ...typed } = props;
  const { inputs, summary } = credentialInputs(typed);
  return {
    title,
    lead,
    body: html`
      ${note}
      ${demo}
      ${formTo(path, csrfToken, inputs, { to })}
      ${ways}`,
    ...FORM_STEP,
    ...summary,
  };
}
