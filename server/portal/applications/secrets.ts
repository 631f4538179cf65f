import { type Rotated, rotateSecret } from '../../applications/secrets.ts';
import { type Environment, FIELDS } from '../../domain/application.ts';
import { own } from '../../domain/own.ts';
import { wrongField } from '../../domain/refusal.ts';
import { type Html, html, momentOf, section } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import type { Problems } from '../../sign-in/views/form.ts';
import { type Content, goTo, incompleteForm } from '../../site/site.ts';
import type { ShownApplication } from '../../store/applications.ts';
import { byOf, LABELS, ownPage, type PortalPage, type PortalVisit, pathOf, subjectOf } from '../page.ts';
import { ENVIRONMENTS, environmentIn, secretState, TITLES, tokenRules } from './environments.ts';
import { showingAt } from './problems.ts';
import { button, choiceField, literal, secretFacts } from './views.ts';

/** How long the current secret stays valid after a rotation, in hours. */
const OVERLAPS = { '0': 'Expires immediately', '1': 'Expires in 1 hour', '24': 'Expires in 24 hours' };

/** Rotates each secret separately. Shows the new secret once, in the response to the form. */
export function secretsPage(parts: Pick<Parts, 'store' | 'randomBytes'>): PortalPage {
  return ownPage(parts, {
    page: 'secrets',
    done: {
      'rotated-already':
        'You already rotated this secret with this form. The new secret was shown then and can’t be shown again. If you don’t have it, rotate again.',
    },
    show: (application, visit, problems = {}) => ({
      title: `Client secrets for ${application.name}`,
      lead: html`Rotating replaces a secret with a new one. Do it if someone else may have seen the secret.`,
      body: html`${ENVIRONMENTS.map((environment) => rotation(application, environment, visit, problems))}
      ${tokenRules()}`,
    }),
    submit: async (application, visit) => {
      const { form, res } = visit;
      const environment = environmentIn(form);
      const madeAt = form.text('made_at');
      if (!/^\d{1,15}$/.test(madeAt)) throw incompleteForm();
      const field = overlapField(environment);
      const hours = form.text(field);
      if (!Object.hasOwn(OVERLAPS, hours)) throw wrongField(field, 'Choose when the current secret expires.');
      const change = { environment, overlapHours: Number(hours), madeAt: Number(madeAt) };
      const rotated = await showingAt(field, () => rotateSecret(parts, byOf(visit), application.id, change));
      if (rotated === null) return goTo(res, pathOf(application.id, 'secrets'), 'rotated-already');
      return rotatedContent(application, environment, rotated);
    },
  });
}

/** A name per form, because IDs must be unique on a page. */
function overlapField(environment: Environment): string {
  return `${environment}_overlap_hours`;
}

function rotation(
  application: ShownApplication,
  environment: Environment,
  { form, visitor, ownForm }: PortalVisit,
  problems: Problems,
): Html {
  const name = overlapField(environment);
  const hidden = { environment, made_at: String(application[FIELDS[environment].secretMadeAt]) };
  const chosen = form.text(name);
  const body = html`<p>${CAPITAL[environment]} client secret: ${secretState(application, environment, visitor.realNow)}.</p>
      ${ownForm(
        html`${choiceField({
          ...{ name, label: 'Current secret', choices: OVERLAPS, problem: own(problems, name) },
          hint: 'After a rotation, only this secret can stay valid alongside the new one. If the secret before it is still valid, that one expires immediately.',
          value: Object.hasOwn(OVERLAPS, chosen) ? chosen : '0',
        })}
      ${button(`Rotate ${environment} secret`)}`,
        hidden,
      )}`;
  return section(environment, TITLES[environment], body);
}

const CAPITAL: Readonly<Record<Environment, string>> = { live: 'Live', sandbox: 'Sandbox' };

function rotatedContent(
  { id, name }: Pick<ShownApplication, 'id' | 'name'>,
  environment: Environment,
  { secret, verificationToken, previousEndsAt }: Rotated,
): Content {
  const old =
    previousEndsAt === null
      ? html`The old secret no longer works.`
      : html`The old secret is valid until ${momentOf(previousEndsAt)}.`;
  return {
    title: 'Save this secret now',
    lead: html`You rotated the ${environment} client secret of ${name}. Copy the new secret now: you won’t see it again.`,
    subject: subjectOf({ id, name }),
    current: LABELS.secrets,
    body: html`
      ${secretFacts([
        [`New ${environment} client secret`, literal(secret)],
        [`New ${environment} verification token`, literal(verificationToken)],
      ])}
      <p>${old} We now sign ${environment} webhooks with the new verification token. For 24 hours, we also sign them with the old one.</p>
      <p><a href="${pathOf(id, 'secrets')}">Back to secrets</a></p>`,
  };
}
