import { isFailing } from '../../../domain/webhooks/failing.ts';
import { type Html, html } from '../../../pages/html.ts';
import { momentOf } from '../../../pages/moment.ts';
import type { OwnApplication } from '../../../store/applications.ts';

/** How the live webhook fares, and what to do if it fails. */
export function webhookState(
  { webhookUrl, webhookFailingSince }: Pick<OwnApplication, 'webhookUrl' | 'webhookFailingSince'>,
  realNow: number,
): Html {
  if (webhookUrl === null) return html`<p>Without a live webhook URL, nothing is sent about live rides.</p>`;
  if (webhookFailingSince === null) return html`<p>The latest live webhook arrived, or none was sent yet.</p>`;
  const since = momentOf(webhookFailingSince);
  if (!isFailing(webhookFailingSince, realNow))
    return html`<p>No live webhook has arrived since ${since}. Check the server at this URL; we go on sending new events.</p>`;
  return html`<div class="problem">
        <p><strong>The live webhook is failing: none has arrived since ${since}.</strong> We go on sending new events, but those that have failed for
        two minutes are not sent again.</p>
        <ul>
          <li>Check that the server at the URL runs, and answers with a status from 200 to 299 within 10 seconds.</li>
          <li>Send a test event, and see what comes back.</li>
          <li>If the server is gone for good, change the URL or leave it empty.</li>
        </ul>
      </div>`;
}
