import { OPERATIONS } from '../../../../generated/server.ts';
import type { Created } from '../../../applications/create.ts';
import { html } from '../../../pages/html.ts';
import type { PortalContent } from '../../page.ts';
import { pathOf } from '../paths.ts';
import { literal, secretFacts } from './facts.ts';

/** What the developer sees once, after making an application. @param publicUrl where clients reach the server */
export function createdContent({ application, liveSecret, sandboxSecret }: Created, publicUrl: string): PortalContent {
  const { id, name, verificationToken, sandboxVerificationToken } = application;
  return {
    title: 'Keep these secrets now',
    lead: html`${name} is made. Its two secrets are shown here this once: we keep no copy that we could show again.`,
    application: { id, name },
    body: html`
      ${secretFacts([
        ['Client id', literal(id)],
        ['Live secret', literal(liveSecret)],
        ['Sandbox secret', literal(sandboxSecret)],
        ['Live verification token', literal(verificationToken)],
        ['Sandbox verification token', literal(sandboxVerificationToken)],
      ])}
      <p>Put them where only your server can read them. If one is lost, or somebody else may have seen it, <a href="${pathOf(id, 'secrets')}">make
      a new one</a>. The client id and the verification tokens are also on <a href="${pathOf(id)}">the application’s page</a>.</p>
      <h2 id="next">Next steps</h2>
      <p>Get a client token for your sandbox:</p>
      <pre tabindex="0" aria-labelledby="next"><code>${tokenCommand(id, sandboxSecret, publicUrl)}</code></pre>
      <p>With the live secret the same command gives a token for live rides. <a href="/docs">The docs</a> say how a passenger gives your
      application access, and what it can request with each token.</p>`,
  };
}

function tokenCommand(id: string, secret: string, publicUrl: string): string {
  const { path } = OPERATIONS.createToken;
  return [`curl -s -u ${id}:${secret} \\`, '  -d grant_type=client_credentials \\', `  ${publicUrl}${path}`].join('\n');
}
