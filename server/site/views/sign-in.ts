import { type Html, html, NOTHING } from '../../pages/html.ts';
import { FORM_STEP, type Page } from '../../pages/layout.ts';
import { type Credentials, credentialInputs } from '../../sign-in/views/credentials.ts';
import { formTo } from '../../sign-in/views/form.ts';
import type { SignInWords } from '../site.ts';

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
