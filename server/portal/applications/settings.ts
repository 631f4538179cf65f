import type { By } from '../../applications/by.ts';
import {
  deleteApplication,
  renameApplication,
  switchLiveEvents,
  switchRefreshRotation,
} from '../../applications/change.ts';
import { LONGEST_OFFER_MS, offerApplication, withdrawOffer } from '../../applications/transfer.ts';
import { own } from '../../domain/own.ts';
import { wrongField } from '../../domain/refusal.ts';
import { DAY_MS } from '../../domain/time.ts';
import { PORTAL_PATHS } from '../../links.ts';
import { type Html, html, momentOf } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import { type Problems, passwordInput } from '../../sign-in/views/form.ts';
import { isConfirmed } from '../../site/own-account.ts';
import { goTo, incompleteForm, type Site } from '../../site/site.ts';
import type { ShownApplication } from '../../store/applications.ts';
import type { Developer } from '../../store/developers.ts';
import { byOf, ownPage, type PortalPage, type PortalVisit, pathOf } from '../page.ts';
import { showingAt } from './problems.ts';
import { button, literal, textField } from './views.ts';

type Action = (visit: PortalVisit, application: ShownApplication, by: By) => Promise<undefined>;

/** One form each for the name, refresh tokens, live events, transfer and deletion, distinguished by `action`. */
export function settingsPage(
  parts: Pick<Parts, 'store' | 'refusedDevelopers'>,
  site: Pick<Site<Developer>, 'checkPassword' | 'accounts'>,
): PortalPage {
  const path = ({ id }: ShownApplication) => pathOf(id, 'settings');
  const actions: Readonly<Record<string, Action>> = {
    rename: async ({ form, res }, application, by) => {
      await showingAt('name', () => renameApplication(parts, by, application.id, form.text('name')));
      return goTo(res, path(application), 'renamed');
    },
    rotation: async ({ form, res }, application, by) => {
      const wanted = form.text('rotation');
      if (wanted !== 'on' && wanted !== 'off') throw incompleteForm();
      await switchRefreshRotation(parts, by, application.id, wanted === 'on');
      return goTo(res, path(application), 'rotation');
    },
    events: async (visit, application, by) => {
      const { form, res } = visit;
      const wanted = form.text('events');
      if (wanted !== 'on' && wanted !== 'off') throw incompleteForm();
      const tell = (result: 'failed' | 'slowed_down') =>
        by.audit({ event: 'application_changed', result, application: application.id, developer: by.developerId });
      if (wanted === 'on' && !(await isConfirmed(site, visit, path(application), tell))) return undefined;
      await switchLiveEvents(parts, by, application.id, wanted === 'on');
      return goTo(res, path(application), 'events');
    },
    offer: async ({ form, account: developer, res }, application, by) => {
      const newOwner = form.text('developer').trim();
      if (newOwner === '') throw wrongField('developer', 'Enter the new owner’s developer ID.');
      if (newOwner === developer.id)
        throw wrongField('developer', 'This is your own developer ID. Enter the new owner’s.');
      // an account that can't sign in could never give the app back
      if (parts.refusedDevelopers.has(newOwner))
        throw wrongField('developer', 'No developer has this ID. Check it with the new owner.');
      assertNameTyped(application, form.text('transfer_name'), 'transfer_name');
      await showingAt('developer', () => offerApplication(parts, by, application.id, newOwner));
      return goTo(res, path(application), 'offered');
    },
    withdraw: async ({ res }, application, by) => {
      await withdrawOffer(parts, by, application.id);
      return goTo(res, path(application), 'withdrawn');
    },
    delete: async ({ form, res }, application, by) => {
      assertNameTyped(application, form.text('delete_name'), 'delete_name');
      await deleteApplication(parts, by, application.id);
      return goTo(res, PORTAL_PATHS.overview, 'deleted');
    },
  };
  return ownPage(parts, {
    page: 'settings',
    done: {
      renamed: 'Name saved.',
      rotation: 'Refresh token setting saved.',
      events: 'Event setting saved.',
      offered: 'Application offered. It stays yours until the other developer accepts.',
      withdrawn: 'Offer withdrawn.',
    },
    show: (application, visit, problems = {}) => ({
      title: `Settings for ${application.name}`,
      lead: html`Rename, transfer or delete this application.`,
      body: formsOf(application, visit, problems),
    }),
    submit: async (application, visit) => {
      const action = own(actions, visit.form.text('action'));
      if (action === undefined) throw incompleteForm();
      return action(visit, application, byOf(visit));
    },
  });
}

/** Throws Refusal `bad_parameter` unless the typed name matches. Guards against changing the wrong application. */
function assertNameTyped({ name }: Pick<ShownApplication, 'name'>, typed: string, field: string): void {
  const simple = (text: string) => text.normalize('NFC').trim().replace(/\s+/gu, ' ');
  if (simple(typed) !== simple(name)) throw wrongField(field, `Type the application’s exact name: ${name}`);
}

function formsOf(application: ShownApplication, visit: PortalVisit, problems: Problems): Html {
  const { name, rotatesRefreshTokens, liveEventsSince } = application;
  const { form, ownForm } = visit;
  const isRenaming = form.text('action') === 'rename';
  const [is, other] = rotatesRefreshTokens ? ['on', 'off'] : ['off', 'on'];
  const typed = (field: string) => ({ name: field, value: form.text(field), problem: own(problems, field) });
  const nameHint = `Type “${name}” to confirm.`;
  return html`
      <h2>Name</h2>
      ${ownForm(
        html`${textField({
          ...{ name: 'name', label: 'Name', hint: 'Passengers see this name when your application asks for access.' },
          ...{ value: isRenaming ? form.text('name') : name, problem: problems.name },
        })}
      ${button('Rename')}`,
        { action: 'rename' },
      )}
      <h2>Refresh tokens</h2>
      <p>Rotation is ${is}. With rotation, each refresh returns a new refresh token and invalidates the old one.
      If an old token is used again, it may have been stolen, so we revoke all tokens of that passenger’s consent
      (<a href="https://www.rfc-editor.org/rfc/rfc9700#section-4.14.2">RFC 9700</a>). Turn rotation on only if your application stores each new refresh token.</p>
      ${ownForm(button(`Turn rotation ${other}`, 'plain'), { action: 'rotation', rotation: other })}
      <h2 id="live-events">Live events</h2>
      <p>A client token with the scope <code>events</code> lists the webhook events of all live rides that your application requested, and sends them
      again. They contain your passengers’ names and places. While this is on, you can also read and resend them under <a href="${pathOf(application.id, 'deliveries')}">Deliveries</a>. ${
        liveEventsSince === null
          ? 'It is off: the live secret can’t get such a token.'
          : html`It has been on since ${momentOf(liveEventsSince)}.`
      }</p>
      ${
        liveEventsSince === null
          ? ownForm(
              html`${passwordInput({ name: 'password', label: 'Your password', problem: problems.password })}
      ${button('Turn on live events')}`,
              { action: 'events', events: 'on' },
            )
          : ownForm(button('Turn off live events', 'plain'), { action: 'events', events: 'off' })
      }
      <section class="risky" aria-labelledby="transfer">
      <h2 id="transfer">Transfer</h2>
      <p>Offer the application to another developer. If they accept, they become the owner, and you lose access to the application. Its secrets stay
      valid. Because you know them, the new owner should rotate both. The log no longer shows what you did.</p>
      ${openOffer(application, visit)}
      ${ownForm(
        html`${textField({
          ...typed('developer'),
          ...{ label: 'New owner’s developer ID', hint: 'They can find it on their account page in this portal.' },
        })}
      ${textField({ ...typed('transfer_name'), label: 'Application name', hint: nameHint })}
      ${button('Offer application', 'danger')}`,
        { action: 'offer' },
      )}
      </section>
      <section class="risky" aria-labelledby="delete">
      <h2 id="delete">Delete</h2>
      <p>This revokes the application’s tokens and codes right away. Pending webhooks are dropped, and no more are sent. We delete the application’s
      sandboxes soon afterwards. You can’t undo this.</p>
      ${ownForm(
        html`${textField({ ...typed('delete_name'), label: 'Application name', hint: nameHint })}
      ${button('Delete application', 'danger')}`,
        { action: 'delete' },
      )}
      </section>`;
}

function openOffer({ offeredTo, offerEndsAt }: ShownApplication, { visitor, ownForm }: PortalVisit): Html {
  if (offeredTo === null || offerEndsAt === null || offerEndsAt <= visitor.realNow) {
    return html`<p>An offer lasts ${LONGEST_OFFER_MS / DAY_MS} days.</p>`;
  }
  return html`<p>You offered this application to the developer ${literal(offeredTo)}. The offer ends on ${momentOf(offerEndsAt)}. A new offer
      replaces it.</p>
      <div>${ownForm(button('Withdraw offer', 'plain'), { action: 'withdraw' })}</div>`;
}
