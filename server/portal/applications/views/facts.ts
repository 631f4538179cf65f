import { type Html, html } from '../../../pages/html.ts';

type Facts = readonly (readonly [name: string, value: Html])[];

export function facts(entries: Facts): Html {
  return listOf(entries, 'facts');
}

/** Values to copy now: no page shows them again. */
export function secretFacts(entries: Facts): Html {
  return html`${listOf(entries, 'facts secrets')}
      <p class="quiet">Click or tap a value to select it.</p>`;
}

function listOf(entries: Facts, className: string): Html {
  return html`<dl class="${className}">${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** An ID, a token or a URL. */
export function literal(text: string): Html {
  return html`<code>${text}</code>`;
}

export const NONE = html`none`;
