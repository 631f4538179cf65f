import { own } from '../domain/own.ts';

/** Safe markup, created only by `html`. */
export interface Html {
  readonly markup: string;
}

type Part = string | number | Html | readonly Html[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Builds HTML or SVG and escapes every string. Inside a tag, a value is safe only in a quoted attribute. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: String.raw({ raw: strings }, ...parts.map(markupOf)) };
}

export const NOTHING: Html = { markup: '' };

function markupOf(part: Part): string {
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (character) => own(ENTITIES, character)!);
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** An instant with its time zone, UTC. @param at milliseconds UTC */
export function momentOf(at: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${FORMAT.format(at)} UTC</time>`;
}
