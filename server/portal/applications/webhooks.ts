import { testWebhook } from '../../applications/test-event.ts';
import { changeWebhook } from '../../applications/webhook.ts';
import { type Environment, FIELDS } from '../../domain/application.ts';
import { own } from '../../domain/own.ts';
import { SECOND_MS } from '../../domain/time.ts';
import { endTurn } from '../../http/calls-at-once.ts';
import { testEventThrottle } from '../../http/test-event-throttle.ts';
import { type Html, html, momentOf, NOTHING, section } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import type { Problems } from '../../sign-in/views/form.ts';
import { type Content, goTo, incompleteForm } from '../../site/site.ts';
import type { ShownApplication } from '../../store/applications.ts';
import { verdictOnPort } from '../../webhooks/delivery/ports.ts';
import type { Sender } from '../../webhooks/delivery/send.ts';
import { standardSecret } from '../../webhooks/delivery/signature.ts';
import { openTestEvents, type TestEventOutcome } from '../../webhooks/delivery/test-event.ts';
import { byOf, ownPage, type PortalPage, type PortalVisit, pathOf } from '../page.ts';
import { failedNote, listPath } from './delivery-views.ts';
import { ENVIRONMENTS, environmentIn, TITLES, tokenRules, webhookState } from './environments.ts';
import { showingAt } from './problems.ts';
import { button, facts, literal, textField, textView } from './views.ts';

export type WebhookParts = Pick<
  Parts,
  'store' | 'randomBytes' | 'webhookTargets' | 'publicUrl' | 'throttles' | 'rateLimitMultiplier' | 'now'
> & {
  /** Shared with deliveries, so test events take the same path. */
  readonly sender: Sender;
};

export function webhooksPage(parts: WebhookParts): PortalPage {
  const test = testWebhook({
    store: parts.store,
    send: openTestEvents(parts, parts.sender),
    count: testEventThrottle(parts),
  });
  const sendTest = async (visit: PortalVisit, id: string, environment: Environment): Promise<Content> => {
    // a receiver that never responds must not block other requests
    endTurn(visit.res.req);
    const result = await showingAt(urlField(environment), () => test(byOf(visit), id, environment));
    if ('waitSeconds' in result) {
      visit.res.set('Retry-After', String(result.waitSeconds));
      throw result.refusal;
    }
    const shown = await page.show(visit);
    return { ...shown, body: html`${testResult(result, environment)}${shown.body}` };
  };
  const page = ownPage(parts, {
    page: 'webhooks',
    done: DONE,
    show: async (application, visit, problems = {}) => ({
      title: `Webhooks for ${application.name}`,
      lead: html`We send webhooks when something happens to a ride your application requested. <a href="/docs">The docs</a> list the events.`,
      body: html`${await failedNote(parts, application, visit.visitor.realNow)}
      <p><a href="${listPath(application)}">See what was sent</a>, with each attempt and your receiver’s answer.</p>
      ${ENVIRONMENTS.map((environment) => webhook(application, environment, visit, problems, parts.sender.outdatedPortsUntil))}
      ${tokenRules()}`,
    }),
    submit: async ({ id }, visit) => {
      const { form, res } = visit;
      const environment = environmentIn(form);
      const action = form.text('action');
      if (action === 'test') return sendTest(visit, id, environment);
      if (action !== 'set') throw incompleteForm();
      const field = urlField(environment);
      const change = { environment, url: form.text(field) };
      const isChanged = await showingAt(field, () => changeWebhook(parts, byOf(visit), id, change));
      return goTo(res, pathOf(id, 'webhooks'), isChanged ? `${environment}-changed` : 'same');
    },
  });
  return page;
}

/** Tells whether a URL that was saved before the rules about ports still receives, and until when. */
export function portWarning(url: string, until: number, realNow: number): Html {
  const { port } = new URL(url);
  const verdict = verdictOnPort({ port });
  if (verdict === 'allowed') return NOTHING;
  const isServed = verdict === 'outdated' && realNow < until;
  const consequence = isServed
    ? html`We send webhooks to this URL until ${momentOf(until)}. Change the URL before then.`
    : html`We send no webhooks to this URL. Change it.`;
  return html`<p class="problem">Port ${port} is no longer allowed. ${consequence}</p>`;
}

const DONE = {
  'live-changed': 'Live webhook URL saved. The live verification token has changed too. Copy the new token below.',
  'sandbox-changed':
    'Sandbox webhook URL saved. The sandbox verification token has changed too. Copy the new token below.',
  same: 'The webhook URL and the verification token are unchanged.',
};

/** A name per form, because IDs must be unique on a page. */
function urlField(environment: Environment): string {
  return environment === 'live' ? 'webhook_url' : 'sandbox_webhook_url';
}

function webhook(
  application: ShownApplication,
  environment: Environment,
  { form, visitor, ownForm }: PortalVisit,
  problems: Problems,
  outdatedPortsUntil: number,
): Html {
  const name = urlField(environment);
  const url = application[FIELDS[environment].webhookUrl] ?? '';
  const token = application[FIELDS[environment].verificationToken];
  const problem = own(problems, name);
  const isTyped = form.text('environment') === environment && form.text('action') === 'set';
  const hint = HINTS[environment];
  const body = html`${environment === 'live' ? webhookState(application, visitor.realNow) : NOTHING}
      ${facts([
        ['Verification token', literal(token)],
        ['Signing secret for libraries of Standard Webhooks', literal(standardSecret(token))],
      ])}
      ${url === '' ? NOTHING : portWarning(url, outdatedPortsUntil, visitor.realNow)}
      ${ownForm(
        html`${textField({
          ...{ name, label: 'Webhook URL', hint, problem, isUrl: true, isOptional: true },
          value: isTyped && problem !== undefined ? form.text(name) : url,
        })}
      ${button(`Save ${environment} URL`)}`,
        { environment, action: 'set' },
      )}
      ${url === '' ? NOTHING : ownForm(button(`Send ${environment} test event`, 'plain'), { environment, action: 'test' })}`;
  return section(environment, TITLES[environment], body);
}

const HINTS: Readonly<Record<Environment, string>> = {
  live: 'Receives events about live rides. Leave it empty to receive none. A new URL changes the live verification token.',
  sandbox:
    'Receives events about rides in your sandboxes. A sandbox can override it with its own URL. A new URL changes the sandbox verification token.',
};

function testResult(outcome: TestEventOutcome, environment: Environment): Html {
  const { url, startedAt, durationMs, status, answer, error, delivered } = outcome;
  return html`<section aria-labelledby="test" class="result${delivered ? html`` : html` failed`}">
      <h2 id="test">Test event ${delivered ? 'delivered' : 'failed'}</h2>
      <p role="status">${sentenceOf(outcome, environment)}</p>
      ${facts([
        ['Sent to', literal(url)],
        ['Sent at', momentOf(startedAt)],
        ['Duration', html`${(durationMs / SECOND_MS).toFixed(2)} seconds`],
        ['Status', html`${status ?? 'none'}`],
        ...(error === null ? [] : [['Error', html`${error}`] as const]),
      ])}
      ${textView('answer', 'Start of the response', answer ?? '', true)}
      ${textView('sent', 'Request body', JSON.stringify(JSON.parse(outcome.body), null, 2))}
      </section>`;
}

function sentenceOf({ delivered, status }: TestEventOutcome, environment: Environment): string {
  if (delivered) return `The ${environment} URL accepted the event.`;
  if (status === null) return `We got no valid response from the ${environment} URL.`;
  return `The ${environment} URL rejected the event. To accept an event, return a status from 200 to 299.`;
}
