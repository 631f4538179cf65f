import type { Response } from 'express';
import type { ResultOf } from '../audit.ts';
import { liveId } from '../domain/ids.ts';
import { LINK_FIELDS, PORTAL_PATHS } from '../links.ts';
import { hashOf } from '../oauth/secrets.ts';
import { ASK_AGAIN, answerPage, FORM_STEP, html, NOTHING, type Page } from '../pages/page.ts';
import type { Parts, PortalSignUp } from '../parts.ts';
import { type SentForm, textIn } from '../sign-in/sent-form.ts';
import { signUpHash } from '../sign-in/sign-up-hash.ts';
import {
  credentialsPage,
  EMAIL,
  formTo,
  labeledInput,
  NEW_PASSWORD,
  type Problems,
  problemSummary,
  SIGNED_UP,
} from '../sign-in/views/form.ts';
import type { SignedOutPage, Site } from '../site/site.ts';
import { takeDeveloperLink } from '../store/developer-links.ts';
import { type Developer, deleteDeveloper, insertDeveloperIfAbsent } from '../store/developers.ts';
import type { Store } from '../store/engine/open.ts';
import { findLink, linkTokenIn, withLink } from './operator-link.ts';

type PortalSignUpParts = Pick<
  Parts,
  'store' | 'now' | 'randomBytes' | 'throttles' | 'rateLimitMultiplier' | 'portalSignUp'
>;

/** A valid invitation. It creates an account only for its email. */
interface Invitation {
  readonly token: string;
  readonly email: string;
}

/** Whether the visitor can sign up. `invitation` is null on an open server. */
type Admission = { readonly invitation: Invitation | null } | { readonly refused: NoWayIn };

/** Creates a developer and asks them to sign in. An existing account stays unchanged. */
export function signUpRoute(parts: PortalSignUpParts, { cookies, signIn }: Site<Developer>): SignedOutPage {
  const { store, portalSignUp: mode } = parts;
  const hashOfNew = signUpHash(parts, 'developers');
  const refuse = (res: Response, why: NoWayIn) => answerPage(res, noWayInPage(why, mode), why === 'broken' ? 404 : 403);
  return {
    path: PORTAL_PATHS.signUp,
    show: async (req, res) => {
      const visitor = cookies.visitor(req, res);
      const admission = await admissionOf(parts, req.query[LINK_FIELDS.signUp], visitor.realNow);
      if ('refused' in admission) return refuse(res, admission.refused);
      answerPage(res, signUpPage(visitor.csrfToken(), admission.invitation));
    },
    submit: async (req, res) => {
      const visitor = cookies.visitor(req, res);
      const form = req.body as SentForm;
      const admission = await admissionOf(parts, textIn(form, LINK_FIELDS.signUp), visitor.realNow);
      if ('refused' in admission) return refuse(res, admission.refused);
      const { invitation } = admission;
      const typed = textIn(form, 'email');
      const password = textIn(form, 'password');
      const { email, problems } = await readSignUp(invitation?.email ?? null, typed, password);
      if (Object.keys(problems).length > 0) {
        return answerPage(res, signUpPage(visitor.csrfToken(), invitation, email, problems), ASK_AGAIN);
      }
      const tell = (result: ResultOf<'developer_sign_up'>, developer: string | null) =>
        visitor.audit({ event: 'developer_sign_up', result, developer });
      const onWait = () => tell('slowed_down', null);
      const passwordHash = await hashOfNew({ visitor, res, password, beginning: withLink(req), onWait });
      if (passwordHash === null) return;
      const createdAt = parts.now();
      const developer = { id: liveId(createdAt, parts.randomBytes(16)), email, passwordHash, createdAt };
      const outcome = await create(store, developer, invitation, visitor.realNow);
      // a concurrent request used the invitation
      if (outcome === 'broken') return refuse(res, 'broken');
      if (outcome === 'created') tell('succeeded', developer.id);
      else tell('email_taken', null);
      const page = { path: PORTAL_PATHS.signIn, csrfToken: visitor.csrfToken(), hidden: { to: PORTAL_PATHS.overview } };
      answerPage(res, credentialsPage(signIn, { ...page, email, note: SIGNED_UP }));
    },
  };
}

async function admissionOf(
  { store, portalSignUp }: Pick<Parts, 'store' | 'portalSignUp'>,
  sent: unknown,
  realNow: number,
): Promise<Admission> {
  if (portalSignUp === 'off') return { refused: 'off' };
  const token = linkTokenIn(sent);
  if (token === undefined) return portalSignUp === 'open' ? { invitation: null } : { refused: 'invite' };
  const link = await findLink(store.db, token, realNow);
  if (token === null || link === undefined || link.developerId !== null) return { refused: 'broken' };
  return { invitation: { token, email: link.email } };
}

/** @param invited the invitation's email, already valid; null without an invitation */
async function readSignUp(invited: string | null, typed: string, password: string) {
  // imported on demand: the packages load slowly
  const { readEmail } = await import('../sign-in/email.ts');
  const { problemOfPassword } = await import('../sign-in/password-rules.ts');
  const read = invited === null ? readEmail(typed) : { email: invited };
  const ofPassword = problemOfPassword(password, { email: 'email' in read ? read.email : typed.trim() });
  const problems: Problems = {
    ...('problem' in read && { email: read.problem }),
    ...(ofPassword !== null && { password: ofPassword }),
  };
  return { email: 'email' in read ? read.email : typed, problems };
}

/** Also ends the invitation if its email has an account by now. */
async function create(
  store: Store,
  developer: Developer,
  invitation: Invitation | null,
  realNow: number,
): Promise<'created' | 'taken' | 'broken'> {
  // the unique index lets only one of two concurrent sign-ups with an email succeed
  if (invitation === null) return (await insertDeveloperIfAbsent(store.db, developer)) ? 'created' : 'taken';
  return store.transaction(async (tx) => {
    // lock order: developer, then link
    const isNew = await insertDeveloperIfAbsent(tx, developer);
    const link = await takeDeveloperLink(tx, hashOf(invitation.token));
    if (link !== undefined && link.expiresAt > realNow) return isNew ? 'created' : 'taken';
    if (isNew) await deleteDeveloper(tx, developer.id);
    return 'broken';
  });
}

/** Why sign-up is closed, or why this link doesn't work. */
type NoWayIn = 'off' | 'invite' | 'broken';

/** @param email as submitted. The page never repeats the password */
function signUpPage(csrfToken: string, invitation: Invitation | null, email = '', problems: Problems = {}): Page {
  const inputs = html`${labeledInput({
    ...EMAIL,
    value: invitation?.email ?? (email || undefined),
    problem: problems.email,
    ...(invitation && { hint: 'From your invitation.', isFixed: true }),
  })}
      ${labeledInput({ ...NEW_PASSWORD, name: 'password', label: 'Password', problem: problems.password })}
      <div class="buttons"><button class="primary">Create account</button></div>`;
  return {
    title: 'Create a developer account',
    lead: html`Create applications that call the Ridehail API, and manage their credentials.`,
    body: html`
      ${formTo(PORTAL_PATHS.signUp, csrfToken, inputs, invitation ? { [LINK_FIELDS.signUp]: invitation.token } : {})}
      <p>Already have an account? <a href="${PORTAL_PATHS.signIn}">Sign in</a></p>`,
    ...FORM_STEP,
    ...problemSummary(problems),
  };
}

function noWayInPage(why: NoWayIn, mode: PortalSignUp): Page {
  const { title, lead, remedy } = EXPLANATIONS[why];
  return {
    title,
    lead,
    body: html`
      <p>${remedy}</p>
      ${why === 'broken' && mode === 'open' ? html`<p><a href="${PORTAL_PATHS.signUp}">Create an account without an invitation</a></p>` : NOTHING}
      <p>Already have an account? <a href="${PORTAL_PATHS.signIn}">Sign in</a></p>`,
    isPrivate: true,
    isStep: true,
  };
}

const EXPLANATIONS = {
  off: {
    title: 'Sign-up is closed',
    lead: html`On this server, the operator creates developer accounts.`,
    remedy: html`Ask the operator for an account. They send you a link to set your password.`,
  },
  invite: {
    title: 'You need an invitation',
    lead: html`On this server, only invited developers can create an account.`,
    remedy: html`Ask the operator for an invitation. They send you a link to the sign-up form.`,
  },
  broken: {
    title: 'This invitation doesn’t work',
    lead: html`An invitation works once and expires after a while.`,
    remedy: html`If you already signed up with it, sign in. Otherwise, check that you copied the whole link, or ask the operator for a new one.`,
  },
} satisfies Record<NoWayIn, object>;
