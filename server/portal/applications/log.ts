import { type Html, html } from '../../pages/html.ts';
import { momentOf } from '../../pages/moment.ts';
import type { Parts } from '../../parts.ts';
import { logOf } from '../../store/application-log.ts';
import type { PortalPage, PortalVisit } from '../page.ts';
import { ownPage } from './own-page.ts';
import { pathOf } from './paths.ts';
import { logSentence, type ShownEntry } from './views/log-sentence.ts';

const MOST_ENTRIES_SHOWN = 50;

export function logPage({ store }: Pick<Parts, 'store'>): PortalPage {
  return ownPage(
    { store },
    {
      page: 'log',
      show: async ({ id, name }, visit) => {
        const before = numberIn(visit.query.before);
        // fetch one extra to know whether there are older entries
        const found = await logOf(store.db, id, { before, limit: MOST_ENTRIES_SHOWN + 1 });
        const shown = found.slice(0, MOST_ENTRIES_SHOWN);
        const last = shown.at(-1);
        const hasOlder = found.length > shown.length && last !== undefined;
        return {
          title: `Log for ${name}`,
          lead: html`Changes to this app, most recent first.`,
          body: html`
      ${shown.length === 0 ? html`<p>No ${before === null ? '' : 'older '}entries.</p>` : html`<ul class="log">${shown.map((entry) => row(entry, visit))}</ul>`}
      ${hasOlder ? html`<p><a href="${pathOf(id, 'log')}?before=${last.number}">Older</a></p>` : html``}
      ${before === null ? html`` : html`<p><a href="${pathOf(id, 'log')}">Latest</a></p>`}`,
        };
      },
    },
  );
}

/** Null unless the text is an entry's number. */
function numberIn(text: unknown): number | null {
  return typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

function row(entry: ShownEntry, { account: developer }: PortalVisit): Html {
  const from = entry.network === null ? html`` : html` from ${entry.network}`;
  return html`<li>${logSentence(entry, developer.id)}<br><span class="quiet">${momentOf(entry.at)}${from}</span></li>`;
}
