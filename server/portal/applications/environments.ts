import { type Environment, FIELDS } from '../../domain/application.ts';
import { isFailing } from '../../domain/webhooks/failing.ts';
import { type Html, html, momentOf } from '../../pages/page.ts';
import { type Form, incompleteForm } from '../../site/site.ts';
import type { ShownApplication } from '../../store/applications.ts';

export const ENVIRONMENTS = ['live', 'sandbox'] as const satisfies readonly Environment[];

export const TITLES: Readonly<Record<Environment, string>> = { live: 'Live rides', sandbox: 'Sandboxes' };

/** The environment that a form names. Throws Refusal `bad_parameter` for an unknown one. */
export function environmentIn(form: Form): Environment {
  const named = form.text('environment');
  const environment = ENVIRONMENTS.find((known) => known === named);
  if (environment === undefined) throw incompleteForm();
  return environment;
}

/** When a secret was created, and how long the previous one stays valid. */
export function secretState(application: ShownApplication, environment: Environment, realNow: number): Html {
  const { secretMadeAt, previousSecretEndsAt } = FIELDS[environment];
  const endsAt = application[previousSecretEndsAt];
  const made = html`created on ${momentOf(application[secretMadeAt])}`;
  if (endsAt === null || endsAt <= realNow) return made;
  return html`${made}; the previous secret is valid until ${momentOf(endsAt)}`;
}

export function webhookState(
  { webhookUrl, webhookFailingSince }: Pick<ShownApplication, 'webhookUrl' | 'webhookFailingSince'>,
  realNow: number,
): Html {
  if (webhookUrl === null) return html`<p>Set a live webhook URL to receive events about live rides.</p>`;
  if (webhookFailingSince === null) return html`<p>The live webhook isn’t failing now.</p>`;
  const since = momentOf(webhookFailingSince);
  if (!isFailing(webhookFailingSince, realNow))
    return html`<p>No live webhook has been delivered since ${since}. Check the server at the live webhook URL.
      We keep sending new events.</p>`;
  return html`<div class="problem">
        <p><strong>The live webhook is failing. Nothing has been delivered since ${since}.</strong> We keep sending new events, but we stop retrying
        an event after two minutes.</p>
        <ul>
          <li>Check that the server at the URL is running and returns a status from 200 to 299 within 10 seconds.</li>
          <li>Send a test event to see the response.</li>
          <li>If the server no longer exists, change the URL or clear it.</li>
        </ul>
      </div>`;
}

export function tokenRules(): Html {
  return html`<p class="quiet">We sign live webhooks with the live verification token and sandbox webhooks with the sandbox verification token.
      A token changes when you rotate that environment’s client secret or change its webhook URL. For 24 hours after a change, we sign
      with both the new and the previous token.</p>`;
}
