import type { By } from '../../applications/by.ts';
import { renameApplication, switchRefreshRotation, transferApplication } from '../../applications/change.ts';
import { deleteApplication } from '../../applications/delete.ts';
import { own } from '../../domain/own.ts';
import { PORTAL_PATHS } from '../../links.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Parts } from '../../parts.ts';
import type { Problems } from '../../sign-in/views/form.ts';
import { goTo } from '../../site/page.ts';
import type { OwnApplication } from '../../store/applications.ts';
import { byOf, type PortalPage, type PortalVisit } from '../page.ts';
import { ownApplication } from './own.ts';
import { pathOf, patternOf, subjectOf } from './paths.ts';
import { problemAt, showingAt } from './problems.ts';
import { button, ownForm, textField } from './views/fields.ts';

const DONE: Readonly<Record<string, string>> = {
  renamed: 'Name saved.',
  rotation: 'Refresh token setting saved.',
};

/** One form each for the name, refresh tokens, transfer and deletion, distinguished by `action`. */
export function settingsPage(parts: Pick<Parts, 'store' | 'refusedDevelopers'>): PortalPage {
  const { store, refusedDevelopers } = parts;
  const path = ({ id }: Pick<OwnApplication, 'id'>) => pathOf(id, 'settings');
  const actions: Readonly<
    Record<string, (visit: PortalVisit, application: OwnApplication, by: By) => Promise<undefined>>
  > = {
    rename: async ({ form, res }, application, by) => {
      await showingAt('name', () => renameApplication(parts, by, application.id, form.text('name')));
      return goTo(res, path(application), 'renamed');
    },
    rotation: async ({ form, res }, application, by) => {
      const wanted = form.text('rotation');
      if (wanted !== 'on' && wanted !== 'off') throw problemAt('', 'The form was incomplete. Submit it again.');
      await switchRefreshRotation(parts, by, application.id, wanted === 'on');
      return goTo(res, path(application), 'rotation');
    },
    transfer: async ({ form, account: developer, res }, application, by) => {
      const newOwner = form.text('developer').trim();
      if (newOwner === '') throw problemAt('developer', 'Enter the new owner’s developer ID.');
      if (newOwner === developer.id)
        throw problemAt('developer', 'This is your own developer ID. Enter the new owner’s.');
      // an account that can't sign in could never give the app back
      if (refusedDevelopers.has(newOwner))
        throw problemAt('developer', 'No developer has this ID. Check it with the new owner.');
      assertNameTyped(application, form.text('transfer_name'), 'transfer_name');
      await showingAt('developer', () => transferApplication(parts, by, application.id, newOwner));
      return goTo(res, PORTAL_PATHS.overview, 'transferred');
    },
    delete: async ({ form, res }, application, by) => {
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
        title: `Settings for ${name}`,
        lead: html`Rename, transfer or delete this app.`,
        note: own(DONE, visit.done ?? ''),
        subject: subjectOf({ id, name }),
        current: 'Settings',
        body: formsOf(application, visit, problems ?? {}),
      };
    },
    submit: async (visit) => {
      const application = await ownApplication(store.db, visit);
      const name = visit.form.text('action');
      const action = own(actions, name);
      if (action === undefined) throw problemAt('', 'The form was incomplete. Submit it again.');
      return action(visit, application, byOf(visit));
    },
  };
}

/** Throws Refusal `bad_parameter` unless the typed name matches. Guards against changing the wrong application. */
function assertNameTyped({ name }: Pick<OwnApplication, 'name'>, typed: string, field: string): void {
  const simple = (text: string) => text.normalize('NFC').trim().replace(/\s+/gu, ' ');
  if (simple(typed) !== simple(name)) throw problemAt(field, `Type the app’s exact name: ${name}`);
}

function formsOf(application: OwnApplication, visit: PortalVisit, problems: Problems): Html {
  const { form, csrfToken } = visit;
  const { id, name, rotatesRefreshTokens } = application;
  const sent = form.text('action');
  const to = (action: string, more: Readonly<Record<string, string>> = {}) => ({
    ...{ path: pathOf(id, 'settings'), csrfToken: csrfToken(), hidden: { action, ...more } },
  });
  const typed = (field: string) => ({ name: field, value: form.text(field), problem: own(problems, field) });
  const nameHint = `Type “${name}” to confirm.`;
  return html`
      <h2>Name</h2>
      ${ownForm(
        to('rename'),
        html`${textField({
          ...{ name: 'name', label: 'Name', hint: 'Passengers see this name when your app asks for access.' },
          ...{ value: sent === 'rename' ? form.text('name') : name, problem: problems.name },
        })}
      ${button('Rename')}`,
      )}
      <h2>Refresh tokens</h2>
      <p>Rotation is ${rotatesRefreshTokens ? 'on' : 'off'}. With rotation, each refresh returns a new refresh token and invalidates the old one.
      If an old token is used again, it may have been stolen, so we revoke all tokens of that passenger’s consent
      (<a href="https://www.rfc-editor.org/rfc/rfc9700#section-4.14.2">RFC 9700</a>). Turn rotation on only if your app stores each new refresh token.</p>
      ${ownForm(
        to('rotation', { rotation: rotatesRefreshTokens ? 'off' : 'on' }),
        button(`Turn rotation ${rotatesRefreshTokens ? 'off' : 'on'}`, 'plain'),
      )}
      <section class="risky" aria-labelledby="transfer">
      <h2 id="transfer">Transfer</h2>
      <p>Another developer becomes the owner, and you lose access to the app. Its secrets stay valid. Because you know them, the new
      owner should rotate both.</p>
      ${ownForm(
        to('transfer'),
        html`${textField({
          ...typed('developer'),
          ...{ label: 'New owner’s developer ID', hint: 'They can find it on their account page in this portal.' },
        })}
      ${textField({ ...typed('transfer_name'), label: 'App name', hint: nameHint })}
      ${button('Transfer app', 'danger')}`,
      )}
      </section>
      <section class="risky" aria-labelledby="delete">
      <h2 id="delete">Delete</h2>
      <p>This revokes the app’s tokens and codes right away. Pending webhooks are dropped, and no more are sent. We delete the app’s
      sandboxes soon afterwards. You can’t undo this.</p>
      ${ownForm(
        to('delete'),
        html`${textField({ ...typed('delete_name'), label: 'App name', hint: nameHint })}
      ${button('Delete app', 'danger')}`,
      )}
      </section>`;
}
