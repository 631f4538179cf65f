import { type By, isStorable, mayChange, noApplication } from '../applications/by.ts';
import type { Application } from '../domain/application.ts';
import { own } from '../domain/own.ts';
import { APPLICATION_PAGES, PORTAL_PATHS } from '../links.ts';
import type { Parts } from '../parts.ts';
import type { Problems } from '../sign-in/views/form.ts';
import type { Content, SitePage, Visit } from '../site/site.ts';
import { findOwnApplication, type ShownApplication } from '../store/applications.ts';
import type { Developer } from '../store/developers.ts';

export type PortalVisit = Visit<Developer>;

export type PortalPage = SitePage<Developer>;

export function byOf({ account, visitor: { networks, realNow, audit } }: PortalVisit): By {
  return { developerId: account.id, network: networks.narrow, realNow, audit };
}

type ApplicationPage = (typeof APPLICATION_PAGES)[number];

interface OwnPage {
  /** Absent for the overview. */
  readonly page?: ApplicationPage;
  /** The rest of the path of a page below that one. */
  readonly below?: string;
  /** What the page says after a form, by the name in `goTo`. */
  readonly done?: Readonly<Record<string, string>>;
  readonly show: (
    application: ShownApplication,
    visit: PortalVisit,
    problems?: Problems,
  ) => Omit<Content, 'subject'> | Promise<Omit<Content, 'subject'>>;
  readonly submit?: (application: ShownApplication, visit: PortalVisit) => Promise<Content | undefined>;
}

/** A page about the application in its path. Answers `not_found` for another developer's, as for an unknown one. */
export function ownPage(
  { store }: Pick<Parts, 'store'>,
  { page, below = '', done = {}, show, submit }: OwnPage,
): PortalPage {
  const applicationOf = async ({ params: { application: id = '' }, account: developer }: PortalVisit) => {
    const application = isStorable(id) ? await findOwnApplication(store.db, id) : undefined;
    if (application === undefined || !mayChange(application, developer.id)) throw noApplication();
    return application;
  };
  return {
    path: patternOf(page) + below,
    show: async (visit, problems) => {
      const application = await applicationOf(visit);
      return {
        ...(await show(application, visit, problems)),
        note: own(done, visit.done ?? ''),
        current: page === undefined ? OVERVIEW : LABELS[page],
        subject: subjectOf(application),
      };
    },
    submit: submit && (async (visit) => submit(await applicationOf(visit), visit)),
  };
}

/** The path of an application's page. @param page absent for the overview */
export function pathOf(id: string, page?: ApplicationPage): string {
  return patternOf(page).replace(':application', () => encodeURIComponent(id));
}

function patternOf(page?: ApplicationPage): string {
  return page === undefined ? PORTAL_PATHS.application : `${PORTAL_PATHS.application}/${page}`;
}

/** The label of the navigation link to all applications. */
export const APPLICATIONS = 'Applications';
const OVERVIEW = 'Overview';
export const LABELS: Readonly<Record<ApplicationPage, string>> = {
  'redirect-uris': 'Redirect URIs',
  webhooks: 'Webhooks',
  deliveries: 'Deliveries',
  secrets: 'Secrets',
  settings: 'Settings',
  requests: 'Requests',
  log: 'Log',
};

export function subjectOf({ id, name }: Pick<Application, 'id' | 'name'>): Content['subject'] {
  const pages = APPLICATION_PAGES.map((page) => ({ path: pathOf(id, page), label: LABELS[page] }));
  return { name, links: [{ path: pathOf(id), label: OVERVIEW }, ...pages], above: APPLICATIONS };
}
