import { readFileSync } from 'node:fs';
import { type Contract, operationsOf, webhooksOf } from '../contract/bundle.ts';

/** The tool's logo, the only file that the page would load from another host. */
const REMOTE_MARK = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini[a-z-]*\.svg/g;
const LOCAL_MARK = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="44" height="12"><text y="10" font-family="sans-serif" font-size="11" fill="#6f7d95">Redocly</text></svg>',
)}`;

/** A page of Redoc with our style and our deep links. */
export function finished(page: string, contract: Contract): string {
  const located = [...operationsOf(contract), ...webhooksOf(contract)];
  const pages = Object.fromEntries(located.map(({ id, operation }) => [id, slugOf(operation.tags[0]!)]));
  const script = own('deep-links.js').replace('PAGES = {}', () => `PAGES = ${JSON.stringify(pages)}`);
  const head = `<style>${own('page.css')}</style><script>${script}</script></head>`;
  return page.replaceAll(REMOTE_MARK, LOCAL_MARK).replace('</head>', () => head);
}

function slugOf(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-');
}

function own(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}
