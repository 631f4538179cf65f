import { type Rotated, rotateSecret, secretMadeAt } from '../../applications/secrets.ts';
import type { Environment } from '../../domain/application.ts';
import { own } from '../../http/own.ts';
import { type Html, html } from '../../pages/html.ts';
import { momentOf } from '../../pages/moment.ts';
import type { Parts } from '../../parts.ts';
import type { OwnApplication } from '../../store/applications.ts';
import { goTo, type PortalContent, type PortalPage, type PortalVisit, type Problems } from '../page.ts';
import { secretState } from './application.ts';
import { ENVIRONMENTS, environmentIn } from './environments.ts';
import { ownApplication } from './own.ts';
import { pathOf, patternOf } from './paths.ts';
import { problemAt, showingAt } from './problems.ts';
import { literal, secretFacts } from './views/facts.ts';
import { type Choice, choiceField } from './views/fields.ts';
import { button, ownForm } from './views/own-form.ts';
import { tokenRules } from './views/token-rules.ts';

/** How long a secret can stay valid beside the new one, in hours. */
const OVERLAPS: readonly Choice[] = [
  { value: '0', label: 'It ends at once' },
  { value: '1', label: 'It stays valid for an hour' },
  { value: '24', label: 'It stays valid for 24 hours' },
];

const DONE: Readonly<Record<string, string>> = {
  'rotated-already':
    'The secret was rotated when the form was sent before. The new one was shown then and cannot be shown again. If you do not have it, rotate once more.',
};

/** Replaces each secret by itself. The new one is shown once, in the response to the form. */
export function secretsPage(parts: Pick<Parts, 'store' | 'randomBytes'>): PortalPage {
  const { store } = parts;
  return {
    path: patternOf('secrets'),
    show: async (visit, problems = {}) => {
      const application = await ownApplication(store.db, visit);
      const { id, name } = application;
      return {
        title: `Secrets of ${name}`,
        lead: html`Rotate a secret if somebody else may know it.`,
        note: own(DONE, visit.done ?? ''),
        application: { id, name },
        current: 'Secrets',
        body: html`${ENVIRONMENTS.map((environment) => rotation(application, environment, visit, problems))}
      ${tokenRules()}`,
      };
    },
    submit: async (visit) => {
      const { form, by, res } = visit;
      const { id, name } = await ownApplication(store.db, visit);
      const environment = environmentIn(form.text('environment'));
      const madeAt = form.text('made_at');
      if (environment === null || !/^\d{1,15}$/.test(madeAt))
        throw problemAt('', 'The form was not complete. Send it again.');
      const field = overlapField(environment);
      const hours = form.text(field);
      if (!OVERLAPS.some(({ value }) => value === hours))
        throw problemAt(field, 'Choose how long the old secret stays valid.');
      const change = { environment, overlapHours: Number(hours), madeAt: Number(madeAt) };
      const rotated = await showingAt(field, () => rotateSecret(parts, by, id, change));
      if (rotated === null) return goTo(res, pathOf(id, 'secrets'), 'rotated-already');
      return rotatedContent({ id, name }, environment, rotated);
    },
  };
}

/** A field of each form, as ids are unique on a page. */
function overlapField(environment: Environment): string {
  return `${environment}_overlap_hours`;
}

function rotation(
  application: OwnApplication,
  environment: Environment,
  { form, by, csrfToken }: PortalVisit,
  problems: Problems,
): Html {
  const name = overlapField(environment);
  const hidden = { environment, made_at: String(secretMadeAt(application, environment)) };
  const chosen = form.text(name);
  return html`<section aria-labelledby="${environment}">
      <h2 id="${environment}">${TITLES[environment]}</h2>
      <p>${CAPITAL[environment]} secret: ${secretState(application, environment, by.realNow)}.</p>
      ${ownForm(
        { path: pathOf(application.id, 'secrets'), csrfToken: csrfToken(), hidden },
        html`${choiceField({
          ...{ name, label: 'The old secret', choices: OVERLAPS, problem: problems[name] },
          hint: 'A secret that was rotated before ends at once in any case.',
          value: OVERLAPS.some(({ value }) => value === chosen) ? chosen : '0',
        })}
      ${button(`Rotate the ${environment} secret`)}`,
      )}
      </section>`;
}

const CAPITAL = { live: 'Live', sandbox: 'Sandbox' } as const satisfies Record<Environment, string>;
const TITLES = { live: 'Live rides', sandbox: 'Sandboxes' } as const satisfies Record<Environment, string>;

function rotatedContent(
  { id, name }: Pick<OwnApplication, 'id' | 'name'>,
  environment: Environment,
  { secret, verificationToken, previousEndsAt }: Rotated,
): PortalContent {
  const old =
    previousEndsAt === null
      ? html`The old secret has ended.`
      : html`The old secret is valid until ${momentOf(previousEndsAt)}.`;
  return {
    title: 'Keep this secret now',
    lead: html`The ${environment} secret of ${name} is rotated. The new one is shown here this once: we keep no copy that we could show again.`,
    application: { id, name },
    current: 'Secrets',
    body: html`
      ${secretFacts([
        [`New ${environment} secret`, literal(secret)],
        [`New ${environment} verification token`, literal(verificationToken)],
      ])}
      <p>${old} Webhooks are signed with the new verification token from now on, and for 24 hours with the old one too.</p>
      <p><a href="${pathOf(id, 'secrets')}">Back to the secrets</a></p>`,
  };
}
