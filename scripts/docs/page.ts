import { readFileSync } from 'node:fs';
import { type Contract, operationsOf, webhooksOf } from '../contract/bundle.ts';

/** The tool's logo, the only file that the page would load from another host. */
const REMOTE_MARK = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini[a-z-]*\.svg/g;
const LOCAL_MARK = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="44" height="12"><text y="10" font-family="sans-serif" font-size="11" fill="#6f7d95">Redocly</text></svg>',
)}`;

/** Changes of Redoc's search. Each names the only place in its minified program that has the text. */
const CHANGES: readonly (readonly [text: string, instead: string])[] = [
  // without a space between them, the last word of a line, list item or cell is one with the first word of the next
  [
    'for(let t of e.children??[])n(t)}}return n(e),t.join(``)}',
    'for(let t of e.children??[])n(t);/^(text|strong|em|code|link)$/.test(e.type)||t.push(` `)}}return n(e),t.join(``)}',
  ],
  // an operation whose name or ID has the words ranks before errors and decisions, whose titles can begin with them
  [
    'return(i?i+lOe(e.title,r):0)+',
    'return(i?i+lOe(e.title,r)+(e.httpMethod&&i>=D0.titleAllWords?600:0):0)+(e.text.includes(`operation id: `+r.text)?2e3:0)+',
  ],
];

/** A page of Redoc with our search, our style and our deep links. */
export function finished(page: string, contract: Contract): string {
  const located = [...operationsOf(contract), ...webhooksOf(contract)];
  const pages = Object.fromEntries(located.map(({ id, operation }) => [id, slugOf(operation.tags[0]!)]));
  const script = own('deep-links.js').replace('PAGES = {}', () => `PAGES = ${JSON.stringify(pages)}`);
  const head = `<style>${own('page.css')}</style><script>${script}</script></head>`;
  const searchable = CHANGES.reduce((text, change) => changed(text, ...change), page);
  return searchable.replaceAll(REMOTE_MARK, LOCAL_MARK).replace('</head>', () => head);
}

function changed(program: string, text: string, instead: string): string {
  const parts = program.split(text);
  if (parts.length !== 2) throw new Error(`Redoc has ${parts.length - 1} times: ${text}`);
  return parts.join(instead);
}

function slugOf(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-');
}

function own(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}
