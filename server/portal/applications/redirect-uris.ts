import { changeRedirectUris } from '../../applications/change.ts';
import { MOST_REDIRECT_URIS, redirectUrisFrom } from '../../applications/rules.ts';
import { html } from '../../pages/html.ts';
import type { Parts } from '../../parts.ts';
import { goTo } from '../../site/page.ts';
import { byOf, type PortalPage } from '../page.ts';
import { REDIRECT_URIS_HINT } from './new.ts';
import { ownApplication } from './own.ts';
import { pathOf, patternOf, subjectOf } from './paths.ts';
import { checkFields, problemAt, problemOf } from './problems.ts';
import { button, linesField, ownForm } from './views/fields.ts';

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

export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}

/** Throws Refusal `bad_parameter` that names each invalid line, each on a line of its own. */
export function checkRedirectLines(text: string): void {
  const firstLineOf = new Map<string, number>();
  for (const [index, line] of linesOf(text).entries()) {
    const uri = line.trim();
    if (uri !== '' && !firstLineOf.has(uri)) firstLineOf.set(uri, index + 1);
  }
  // report too many URIs as one problem, not one per line
  const shown = firstLineOf.size <= MOST_REDIRECT_URIS ? [...firstLineOf] : [];
  const wrong = shown.flatMap(([uri, line]) => {
    const problem = problemOf(() => redirectUrisFrom([uri]));
    return problem === null ? [] : [`Line ${line}: ${problem}`];
  });
  if (wrong.length > 0) throw problemAt('redirect_uris', wrong.join('\n'));
  redirectUrisFrom([...firstLineOf.keys()]);
}
