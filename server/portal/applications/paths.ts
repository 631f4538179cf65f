import type { Application } from '../../domain/application.ts';
import { APPLICATION_PAGES, PORTAL_PATHS } from '../../links.ts';
import type { Content } from '../../site/site.ts';
import { APPLICATIONS } from '../site.ts';

export type ApplicationPage = (typeof APPLICATION_PAGES)[number];

/** The path of an application's page. @param page absent for the overview */
export function pathOf(id: string, page?: ApplicationPage): string {
  return patternOf(page).replace(':application', () => encodeURIComponent(id));
}

export function patternOf(page?: ApplicationPage): string {
  return page === undefined ? PORTAL_PATHS.application : `${PORTAL_PATHS.application}/${page}`;
}

export const OVERVIEW = 'Overview';

export const LABELS: Readonly<Record<ApplicationPage, string>> = {
  'redirect-uris': 'Redirect URIs',
  webhooks: 'Webhooks',
  secrets: 'Secrets',
  settings: 'Settings',
  log: 'Log',
};

export function subjectOf({ id, name }: Pick<Application, 'id' | 'name'>): Content['subject'] {
  const pages = APPLICATION_PAGES.map((page) => ({ path: pathOf(id, page), label: LABELS[page] }));
  return { name, links: [{ path: pathOf(id), label: OVERVIEW }, ...pages], above: APPLICATIONS };
}
