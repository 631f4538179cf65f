import { type APPLICATION_PAGES, PORTAL_PATHS } from '../../links.ts';

export type ApplicationPage = (typeof APPLICATION_PAGES)[number];

/** The path of an application's page. @param page absent for the overview */
export function pathOf(id: string, page?: ApplicationPage): string {
  return patternOf(page).replace(':application', () => encodeURIComponent(id));
}

/** The Express pattern of these paths. */
export function patternOf(page?: ApplicationPage): string {
  return page === undefined ? PORTAL_PATHS.application : `${PORTAL_PATHS.application}/${page}`;
}
