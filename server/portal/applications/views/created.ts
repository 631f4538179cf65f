import { OPERATIONS } from '../../../../generated/server.ts';
import type { Created } from '../../../applications/create.ts';
import { html } from '../../../pages/html.ts';
import type { Content } from '../../../site/site.ts';
import { pathOf, subjectOf } from '../paths.ts';
import { literal, secretFacts } from './facts.ts';

/** Shown once, after creating an application. @param publicUrl where clients reach the server */
export function createdContent({ application, liveSecret, sandboxSecret }: Created, publicUrl: string): Content {
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
      <a href="${pathOf(id)}">the app’s page</a>.</p>
      <h2 id="next">Next steps</h2>
      <p>Get a client token for your sandbox:</p>
      <pre tabindex="0" aria-labelledby="next"><code>${tokenCommand(id, sandboxSecret, publicUrl)}</code></pre>
      <p>Use the live client secret to get a token for live rides. See <a href="/docs">the docs</a> for how passengers give your app
      access and what each token can do.</p>`,
  };
}

function tokenCommand(id: string, secret: string, publicUrl: string): string {
  const { path } = OPERATIONS.createToken;
  return [`curl -s -u ${id}:${secret} \\`, '  -d grant_type=client_credentials \\', `  ${publicUrl}${path}`].join('\n');
}
