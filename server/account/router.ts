import { type Request, type RequestHandler, Router } from 'express';
import type { Passenger } from '../domain/passenger.ts';
import { browserCookies } from '../http/browser.ts';
import type { CallsInTurn } from '../http/calls-at-once.ts';
import { methodNotAllowed } from '../http/failures.ts';
import { ACCOUNT_PATHS } from '../links.ts';
import { answerPage } from '../pages/answer.ts';
import type { Parts } from '../parts.ts';
import { passengerAccounts } from '../sign-in/accounts.ts';
import { ASK_AGAIN } from '../sign-in/ask-again.ts';
import { formGuards } from '../sign-in/form-guards.ts';
import type { PasswordCheck } from '../sign-in/password-check.ts';
import { readForm } from '../sign-in/sent-form.ts';
import { signedIn } from '../sign-in/signed-in.ts';
import type { DepartureParts } from '../workers/departures.ts';
import { applicationsSection } from './applications.ts';
import { dataSection } from './data.ts';
import { deletionSection } from './deletion.ts';
import { overviewSection } from './overview.ts';
import { passwordSection } from './password.ts';
import { paymentSection } from './payment.ts';
import { phoneSection } from './phone.ts';
import { type AccountVisit, type Problems, type Section, saysDone } from './section.ts';
import { sessionsSection } from './sessions.ts';
import { askToSignIn, signInHandlers } from './sign-in.ts';
import { shellPage } from './views/shell.ts';

type AccountParts = Parts & DepartureParts;

/**
 * The passenger's account. Each section is a page whose form posts to the page's path. Signed-out visitors go to the
 * sign-in page. Only browser cookies authenticate; API tokens are ignored.
 */
export function accountRouter(
  parts: AccountParts,
  { outOfTurn }: Pick<CallsInTurn, 'outOfTurn'>,
  checkPassword: PasswordCheck<Passenger>,
): Router {
  const accounts = passengerAccounts(parts);
  const cookies = browserCookies(parts, accounts.cookies);
  const router = Router({ caseSensitive: true, strict: true });
  const others: readonly Section[] = sectionsOf(parts, checkPassword);
  const sections = [overviewSection(() => others), ...others];

  const { readCookies, refuseForged } = formGuards(cookies, ({ path }) => beginningOf(path));
  /** Runs `go` for a signed-in passenger. Sends others to the sign-in page. */
  const take = (section: Section, go: (visit: AccountVisit) => Promise<void>): RequestHandler => {
    return async (req, res) => {
      const visitor = cookies.visitor(req, res);
      const who = await signedIn(parts, accounts, visitor);
      if (who === null) return askToSignIn(res, section.path);
      const { session, account: passenger } = who;
      await go({ session, passenger, visitor, cookies, form: req.body, isDone: isDoneIn(req), res });
    };
  };
  const show = async (section: Section, visit: AccountVisit, problems?: Problems) => {
    const shown = await section.show(visit, problems);
    const page = shellPage(section, shown, { sections, csrfToken: visit.visitor.csrfToken(), problems });
    answerPage(visit.res, page, problems === undefined ? 200 : ASK_AGAIN);
  };
  const post = (path: string, handler: RequestHandler) =>
    router.post(path, readCookies, outOfTurn(readForm), refuseForged, handler);

  const sectionPaths = sections.map(({ path }) => path);
  router.all([...sectionPaths, ACCOUNT_PATHS.signIn, ACCOUNT_PATHS.signOut], neverStored);
  for (const section of sections) {
    const { path, submit } = section;
    router.get(
      path,
      readCookies,
      take(section, (visit) => show(section, visit)),
    );
    if (submit !== undefined) {
      const send = async (visit: AccountVisit) => {
        const problems = await submit(visit);
        if (problems !== undefined) await show(section, visit, problems);
      };
      post(path, take(section, send));
    }
    router.route(path).all(methodNotAllowed(submit === undefined ? ['GET', 'HEAD'] : ['GET', 'HEAD', 'POST']));
  }
  const signIn = signInHandlers(parts, cookies, checkPassword, new Set(sectionPaths));
  router.get(ACCOUNT_PATHS.signIn, readCookies, signIn.show);
  post(ACCOUNT_PATHS.signIn, signIn.submit);
  router.route(ACCOUNT_PATHS.signIn).all(methodNotAllowed(['GET', 'HEAD', 'POST']));
  post(ACCOUNT_PATHS.signOut, signIn.signOut);
  router.route(ACCOUNT_PATHS.signOut).all(methodNotAllowed(['POST']));
  return router;
}

/** All sections except the overview, in navigation order. */
function sectionsOf(parts: AccountParts, checkPassword: PasswordCheck<Passenger>): readonly Section[] {
  return [
    applicationsSection(parts),
    paymentSection(parts),
    phoneSection(parts),
    passwordSection(parts, checkPassword),
    sessionsSection(parts),
    dataSection(parts),
    deletionSection(parts, checkPassword),
  ];
}

const neverStored: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};

function isDoneIn({ query }: Request): boolean {
  return saysDone(query);
}

/** Where a rejected form links to. The sign-out path has no page to return to. */
function beginningOf(path: string): string {
  return path === ACCOUNT_PATHS.signOut ? ACCOUNT_PATHS.overview : path;
}
