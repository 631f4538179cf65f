import { type Html, html } from './html.ts';

const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** An instant with its time zone, UTC. @param at milliseconds UTC */
export function momentOf(at: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${FORMAT.format(at)} UTC</time>`;
}
