import type { Environment } from '../../../domain/application.ts';
import { SECOND_MS } from '../../../domain/time.ts';
import { type Html, html, NOTHING } from '../../../pages/html.ts';
import { momentOf } from '../../../pages/moment.ts';
import type { TestEventOutcome } from '../../../webhooks/delivery/test-event.ts';
import { facts, literal } from './facts.ts';

export function testResult(outcome: TestEventOutcome, environment: Environment): Html {
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
      ${
        answer === null || answer === ''
          ? NOTHING
          : html`<h3 id="answer">Start of the response</h3>
      <pre class="wrapped" tabindex="0" aria-labelledby="answer"><code>${answer}</code></pre>`
      }
      <details>
        <summary id="sent">Request body</summary>
        <pre tabindex="0" aria-labelledby="sent"><code>${JSON.stringify(JSON.parse(outcome.body), null, 2)}</code></pre>
      </details>
      </section>`;
}

function sentenceOf({ delivered, status }: TestEventOutcome, environment: Environment): string {
  if (delivered) return `The ${environment} URL accepted the event.`;
  if (status === null) return `We got no valid response from the ${environment} URL.`;
  return `The ${environment} URL rejected the event. To accept an event, return a status from 200 to 299.`;
}
