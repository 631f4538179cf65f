import { changeRedirectUris } from '../../applications/change.ts';
import { MOST_REDIRECT_URIS } from '../../applications/rules.ts';
import { html } from '../../pages/html.ts';
import type { Parts } from '../../parts.ts';
import { goTo } from '../../site/page.ts';
import { byOf, type PortalPage } from '../page.ts';
import { REDIRECT_URIS_HINT } from './new.ts';
import { ownApplication } from './own.ts';
import { pathOf, patternOf, subjectOf } from './paths.ts';
import { checkFields } from './problems.ts';
import { checkRedirectLines, linesOf } from './redirect-lines.ts';
import { linesField } from './views/fields.ts';
import { button, ownForm } from './views/own-form.ts';

const FIELD = 'redirect_uris';

/** Edits where passengers can be redirected to. */
export function redirectUrisPage({ store }: Pick<Parts, 'store'>): PortalPage {
  return {
    path: patternOf('redirect-uris'),
    show: async (visit, problems) => {
      const { form, csrfToken, done } = visit;
      const { id, name, redirectUris } = await ownApplication(store.db, visit);
      return {
        title: `Redirect URIs for ${name}`,
        lead: html`Passengers return to one of these URIs after they allow or deny access.`,
        ...(done === 'saved' && { note: 'Redirect URIs saved.' }),
        subject: subjectOf({ id, name }),
        current: 'Redirect URIs',
        body: ownForm(
          { path: pathOf(id, 'redirect-uris'), csrfToken: csrfToken() },
          html`${linesField({
            ...{ name: FIELD, label: 'Redirect URIs', hint: REDIRECT_URIS_HINT, rows: MOST_REDIRECT_URIS },
            value: problems === undefined ? redirectUris.join('\n') : form.text(FIELD),
            problem: problems?.[FIELD],
          })}
      <p class="quiet">Up to ${MOST_REDIRECT_URIS}. If you remove a URI, codes already sent to it still work.</p>
      ${button('Save')}`,
        ),
      };
    },
    submit: async (visit) => {
      const { form, res } = visit;
      const { id } = await ownApplication(store.db, visit);
      checkFields({ [FIELD]: () => checkRedirectLines(form.text(FIELD)) });
      await changeRedirectUris({ store }, byOf(visit), id, linesOf(form.text(FIELD)));
      return goTo(res, pathOf(id, 'redirect-uris'), 'saved');
    },
  };
}
