import { type Html, html, NOTHING } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import type { Account } from '../../sign-in/accounts.ts';
import { formTo, type Problems, problemSummary } from '../../sign-in/views/form.ts';
import { noteDone } from '../../sign-in/views/notes.ts';
import type { Content, Link, Site } from '../site.ts';

type Frame = Pick<Site<Account>, 'name' | 'links' | 'paths' | 'isPortal'>;

export function shellPage(site: Frame, content: Content, csrfToken: string, problems: Problems = {}): Page {
  const { title, lead, body, note } = content;
  return {
    title,
    lead,
    body: html`${note === undefined ? NOTHING : noteDone(note)}${body}`,
    navigation: navigation(site, content, csrfToken),
    isPrivate: true,
    isAccount: true,
    isPortal: site.isPortal,
    hasForms: true,
    ...problemSummary(problems),
  };
}

function navigation({ name, links, paths }: Frame, { subject, current }: Content, csrfToken: string): Html {
  // a subject's page is below the linked page, so it isn't aria-current="page"
  return html`<nav class="sections" aria-label="${name}">
      <ul>${links.map((link) => item(link, link.label === subject?.above ? 'true' : isCurrent(link, current)))}</ul>
      ${formTo(paths.signOut, csrfToken, html`<button>Sign out</button>`)}
    </nav>${subject === undefined ? NOTHING : ofSubject(subject, current)}`;
}

function ofSubject({ name, links }: NonNullable<Content['subject']>, current: string | undefined): Html {
  return html`
    <nav class="sections" aria-label="${name}">
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
