import { LINK_FIELDS, PORTAL_PATHS } from '../links.ts';
import { hashPassword } from '../oauth/passwords.ts';
import { hashOf } from '../oauth/secrets.ts';
import { ASK_AGAIN, answerPage, FORM_STEP, html, type Page } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import { refusedPage } from '../sign-in/failure-page.ts';
import { untilClosed } from '../sign-in/password-check.ts';
import { type SentForm, textIn } from '../sign-in/sent-form.ts';
import { beginSession } from '../sign-in/session.ts';
import { formTo, newPasswordInputs, type Problems, problemSummary } from '../sign-in/views/form.ts';
import { goTo, type SignedOutPage, type Site } from '../site/site.ts';
import { takeDeveloperLink } from '../store/developer-links.ts';
import { type Developer, findDeveloper, holdDeveloper } from '../store/developers.ts';
import { deleteSignIns } from '../store/sessions.ts';
import { findLink, linkTokenIn } from './operator-link.ts';

interface Chance {
  readonly token: string;
  readonly developer: Developer;
}

/** Sets a password with an operator's one-time link. Ends all sessions of the account, then signs this browser in. */
export function setPasswordRoute(
  parts: Pick<Parts, 'store' | 'randomBytes'>,
  { accounts, cookies }: Site<Developer>,
): SignedOutPage {
  const { store } = parts;

  const chanceOf = async (sent: unknown, realNow: number): Promise<Chance | null> => {
    const token = linkTokenIn(sent) ?? null;
    const link = await findLink(store.db, token, realNow);
    const id = link?.developerId ?? null;
    const developer = id === null || accounts.refused.has(id) ? undefined : await findDeveloper(store.db, id);
    return token === null || developer === undefined ? null : { token, developer };
  };
  return {
    path: PORTAL_PATHS.setPassword,
    show: async (req, res) => {
      const visitor = cookies.visitor(req, res);
      const chance = await chanceOf(req.query[LINK_FIELDS.setPassword], visitor.realNow);
      if (chance === null) return answerPage(res, brokenLinkPage(), 404);
      answerPage(res, setPasswordPage(chance, visitor.csrfToken()));
    },
    submit: async (req, res) => {
      const visitor = cookies.visitor(req, res);
      const form = req.body as SentForm;
      const chance = await chanceOf(textIn(form, LINK_FIELDS.setPassword), visitor.realNow);
      if (chance === null) return answerPage(res, brokenLinkPage(), 404);
      const { token, developer } = chance;
      const chosen = textIn(form, 'new_password');
      // imported on demand: the packages load slowly
      const { problemsOfNewPassword } = await import('../sign-in/password-rules.ts');
      const problems = problemsOfNewPassword(chosen, textIn(form, 'repeated_password'), developer);
      if (Object.keys(problems).length > 0) {
        return answerPage(res, setPasswordPage(chance, visitor.csrfToken(), problems), ASK_AGAIN);
      }
      const passwordHash = await hashPassword(chosen, { flow: visitor.networks.wide, signal: untilClosed(res) });
      const isSet = await store.transaction(async (tx) => {
        const before = await holdDeveloper(tx, developer.id);
        if (before === undefined) return false;
        const link = await takeDeveloperLink(tx, hashOf(token));
        if (link === undefined || link.expiresAt <= visitor.realNow) return false;
        await accounts.changePassword(tx, developer, { before, after: passwordHash });
        await deleteSignIns(tx, accounts.tables, developer.id);
        return true;
      });
      // a concurrent request used the link
      if (!isSet) return answerPage(res, brokenLinkPage(), 404);
      visitor.audit({ event: 'developer_password_changed', result: 'succeeded', developer: developer.id });
      await beginSession(parts, accounts, { cookies, res, visitor }, { id: developer.id, passwordHash });
      goTo(res, PORTAL_PATHS.overview);
    },
  };
}

function setPasswordPage({ token, developer }: Chance, csrfToken: string, problems: Problems = {}): Page {
  const content = html`${newPasswordInputs(problems)}
      <div class="buttons"><button class="primary">Set password</button></div>`;
  return {
    title: 'Set your password',
    lead: html`For the developer account ${developer.email}. This signs you out in all other browsers.`,
    body: formTo(PORTAL_PATHS.setPassword, csrfToken, content, { [LINK_FIELDS.setPassword]: token }),
    ...FORM_STEP,
    ...problemSummary(problems),
  };
}

/** The same for a used, an expired and an unknown link. */
function brokenLinkPage(): Page {
  return refusedPage({
    title: 'This link doesn’t work',
    sentence: 'A link to set a password works once and expires after a while.',
    hints: [
      'If you already set a password with it, sign in.',
      'Otherwise, check that you copied the whole link, or ask the operator of this server for a new one.',
    ],
    beginning: PORTAL_PATHS.signIn,
    linkText: 'Sign in',
  });
}
