import { isStorable, mayChange, noApplication } from '../../applications/by.ts';
import { own } from '../../domain/own.ts';
import type { Parts } from '../../parts.ts';
import type { Problems } from '../../sign-in/views/form.ts';
import type { Content } from '../../site/site.ts';
import { findOwnApplication, type OwnApplication } from '../../store/applications.ts';
import type { PortalPage, PortalVisit } from '../page.ts';
import { type ApplicationPage, LABELS, OVERVIEW, patternOf, subjectOf } from './paths.ts';

type Shown = Omit<Content, 'note' | 'current' | 'subject'>;

interface OwnPage {
  /** Absent for the overview. */
  readonly page?: ApplicationPage;
  /** What the page says after a form, by the name in `goTo`. */
  readonly done?: Readonly<Record<string, string>>;
  readonly show: (application: OwnApplication, visit: PortalVisit, problems?: Problems) => Shown | Promise<Shown>;
  readonly submit?: (application: OwnApplication, visit: PortalVisit) => Promise<Content | undefined>;
}

/** A page about the application in its path. Answers `not_found` for another developer's, as for an unknown one. */
export function ownPage({ store }: Pick<Parts, 'store'>, { page, done = {}, show, submit }: OwnPage): PortalPage {
  const applicationOf = async ({ params: { application: id = '' }, account: developer }: PortalVisit) => {
    const application = isStorable(id) ? await findOwnApplication(store.db, id) : undefined;
    if (application === undefined || !mayChange(application, developer.id)) throw noApplication();
    return application;
  };
  return {
    path: patternOf(page),
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
