import type { ResultOf } from '../audit.ts';
import { type Html, html } from '../pages/html.ts';
import type { Account } from '../sign-in/accounts.ts';
import { answerWait } from '../sign-in/failure-page.ts';
import { untilClosed } from '../sign-in/password-check.ts';
import { labeledInput, passwordInput } from '../sign-in/views/form.ts';
import { leave } from './sign-in.ts';
import { type Content, type Site, type SitePage, wrongFields } from './site.ts';

const WORD = 'delete';

interface Deletion<A extends Account> extends Pick<Content, 'lead' | 'current'> {
  readonly path: string;
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
  { path, consequences, remove, finish, ...words }: Deletion<A>,
): SitePage<A> {
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
