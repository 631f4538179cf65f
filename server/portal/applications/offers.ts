import { acceptOffer, declineOffer } from '../../applications/transfer.ts';
import { own } from '../../domain/own.ts';
import { type Html, html, momentOf, NOTHING, section } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import type { Problems } from '../../sign-in/views/form.ts';
import { incompleteForm } from '../../site/site.ts';
import type { ShownApplication } from '../../store/applications.ts';
import { byOf, type PortalVisit } from '../page.ts';
import { showingAt } from './problems.ts';
import { facts, literal } from './views.ts';

const DECISIONS = {
  accept: { take: acceptOffer, done: 'accepted' },
  decline: { take: declineOffer, done: 'declined' },
} as const;

/** Accepts or declines the offer in the form. @returns the name of the outcome. Throws Refusals for the form */
export async function decideOffer({ store }: Pick<Parts, 'store'>, visit: PortalVisit): Promise<string> {
  const decision = own(DECISIONS, visit.form.text('action'));
  if (decision === undefined) throw incompleteForm();
  const id = visit.form.text('application');
  await showingAt(id, () => decision.take({ store }, byOf(visit), id));
  return decision.done;
}

export function offersView(offered: readonly ShownApplication[], { ownForm }: PortalVisit, problems: Problems): Html {
  const body = html`<p>Another developer wants to give you these applications. Accept only what you expect: you will answer for what the application does.</p>
      ${offered.map(
        ({ id, name, createdAt, offerEndsAt }) => html`<article>
        <h3>${name}</h3>
        ${own(problems, id) === undefined ? NOTHING : html`<p class="problem" role="alert">${own(problems, id)!}</p>`}
        ${facts([
          ['Client ID', literal(id)],
          ['Created', momentOf(createdAt)],
          ['Offer ends', momentOf(offerEndsAt!)],
        ])}
        ${ownForm(
          html`<div class="buttons">
          <button class="primary" name="action" value="accept">Accept</button>
          <button name="action" value="decline">Decline</button>
        </div>`,
          { application: id },
        )}
      </article>`,
      )}`;
  return section('offers', 'Offered to you', body);
}
