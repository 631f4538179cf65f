import { type Request, type RequestHandler, Router } from 'express';
import { Refusal } from '../domain/refusal.ts';
import { browserCookies } from '../http/browser.ts';
import type { CallsInTurn } from '../http/calls-at-once.ts';
import { methodNotAllowed } from '../http/failures.ts';
import { unstorableIn } from '../http/unstorable.ts';
import { PORTAL_PATHS } from '../links.ts';
import { answerPage } from '../pages/answer.ts';
import { developerAccounts } from '../sign-in/accounts.ts';
import { ASK_AGAIN } from '../sign-in/ask-again.ts';
import { formGuards } from '../sign-in/form-guards.ts';
import { passwordCheck } from '../sign-in/password-check.ts';
import { readForm, type SentForm } from '../sign-in/sent-form.ts';
import { signedIn } from '../sign-in/signed-in.ts';
import { accountPages } from './account/pages.ts';
import { type ApplicationParts, applicationPages } from './applications/pages.ts';
import type { Door } from './door.ts';
import { portalForm, readableForm } from './form.ts';
import { withLink } from './operator-link.ts';
import type { PortalContent, PortalPage, PortalVisit, Problems } from './page.ts';
import { returnPaths } from './return-paths.ts';
import { setPasswordDoor } from './set-password.ts';
import { askToSignIn, signInDoor, signOut } from './sign-in.ts';
import { signUpDoor } from './sign-up.ts';
import { shellPage } from './views/shell.ts';

const READ = ['GET', 'HEAD'];
const READ_AND_SEND = [...READ, 'POST'];

/**
 * The developer portal. Pages are for signed-in developers, doors for everyone else. A form posts to its page's path.
 * Only browser cookies authenticate; API tokens are ignored.
 */
export function portalRouter(parts: ApplicationParts, { outOfTurn }: Pick<CallsInTurn, 'outOfTurn'>): Router {
  const accounts = developerAccounts(parts);
  const cookies = browserCookies(parts, accounts.cookies);
  const checkPassword = passwordCheck(parts, accounts);
  const router = Router({ caseSensitive: true, strict: true });
  const pages = [...applicationPages(parts), ...accountPages(parts, checkPassword)];
  const pathTo = returnPaths(pages.map(({ path }) => path));

  const { readCookies, refuseForged } = formGuards(cookies, beginningOf);
  const post = (path: string, handler: RequestHandler) =>
    router.post(path, readCookies, outOfTurn(readForm), refuseForged, handler);
  /** Runs `go` for a signed-in developer. Sends others to the sign-in page. */
  const take = (go: (visit: PortalVisit) => Promise<void>): RequestHandler => {
    return async (req, res) => {
      const visitor = cookies.visitor(req, res);
      const who = await signedIn(parts, accounts, visitor);
      if (who === null) return askToSignIn(res, pathTo(req.path));
      const { account: developer, session } = who;
      const { network, realNow, audit, csrfToken } = visitor;
      const by = { developerId: developer.id, network, realNow, audit };
      const form = portalForm(req.body as SentForm);
      const sent = { params: paramsOf(req), query: req.query, done: doneIn(req), form };
      await go({ developer, session, by, ...sent, csrfToken, visitor, cookies, res });
    };
  };

  router.use(neverStored);
  for (const page of pages) {
    const { path, submit } = page;
    router.get(
      path,
      readCookies,
      take(async (visit) => answer(visit, await page.show(visit))),
    );
    if (submit !== undefined) {
      post(
        path,
        take((visit) => send(visit, { ...page, submit })),
      );
    }
    router.route(path).all(methodNotAllowed(submit === undefined ? READ : READ_AND_SEND));
  }
  const doors: readonly Door[] = [
    signInDoor(parts, cookies, checkPassword, pathTo),
    signUpDoor(parts, cookies),
    setPasswordDoor(parts, cookies),
  ];
  for (const { path, show, submit } of doors) {
    router.get(path, readCookies, show);
    post(path, submit);
    router.route(path).all(methodNotAllowed(READ_AND_SEND));
  }
  post(PORTAL_PATHS.signOut, signOut(parts, cookies));
  router.route(PORTAL_PATHS.signOut).all(methodNotAllowed(['POST']));
  router.use(refuseUnknown);
  return router;
}

function answer(visit: PortalVisit, content: PortalContent, problems?: Problems): void {
  const page = shellPage(content, { csrfToken: visit.csrfToken(), problems });
  answerPage(visit.res, page, problems === undefined ? 200 : ASK_AGAIN);
}

/** Shows the form again if it has problems. */
async function send(visit: PortalVisit, { show, submit }: Required<PortalPage>): Promise<void> {
  let content: PortalContent | undefined;
  try {
    content = await submit(visit);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'bad_parameter') throw error;
    const problems = Object.keys(error.detail).length === 0 ? { '': error.description } : error.detail;
    return answer(visit, await show({ ...visit, form: readableForm(visit.form) }, problems), problems);
  }
  if (content !== undefined) answer(visit, content);
}

/** Throws Refusal `not_found` for text that can't be an ID. */
function paramsOf({ params }: Request): Readonly<Record<string, string>> {
  if (unstorableIn(params).length > 0) throw nothingHere();
  return params as Record<string, string>;
}

function doneIn({ query: { done } }: Request): string | null {
  return typeof done === 'string' ? done : null;
}

const neverStored: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};

const refuseUnknown: RequestHandler = () => {
  throw nothingHere();
};

function nothingHere(): Refusal {
  return new Refusal('not_found', 'This page doesn’t exist.');
}

/** Where a rejected form links to. The sign-out path has no page to return to. */
function beginningOf(req: Request): string {
  return req.path === PORTAL_PATHS.signOut ? PORTAL_PATHS.overview : withLink(req);
}
