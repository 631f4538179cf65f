import { changeRedirectUris } from '../../applications/change.ts';
import { MOST_REDIRECT_URIS, redirectUrisFrom } from '../../applications/rules.ts';
import { wrongField } from '../../domain/refusal.ts';
import { html } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import { goTo } from '../../site/site.ts';
import { byOf, ownPage, type PortalPage, pathOf } from '../page.ts';
import { checkFields, problemOf } from './problems.ts';
import { button, linesField } from './views.ts';

const FIELD = 'redirect_uris';

export const REDIRECT_URIS_HINT =
  'Where passengers return after they allow or deny access. Enter one URI per line, exactly as your application sends it, such as https://app.example.com/callback.';

export function redirectUrisPage(parts: Pick<Parts, 'store'>): PortalPage {
  return ownPage(parts, {
    page: 'redirect-uris',
    done: { saved: 'Redirect URIs saved.' },
    show: ({ name, redirectUris }, { form, ownForm }, problems) => ({
      title: `Redirect URIs for ${name}`,
      lead: html`Passengers return to one of these URIs after they allow or deny access.`,
      body: ownForm(html`${linesField({
        ...{ name: FIELD, label: 'Redirect URIs', hint: REDIRECT_URIS_HINT, rows: MOST_REDIRECT_URIS },
        value: problems === undefined ? redirectUris.join('\n') : form.text(FIELD),
        problem: problems?.[FIELD],
      })}
      <p class="quiet">Up to ${MOST_REDIRECT_URIS}. If you remove a URI, codes already sent to it still work.</p>
      ${button('Save')}`),
    }),
    submit: async ({ id }, visit) => {
      const text = visit.form.text(FIELD);
      checkFields({ [FIELD]: () => checkRedirectLines(text) });
      await changeRedirectUris(parts, byOf(visit), id, linesOf(text));
      return goTo(visit.res, pathOf(id, 'redirect-uris'), 'saved');
    },
  });
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
  if (wrong.length > 0) throw wrongField('redirect_uris', wrong.join('\n'));
  redirectUrisFrom([...firstLineOf.keys()]);
}
