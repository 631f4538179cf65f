import { testWebhook } from '../../applications/test-event.ts';
import { changeWebhook, webhookUrlOf } from '../../applications/webhook.ts';
import type { Environment } from '../../domain/application.ts';
import { endTurn } from '../../http/calls-at-once.ts';
import { own } from '../../http/own.ts';
import { testEventThrottle } from '../../http/test-event-throttle.ts';
import { type Html, html, NOTHING } from '../../pages/html.ts';
import type { Parts } from '../../parts.ts';
import type { OwnApplication } from '../../store/applications.ts';
import type { Sender } from '../../webhooks/delivery/send.ts';
import { openTestEvents } from '../../webhooks/delivery/test-event.ts';
import { goTo, type PortalContent, type PortalPage, type PortalVisit, type Problems } from '../page.ts';
import { ENVIRONMENTS, environmentIn, verificationTokenOf } from './environments.ts';
import { ownApplication } from './own.ts';
import { pathOf, patternOf } from './paths.ts';
import { problemAt, showingAt } from './problems.ts';
import { facts, literal } from './views/facts.ts';
import { textField } from './views/fields.ts';
import { button, ownForm } from './views/own-form.ts';
import { testResult } from './views/test-result.ts';
import { tokenRules } from './views/token-rules.ts';
import { webhookState } from './views/webhook-state.ts';

type WebhookParts = Pick<
  Parts,
  'store' | 'randomBytes' | 'webhookTargets' | 'publicUrl' | 'throttles' | 'rateLimitMultiplier' | 'now'
> & { readonly sender: Sender };

const DONE: Readonly<Record<string, string>> = {
  'live-changed': 'The live webhook URL is changed, and the live verification token with it: it is the new one below.',
  'sandbox-changed':
    'The sandbox webhook URL is changed, and the sandbox verification token with it: it is the new one below.',
  same: 'The webhook URL was this one already, so the verification token stays as it is.',
};

/** Each webhook URL, with its verification token and a test event. */
export function webhooksPage(parts: WebhookParts): PortalPage {
  const { store } = parts;
  const test = testWebhook({
    store,
    send: openTestEvents(parts, parts.sender),
    count: testEventThrottle(parts),
  });
  const show = async (visit: PortalVisit, problems: Problems = {}): Promise<PortalContent> => {
    const application = await ownApplication(store.db, visit);
    const { id, name } = application;
    return {
      title: `Webhooks of ${name}`,
      lead: html`Webhooks tell your application when something happens to a ride that it requested.`,
      note: own(DONE, visit.done ?? ''),
      application: { id, name },
      current: 'Webhooks',
      body: html`${ENVIRONMENTS.map((environment) => webhook(application, environment, visit, problems))}
      ${tokenRules()}`,
    };
  };
  const sendTest = async (visit: PortalVisit, id: string, environment: Environment): Promise<PortalContent> => {
    // a receiver that never answers must not keep the requests of others waiting
    endTurn(visit.res.req);
    const result = await showingAt(urlField(environment), () => test(visit.by, id, environment));
    if ('waitSeconds' in result) {
      visit.res.set('Retry-After', String(result.waitSeconds));
      throw result.refusal;
    }
    const shown = await show(visit);
    return { ...shown, body: html`${testResult(result, environment)}${shown.body}` };
  };
  return {
    path: patternOf('webhooks'),
    show,
    submit: async (visit) => {
      const { form, by, res } = visit;
      const { id } = await ownApplication(store.db, visit);
      const environment = environmentIn(form.text('environment'));
      const action = form.text('action');
      if (environment === null || !['set', 'test'].includes(action))
        throw problemAt('', 'The form was not complete. Send it again.');
      if (action === 'test') return sendTest(visit, id, environment);
      const field = urlField(environment);
      const change = { environment, url: form.text(field) };
      const isChanged = await showingAt(field, () => changeWebhook(parts, by, id, change));
      return goTo(res, pathOf(id, 'webhooks'), isChanged ? `${environment}-changed` : 'same');
    },
  };
}

/** A field of each form, as ids are unique on a page. */
function urlField(environment: Environment): string {
  return environment === 'live' ? 'webhook_url' : 'sandbox_webhook_url';
}

function webhook(
  application: OwnApplication,
  environment: Environment,
  { form, by, csrfToken }: PortalVisit,
  problems: Problems,
): Html {
  const name = urlField(environment);
  const url = webhookUrlOf(application, environment) ?? '';
  const problem = problems[name];
  const isTyped = form.text('environment') === environment && form.text('action') === 'set';
  const to = { path: pathOf(application.id, 'webhooks'), csrfToken: csrfToken() };
  const { title, hint } = WORDS[environment];
  return html`<section aria-labelledby="${environment}">
      <h2 id="${environment}">${title}</h2>
      ${environment === 'live' ? webhookState(application, by.realNow) : NOTHING}
      ${facts([['Verification token', literal(verificationTokenOf(application, environment))]])}
      ${ownForm(
        { ...to, hidden: { environment, action: 'set' } },
        html`${textField({
          ...{ name, label: 'Webhook URL', hint, problem, isUrl: true, isOptional: true },
          value: isTyped && problem !== undefined ? form.text(name) : url,
        })}
      ${button(`Save the ${environment} URL`)}`,
      )}
      ${
        url === ''
          ? NOTHING
          : ownForm(
              { ...to, hidden: { environment, action: 'test' } },
              button(`Send a test event to the ${environment} URL`, 'plain'),
            )
      }
      </section>`;
}

const WORDS = {
  live: {
    title: 'Live rides',
    hint: 'News of live rides goes here. Leave it empty to get none. Another URL changes the live verification token.',
  },
  sandbox: {
    title: 'Sandboxes',
    hint: 'News of the rides in your sandboxes goes here, unless a sandbox has a URL of its own. Another URL changes the sandbox verification token.',
  },
} as const satisfies Record<Environment, unknown>;
