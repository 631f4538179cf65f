import { renameApplication, switchRefreshRotation, transferApplication } from '../../applications/change.ts';
import { deleteApplication } from '../../applications/delete.ts';
import { own } from '../../http/own.ts';
import { PORTAL_PATHS } from '../../links.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Parts } from '../../parts.ts';
import type { OwnApplication } from '../../store/applications.ts';
import { goTo, type PortalPage, type PortalVisit, type Problems } from '../page.ts';
import { ownApplication } from './own.ts';
import { pathOf, patternOf } from './paths.ts';
import { problemAt, showingAt } from './problems.ts';
import { textField } from './views/fields.ts';
import { button, ownForm } from './views/own-form.ts';

const DONE: Readonly<Record<string, string>> = {
  renamed: 'The name is saved.',
  rotation: 'The switch for refresh tokens is saved.',
};

/** Name, refresh tokens, transfer and deletion: a form each, told apart by `action`. */
export function settingsPage(parts: Pick<Parts, 'store' | 'refusedDevelopers'>): PortalPage {
  const { store, refusedDevelopers } = parts;
  const path = ({ id }: Pick<OwnApplication, 'id'>) => pathOf(id, 'settings');
  const actions: Readonly<Record<string, (visit: PortalVisit, application: OwnApplication) => Promise<undefined>>> = {
    rename: async ({ by, form, res }, application) => {
      await showingAt('name', () => renameApplication(parts, by, application.id, form.text('name')));
      return goTo(res, path(application), 'renamed');
    },
    rotation: async ({ by, form, res }, application) => {
      const wanted = form.text('rotation');
      if (wanted !== 'on' && wanted !== 'off') throw problemAt('', 'The form was not complete. Send it again.');
      await switchRefreshRotation(parts, by, application.id, wanted === 'on');
      return goTo(res, path(application), 'rotation');
    },
    transfer: async ({ by, form, developer, res }, application) => {
      const newOwner = form.text('developer').trim();
      if (newOwner === '') throw problemAt('developer', 'Enter the developer id of the new owner.');
      if (newOwner === developer.id) throw problemAt('developer', 'This is your own developer id.');
      // they cannot sign in, so they could never give it back
      if (refusedDevelopers.has(newOwner)) throw problemAt('developer', 'There is no developer with this id.');
      assertNameTyped(application, form.text('transfer_name'), 'transfer_name');
      await showingAt('developer', () => transferApplication(parts, by, application.id, newOwner));
      return goTo(res, PORTAL_PATHS.overview, 'transferred');
    },
    delete: async ({ by, form, res }, application) => {
      assertNameTyped(application, form.text('delete_name'), 'delete_name');
      await deleteApplication(parts, by, application.id);
      return goTo(res, PORTAL_PATHS.overview, 'deleted');
    },
  };
  return {
    path: patternOf('settings'),
    show: async (visit, problems) => {
      const application = await ownApplication(store.db, visit);
      const { id, name } = application;
      return {
        title: `Settings of ${name}`,
        lead: html`Rename the application, transfer it, or delete it.`,
        note: own(DONE, visit.done ?? ''),
        application: { id, name },
        current: 'Settings',
        body: formsOf(application, visit, problems ?? {}),
      };
    },
    submit: async (visit) => {
      const application = await ownApplication(store.db, visit);
      const name = visit.form.text('action');
      const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
      if (action === undefined) throw problemAt('', 'The form was not complete. Send it again.');
      return action(visit, application);
    },
  };
}

/** Throws Refusal `bad_parameter` unless the name was typed, so that nobody transfers or deletes the wrong application. */
function assertNameTyped({ name }: Pick<OwnApplication, 'name'>, typed: string, field: string): void {
  const simple = (text: string) => text.normalize('NFC').trim().replace(/\s+/gu, ' ');
  if (simple(typed) !== simple(name)) throw problemAt(field, `Type the name of the application as it is: ${name}`);
}

function formsOf(application: OwnApplication, visit: PortalVisit, problems: Problems): Html {
  const { form, csrfToken } = visit;
  const { id, name, rotatesRefreshTokens } = application;
  const sent = form.text('action');
  const to = (action: string, more: Readonly<Record<string, string>> = {}) => ({
    ...{ path: pathOf(id, 'settings'), csrfToken: csrfToken(), hidden: { action, ...more } },
  });
  const typed = (field: string) => ({ name: field, value: form.text(field), problem: problems[field] });
  const nameHint = `To confirm, type ${name}`;
  return html`
      <h2>Name</h2>
      ${ownForm(
        to('rename'),
        html`${textField({
          ...{ name: 'name', label: 'Name', hint: 'Passengers see it when your application asks them for access.' },
          ...{ value: sent === 'rename' ? form.text('name') : name, problem: problems.name },
        })}
      ${button('Rename')}`,
      )}
      <h2>Refresh tokens</h2>
      <p>Rotation is ${rotatesRefreshTokens ? 'on' : 'off'}. With rotation, each renewal of an access token brings a new refresh token, and the old one
      stops working. If an old one is used again, somebody has copied it, and all tokens of that passenger’s consent end
      (<a href="https://www.rfc-editor.org/rfc/rfc9700#section-4.14.2">RFC 9700</a>). Turn it on only if your application saves each new refresh token.</p>
      ${ownForm(
        to('rotation', { rotation: rotatesRefreshTokens ? 'off' : 'on' }),
        button(`Turn rotation ${rotatesRefreshTokens ? 'off' : 'on'}`, 'plain'),
      )}
      <section class="risky" aria-labelledby="transfer">
      <h2 id="transfer">Transfer</h2>
      <p>Another developer becomes the owner, and you lose access to the application here. Its secrets stay valid, and you know them: the new
      owner should rotate both.</p>
      ${ownForm(
        to('transfer'),
        html`${textField({
          ...typed('developer'),
          ...{ label: 'Developer id of the new owner', hint: 'They find it on their account page of this portal.' },
        })}
      ${textField({ ...typed('transfer_name'), label: 'Name of the application', hint: nameHint })}
      ${button('Transfer the application', 'danger')}`,
      )}
      </section>
      <section class="risky" aria-labelledby="delete">
      <h2 id="delete">Delete</h2>
      <p>All of its tokens and codes end at once, and so do its sandboxes. Webhooks that wait are dropped, and no more are sent. This cannot be
      undone.</p>
      ${ownForm(
        to('delete'),
        html`${textField({ ...typed('delete_name'), label: 'Name of the application', hint: nameHint })}
      ${button('Delete the application', 'danger')}`,
      )}
      </section>`;
}
