import { createHash } from 'node:crypto';
import { OPERATIONS } from '../../../generated/server.ts';
import { type Created, createApplication, newClientId } from '../../applications/create.ts';
import { assertNoDisguise, nameFrom } from '../../applications/names.ts';
import { webhookUrlFrom } from '../../applications/rules.ts';
import { own } from '../../domain/own.ts';
import { Refusal } from '../../domain/refusal.ts';
import { HOUR_SECONDS } from '../../domain/time.ts';
import type { Limit } from '../../limits/throttle.ts';
import { PORTAL_PATHS } from '../../links.ts';
import { html } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import { waitInWords } from '../../sign-in/failure-page.ts';
import { type Content, goTo, incompleteForm } from '../../site/site.ts';
import { APPLICATIONS, byOf, type PortalPage, type PortalVisit, pathOf, subjectOf } from '../page.ts';
import { checkFields } from './problems.ts';
import { checkRedirectLines, linesOf, REDIRECT_URIS_HINT } from './redirect-uris.ts';
import { button, linesField, literal, secretFacts, textField } from './views.ts';

type NewParts = Pick<
  Parts,
  'store' | 'randomBytes' | 'webhookTargets' | 'publicUrl' | 'throttles' | 'rateLimitMultiplier'
>;

/**
 * New applications of a developer, including deleted ones. Needed despite MOST_APPLICATIONS: a deleted application
 * frees its place before the sweep removes its data.
 * @beyond a page with 429 and `Retry-After`
 * @heldBy tests/portal/applications.test.ts
 */
const NEW_APPLICATION_LIMITS: readonly Limit<PortalVisit['account']>[] = [
  { attempts: 100, windowSeconds: HOUR_SECONDS, keyOf: ({ id }) => id },
];

/** Creates an application. Shows its secrets once, in the response to the form. */
export function newPage(parts: NewParts): PortalPage {
  const { randomBytes, webhookTargets, publicUrl, throttles, rateLimitMultiplier } = parts;
  const count = throttles.throttle('new-applications', NEW_APPLICATION_LIMITS, rateLimitMultiplier);
  return {
    path: PORTAL_PATHS.newApplication,
    show: ({ form, ownForm }, problems = {}) => {
      const formId = form.text('form_id');
      // submitting the form twice creates one application
      const hidden = { form_id: isFormId(formId) ? formId : newClientId(randomBytes) };
      const field = (name: string, label: string, hint: string) => ({
        ...{ name, label, hint, value: form.text(name), problem: own(problems, name) },
      });
      return {
        title: 'New application',
        lead: html`You can change everything later.`,
        current: APPLICATIONS,
        body: ownForm(
          html`${textField(field('name', 'Name', 'Passengers see this name when your application asks for access.'))}
      ${linesField({ ...field('redirect_uris', 'Redirect URIs', REDIRECT_URIS_HINT), rows: 3 })}
      ${textField({ ...field('webhook_url', 'Live webhook URL (optional)', 'Receives events about live rides.'), isUrl: true, isOptional: true })}
      ${textField({ ...field('sandbox_webhook_url', 'Sandbox webhook URL (optional)', 'Receives events about rides in your sandboxes.'), isUrl: true, isOptional: true })}
      ${button('Create application')}`,
          hidden,
        ),
      };
    },
    submit: async (visit) => {
      const { form, account: developer, res } = visit;
      const formId = form.text('form_id');
      if (!isFormId(formId)) throw incompleteForm();
      const wanted = {
        name: form.text('name'),
        redirectUris: linesOf(form.text('redirect_uris')),
        webhookUrl: form.text('webhook_url'),
        sandboxWebhookUrl: form.text('sandbox_webhook_url'),
      };
      checkFields({
        name: () => assertNoDisguise(nameFrom(wanted.name)),
        redirect_uris: () => checkRedirectLines(form.text('redirect_uris')),
        webhook_url: () => webhookUrlFrom(wanted.webhookUrl, 'webhook_url', webhookTargets),
        sandbox_webhook_url: () => webhookUrlFrom(wanted.sandboxWebhookUrl, 'sandbox_webhook_url', webhookTargets),
      });
      const verdict = await count(developer);
      if ('waitSeconds' in verdict) {
        res.set('Retry-After', String(verdict.waitSeconds));
        const sentence = `You’ve created too many applications in the last hour. Wait ${waitInWords(verdict.waitSeconds)}, then try again.`;
        throw new Refusal('rate_limit_exceeded', sentence);
      }
      const id = clientIdOf(formId, developer.id);
      const created = await createApplication(parts, byOf(visit), { id, developerId: developer.id, ...wanted });
      if (created === null) return goTo(res, pathOf(id), 'made-already');
      return createdContent(created, publicUrl);
    },
  };
}

function isFormId(text: string): boolean {
  return /^[0-9a-f]{24}$/.test(text);
}

/** The client ID for a form: hashed with the developer's ID, so nobody can choose it or claim another developer's. */
function clientIdOf(formId: string, developerId: string): string {
  return createHash('sha256').update(`${developerId} ${formId}`).digest('hex').slice(0, formId.length);
}

/** Shown once, after creating an application. @param publicUrl where clients reach the server */
function createdContent({ application, liveSecret, sandboxSecret }: Created, publicUrl: string): Content {
  const { id, name, verificationToken, sandboxVerificationToken } = application;
  return {
    title: 'Save these secrets now',
    lead: html`You created ${name}. Copy its client secrets now: you won’t see them again.`,
    subject: subjectOf({ id, name }),
    body: html`
      ${secretFacts([
        ['Client ID', literal(id)],
        ['Live client secret', literal(liveSecret)],
        ['Sandbox client secret', literal(sandboxSecret)],
        ['Live verification token', literal(verificationToken)],
        ['Sandbox verification token', literal(sandboxVerificationToken)],
      ])}
      <p>Store them where only your server can read them. If you lose one or someone else may have seen it,
      <a href="${pathOf(id, 'secrets')}">rotate it</a>. You can always find the client ID and the verification tokens on
      <a href="${pathOf(id)}">the application’s page</a>.</p>
      <h2 id="next">Next steps</h2>
      <p>Get a client token for your sandbox:</p>
      <pre aria-labelledby="next"><code>${tokenCommand(id, sandboxSecret, publicUrl)}</code></pre>
      <p>Use the live client secret to get a token for live rides. See <a href="/docs">the docs</a> for how passengers give your application
      access and what each token can do.</p>`,
  };
}

function tokenCommand(id: string, secret: string, publicUrl: string): string {
  const { path } = OPERATIONS.createToken;
  return [`curl -s -u ${id}:${secret} \\`, '  -d grant_type=client_credentials \\', `  ${publicUrl}${path}`].join('\n');
}
