import { APPLICATION_PAGES, PORTAL_PATHS } from '../../links.ts';
import { type Html, html, NOTHING } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { formTo } from '../../sign-in/views/form.ts';
import { noteDone } from '../../sign-in/views/note-done.ts';
import { problemSummary } from '../../sign-in/views/problem-summary.ts';
import type { PortalContent, Problems } from '../page.ts';

interface ShellProps {
  readonly csrfToken: string;
  readonly problems?: Problems | undefined;
}

interface Link {
  readonly path: string;
  readonly label: string;
}

const APPLICATIONS = 'Apps';

const LINKS: readonly Link[] = [
  { path: PORTAL_PATHS.overview, label: APPLICATIONS },
  { path: PORTAL_PATHS.newApplication, label: 'New app' },
  { path: PORTAL_PATHS.account, label: 'Account' },
];

/** Link texts for an application's pages. */
const LABELS: Readonly<Record<(typeof APPLICATION_PAGES)[number], string>> = {
  'redirect-uris': 'Redirect URIs',
  webhooks: 'Webhooks',
  secrets: 'Secrets',
  settings: 'Settings',
  log: 'Log',
};

/** A page with the portal navigation. */
export function shellPage(content: PortalContent, { csrfToken, problems = {} }: ShellProps): Page {
  const { title, lead, body, note } = content;
  const found = Object.entries(problems).map(([field, sentence]) =>
    field === '' ? { sentence } : { sentence, field },
  );
  return {
    title,
    lead,
    body: html`${note === undefined ? NOTHING : noteDone(note)}${body}`,
    navigation: navigation(content, csrfToken),
    isPrivate: true,
    isAccount: true,
    isPortal: true,
    hasForms: true,
    ...(found.length > 0 && { problem: problemSummary(found, { isFocused: true }) }),
  };
}

function navigation({ application, current }: PortalContent, csrfToken: string): Html {
  // an application's page is below the linked page, so it isn't aria-current="page"
  const above = application === undefined ? undefined : APPLICATIONS;
  return html`<nav class="sections" aria-label="Portal">
      <ul>${LINKS.map((link) => item(link, link.label === above ? 'true' : isCurrent(link, current)))}</ul>
      ${formTo(PORTAL_PATHS.signOut, csrfToken, html`<button>Sign out</button>`)}
    </nav>
    ${application === undefined ? NOTHING : ofApplication(application, current)}`;
}

function ofApplication({ id, name }: NonNullable<PortalContent['application']>, current: string | undefined): Html {
  const own = PORTAL_PATHS.application.replace(':application', encodeURIComponent(id));
  const pages = APPLICATION_PAGES.map((page) => ({ path: `${own}/${page}`, label: LABELS[page] }));
  const links: readonly Link[] = [{ path: own, label: 'Overview' }, ...pages];
  return html`<nav class="sections" aria-label="${name}">
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
