import { OPERATIONS } from '../../generated/server.ts';
import type { Passenger } from '../domain/passenger.ts';
import { ACCOUNT_PATHS } from '../links.ts';
import { type Html, html, section } from '../pages/page.ts';
import type { Problems } from '../sign-in/views/form.ts';
import type { Content, Link, SitePage, Visit } from '../site/site.ts';

export type AccountVisit = Visit<Passenger>;

/** A page of the account. `SECTIONS` has its title. */
export interface Section extends Pick<SitePage<Passenger>, 'path' | 'submit'> {
  readonly show: (visit: AccountVisit, problems?: Problems) => SectionContent | Promise<SectionContent>;
}

type SectionContent = Omit<Content, 'title' | 'current'>;

/** The sections in navigation order, with the title of each page. */
export const SECTIONS: readonly (Link & { readonly title: string })[] = [
  { path: ACCOUNT_PATHS.overview, label: 'Overview', title: 'Your account' },
  { path: ACCOUNT_PATHS.applications, label: 'Apps', title: 'Apps' },
  { path: ACCOUNT_PATHS.payment, label: 'Payment', title: 'Payment method' },
  { path: ACCOUNT_PATHS.phone, label: 'Phone', title: 'Phone number' },
  { path: ACCOUNT_PATHS.password, label: 'Password', title: 'Change your password' },
  { path: ACCOUNT_PATHS.sessions, label: 'Browsers', title: 'Where you’re signed in' },
  { path: ACCOUNT_PATHS.data, label: 'Your data', title: 'Download your data' },
  { path: ACCOUNT_PATHS.deletion, label: 'Delete', title: 'Delete your account' },
];

export function titled({ path, show, submit }: Section): SitePage<Passenger> {
  const { title, label: current } = SECTIONS.find((one) => one.path === path)!;
  return { path, submit, show: async (visit, problems) => ({ ...(await show(visit, problems)), title, current }) };
}

const { method, path } = OPERATIONS.updatePassenger;

/** How to reproduce an account state in a sandbox, where passengers have no account page. */
export function forDevelopers(body: Readonly<Record<string, unknown>>): Html {
  const how = html`<p>Sandbox passengers have no account page. To test the error that links here, send <code>${JSON.stringify(body)}</code> to
        <code>${method.toUpperCase()} ${path}</code>.</p>`;
  return section('developers', 'For developers', how);
}
