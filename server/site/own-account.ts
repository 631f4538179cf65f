import type { ResultOf } from '../audit.ts';
import { hashPassword } from '../oauth/passwords.ts';
import { type Html, html } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import type { Account } from '../sign-in/accounts.ts';
import { answerWait } from '../sign-in/failure-page.ts';
import { untilClosed } from '../sign-in/password-check.ts';
import { beginSession } from '../sign-in/session.ts';
import { labeledInput, newPasswordInputs, passwordInput } from '../sign-in/views/form.ts';
import { deleteSignIns } from '../store/sessions.ts';
import { type Content, goTo, leave, type Site, type SitePage, type Visit, wrongFields } from './site.ts';

interface PasswordWords extends Pick<Content, 'lead' | 'current'> {
  /** The name of the change in the query. See `goTo`. */
  readonly changed: string;
}

/** Changes the password. Ends all sessions but this one: someone who knew the old password may be signed in. */
export function passwordPage<A extends Account>(
  parts: Pick<Parts, 'store' | 'randomBytes'>,
  { accounts, checkPassword, paths }: Pick<Site<A>, 'accounts' | 'checkPassword' | 'paths'>,
  { changed, ...words }: PasswordWords,
): SitePage<A> {
  const path = paths.password;
  return {
    path,
    show: ({ ownForm, done }, problems = {}) => ({
      title: 'Change your password',
      ...words,
      note: done === changed ? 'Your password was changed. All other browsers are signed out.' : undefined,
      body: ownForm(html`${passwordInput({
        ...{ name: 'current_password', label: 'Current password', problem: problems.current_password },
      })}
      ${newPasswordInputs(problems)}
      <div class="buttons"><button class="primary">Change password</button></div>`),
    }),
    submit: async ({ account, form, visitor, cookies, res }) => {
      const [current, chosen] = [form.text('current_password'), form.text('new_password')];
      // imported on demand: the packages load slowly
      const { problemsOfNewPassword } = await import('../sign-in/password-rules.ts');
      const problems = {
        ...(current === '' && { current_password: 'Enter your current password.' }),
        ...problemsOfNewPassword(chosen, form.text('repeated_password'), account),
      };
      if (Object.keys(problems).length > 0) throw wrongFields(problems);
      const tell = (result: ResultOf<'password_changed'>) =>
        visitor.audit(accounts.events.passwordChange(result, account.id));
      const notRight = () => {
        tell('failed');
        return wrongFields({ current_password: 'Wrong current password. Try again.' });
      };
      const signal = untilClosed(res);
      const checked = await checkPassword({ email: account.email, password: current, visitor, signal });
      if ('waitSeconds' in checked) return answerWait(res, checked.waitSeconds, path, () => tell('slowed_down'));
      if (checked.account?.id !== account.id) throw notRight();
      const after = await hashPassword(chosen, { flow: visitor.networks.wide, signal });
      const before = checked.account.passwordHash;
      const isChanged = await parts.store.transaction(async (tx) => {
        if (!(await accounts.changePassword(tx, account, { before, after }))) return false;
        await deleteSignIns(tx, accounts.tables, account.id);
        return true;
      });
      // another browser changed it in the meantime
      if (!isChanged) throw notRight();
      await beginSession(parts, accounts, { cookies, res, visitor }, { id: account.id, passwordHash: after });
      tell('succeeded');
      return goTo(res, path, changed);
    },
  };
}

/**
 * Checks the form's password again before a risky change. Throws Refusal `bad_parameter` if it is wrong.
 * @returns false if it has answered that the browser must wait
 */
export async function isConfirmed<A extends Account>(
  { checkPassword }: Pick<Site<A>, 'checkPassword'>,
  { account, visitor, form, res }: Visit<A>,
  path: string,
  tell: (result: 'failed' | 'slowed_down') => void,
): Promise<boolean> {
  const password = form.text('password');
  if (password === '') throw wrongFields({ password: 'Enter your password.' });
  const checked = await checkPassword({ email: account.email, password, visitor, signal: untilClosed(res) });
  if ('waitSeconds' in checked) {
    answerWait(res, checked.waitSeconds, path, () => tell('slowed_down'));
    return false;
  }
  if (checked.account?.id === account.id) return true;
  tell('failed');
  throw wrongFields({ password: 'Wrong password. Try again.' });
}

const WORD = 'delete';

interface Deletion<A extends Account> extends Pick<Content, 'lead' | 'current'> {
  /** Above the form: what is deleted. */
  readonly consequences: Html;
  /** `stale`: the password has changed since it was checked. @returns otherwise why the account must stay */
  readonly remove: (account: A, realNow: number) => Promise<'deleted' | 'stale' | { readonly problem: string }>;
  /** Continues a deletion before the response. */
  readonly finish?: (account: A) => Promise<void>;
}

/** Deletes the account. The owner confirms with their password and a typed word. */
export function deletionPage<A extends Account>(
  site: Site<A>,
  { consequences, remove, finish, ...words }: Deletion<A>,
): SitePage<A> {
  const path = site.paths.deletion;
  return {
    path,
    show: ({ ownForm }, problems = {}) => ({
      title: 'Delete your account',
      ...words,
      body: html`${consequences}
      ${ownForm(html`${passwordInput({ name: 'password', label: 'Password', problem: problems.password })}
      ${labeledInput({
        ...{ name: 'word', label: `Type “${WORD}” to confirm`, problem: problems.word },
        ...{ type: 'text', autocomplete: 'off' },
      })}
      <div class="buttons"><button class="danger">Delete account</button></div>`)}`,
    }),
    submit: async ({ account, visitor, form, res }) => {
      const password = form.text('password');
      const problems = {
        ...(password === '' && { password: 'Enter your password.' }),
        ...(form.text('word').trim().toLowerCase() !== WORD && { word: `Type “${WORD}” to confirm.` }),
      };
      if (Object.keys(problems).length > 0) throw wrongFields(problems);
      const tell = (result: ResultOf<'account_deleted'>) =>
        visitor.audit(site.accounts.events.deletion(result, account.id));
      const claim = { email: account.email, password, visitor, signal: untilClosed(res) };
      const checked = await site.checkPassword(claim);
      if ('waitSeconds' in checked) return answerWait(res, checked.waitSeconds, path, () => tell('slowed_down'));
      const outcome = checked.account?.id === account.id ? await remove(checked.account, visitor.realNow) : 'stale';
      if (outcome === 'stale') {
        tell('failed');
        throw wrongFields({ password: 'Wrong password. Try again.' });
      }
      if (outcome !== 'deleted') throw wrongFields({ '': outcome.problem });
      tell('succeeded');
      await finish?.(account);
      return leave(site, res, 'deleted');
    },
  };
}
