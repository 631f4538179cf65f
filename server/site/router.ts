import type { Request, RequestHandler, Router } from 'express';
import { Refusal } from '../domain/refusal.ts';
import type { CallsInTurn } from '../http/calls-at-once.ts';
import { unstorableIn } from '../http/unstorable.ts';
import { ASK_AGAIN, answerPage, type Html, html, NOTHING, type Page } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import type { Account } from '../sign-in/accounts.ts';
import { formRoutes, type SentForm, textIn, textsIn } from '../sign-in/sent-form.ts';
import { signedIn } from '../sign-in/session.ts';
import { formTo, noteDone, type Problems, problemSummary } from '../sign-in/views/form.ts';
import {
  type Content,
  type Form,
  type Link,
  type SignedOutPage,
  type Site,
  type SitePage,
  signInRoute,
  signOut,
  type Visit,
} from './site.ts';

interface Rooms<A extends Account> {
  readonly pages: readonly SitePage<A>[];
  readonly signedOut?: readonly SignedOutPage[];
  /** Where a rejected form can be sent again; absent: at its path. */
  readonly againAt?: (req: Request) => string;
}

/** The pages of a site. Signed-out visitors go to the sign-in page. API tokens are ignored. */
export function siteRouter<A extends Account>(
  parts: Pick<Parts, 'store' | 'randomBytes'>,
  site: Site<A>,
  { pages, signedOut = [], againAt = ({ path }) => path }: Rooms<A>,
  inTurn: Pick<CallsInTurn, 'readBody'>,
): Router {
  const { paths, accounts, cookies } = site;
  const pathTo = returnPaths(
    pages.map(({ path }) => path),
    paths.overview,
  );
  // the sign-out path has no page to return to
  const beginningOf = (req: Request) => (req.path === paths.signOut ? paths.overview : againAt(req));
  const { router, add } = formRoutes(cookies, inTurn, beginningOf);
  /** Runs `go` for a signed-in account. Sends others to the sign-in page. */
  const take = (go: (visit: Visit<A>) => Promise<void>): RequestHandler => {
    return async (req, res) => {
      const visitor = cookies.visitor(req, res);
      const who = await signedIn(parts, accounts, visitor);
      if (who === null) {
        return res.redirect(303, `${paths.signIn}?${new URLSearchParams({ to: pathTo(req.path) })}`);
      }
      const form = formOf(req.body, site.mostFieldCharacters);
      const { query } = req;
      const sent = { params: paramsOf(req), query, done: typeof query.done === 'string' ? query.done : null, form };
      const ownForm: Visit<A>['ownForm'] = (...content) => formTo(req.path, visitor.csrfToken(), ...content);
      await go({ ...who, ...sent, ownForm, visitor, cookies, res });
    };
  };
  const answer = (visit: Visit<A>, content: Content, problems?: Problems) =>
    answerPage(visit.res, shellPage(site, content, visit.visitor.csrfToken(), problems), problems ? ASK_AGAIN : 200);

  for (const { path, show, submit } of pages) {
    const send = async (visit: Visit<A>) => {
      try {
        const content = await submit!(visit);
        if (content !== undefined) answer(visit, content);
      } catch (error) {
        const problems = problemsIn(error, site);
        if (problems === null) throw error;
        answer(visit, await show({ ...visit, form: readableForm(visit.form) }, problems), problems);
      }
    };
    add(path, {
      show: take(async (visit) => answer(visit, await show(visit))),
      submit: submit && take(send),
    });
  }
  for (const { path, ...handlers } of [signInRoute(parts, site, pathTo), ...signedOut]) add(path, handlers);
  add(paths.signOut, { submit: signOut(parts, site) });
  return router;
}

/** The problems to show with the form; null for other errors. */
function problemsIn(error: unknown, { repeatsStrangeForms }: Pick<Site<Account>, 'repeatsStrangeForms'>) {
  if (!(error instanceof Refusal) || error.code !== 'bad_parameter') return null;
  if (Object.keys(error.detail).length > 0) return error.detail;
  return repeatsStrangeForms ? { '': error.description } : null;
}

/** Throws Refusal `not_found` for text that can't be an ID. */
function paramsOf({ params }: Request): Visit<Account>['params'] {
  if (unstorableIn(params).length > 0) throw nothingHere();
  return params as Record<string, string>;
}

export function nothingHere(): Refusal {
  return new Refusal('not_found', 'This page doesn’t exist.');
}

function formOf(sent: SentForm, mostCharacters?: number): Form {
  return { text: (name) => textIn(sent, name, mostCharacters), all: (name) => textsIn(sent, name, mostCharacters) };
}

/** For showing a rejected form again: an invalid field is empty. */
function readableForm(form: Form): Form {
  return { text: (name) => readable(() => form.text(name), ''), all: (name) => readable(() => form.all(name), []) };
}

function readable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return otherwise;
    throw error;
  }
}

/**
 * Where a sign-in redirects to: the path if it is a page's, otherwise the overview. A matching path has only letters,
 * digits, `-`, `_` and single slashes, so it can't be a URL of another site.
 * @param patterns the pages' Express patterns
 */
function returnPaths(patterns: readonly string[], overview: string): (to: unknown) => string {
  const pages = patterns.map((pattern) => pattern.split('/'));
  return (to) => {
    if (typeof to !== 'string') return overview;
    const segments = to.split('/');
    const isLike = (page: readonly string[]) =>
      segments.length === page.length &&
      page.every((part, i) => (part.startsWith(':') ? /^[\w-]{1,64}$/.test(segments[i]!) : part === segments[i]));
    return pages.some(isLike) ? to : overview;
  };
}

type Frame = Pick<Site<Account>, 'name' | 'links' | 'paths'>;

function shellPage(site: Frame, content: Content, csrfToken: string, problems: Problems = {}): Page {
  const { title, lead, body, note, subject, current } = content;
  return {
    title,
    lead,
    body: html`${note === undefined ? NOTHING : noteDone(note)}${body}`,
    navigation: navigation(site, content, csrfToken),
    ...(subject && { subject: ofSubject(subject, current) }),
    isPrivate: true,
    isAccount: true,
    hasForms: true,
    ...problemSummary(problems),
  };
}

function navigation({ name, links, paths }: Frame, { subject, current }: Content, csrfToken: string): Html {
  // a subject's page is below the linked page, so it isn't aria-current="page"
  return html`<nav class="sections" aria-label="${name}">
      <ul>${links.map((link) => item(link, link.label === subject?.above ? 'true' : isCurrent(link, current)))}</ul>
      ${formTo(paths.signOut, csrfToken, html`<button>Sign out</button>`)}
    </nav>`;
}

function ofSubject({ name, links }: NonNullable<Content['subject']>, current: string | undefined): Html {
  return html`<nav class="subject" aria-label="${name}">
      <ul>${links.map((link) => item(link, isCurrent(link, current)))}</ul>
    </nav>`;
}

function isCurrent({ label }: Link, current: string | undefined): 'page' | null {
  return label === current ? 'page' : null;
}

function item({ path, label }: Link, current: 'page' | 'true' | null): Html {
  const said = current === null ? NOTHING : html` aria-current="${current}"`;
  return html`<li><a href="${path}"${said}>${label}</a></li>`;
}
