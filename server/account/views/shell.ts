import { ACCOUNT_PATHS } from '../../links.ts';
import { type Html, html, NOTHING } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { formTo } from '../../sign-in/views/form.ts';
import { noteDone } from '../../sign-in/views/note-done.ts';
import { problemSummary } from '../../sign-in/views/problem-summary.ts';
import type { Problems, Section, SectionPage } from '../section.ts';

interface ShellProps {
  readonly sections: readonly Section[];
  readonly csrfToken: string;
  readonly problems?: Problems | undefined;
}

/** A section with the account navigation. */
export function shellPage(section: Section, shown: SectionPage, { sections, csrfToken, problems }: ShellProps): Page {
  const { done, lead, body } = shown;
  const found = Object.entries(problems ?? {}).map(([field, sentence]) =>
    field === '' ? { sentence } : { sentence, field },
  );
  return {
    title: section.title,
    lead,
    body: html`${done === undefined ? NOTHING : noteDone(done)}${body}`,
    navigation: navigation(sections, section, csrfToken),
    isPrivate: true,
    isAccount: true,
    hasForms: true,
    ...(found.length > 0 && { problem: problemSummary(found, { isFocused: true }) }),
  };
}

function navigation(sections: readonly Section[], current: Section, csrfToken: string): Html {
  const link = ({ path, label }: Section) =>
    html`<li><a href="${path}"${path === current.path ? html` aria-current="page"` : NOTHING}>${label}</a></li>`;
  return html`<nav class="sections" aria-label="Account">
      <ul>${sections.map(link)}</ul>
      ${formTo(ACCOUNT_PATHS.signOut, csrfToken, html`<button>Sign out</button>`)}
    </nav>`;
}
