import { readFileSync } from 'node:fs';
import { document } from '../contract/read.ts';
import { withLocalLinks } from '../generate/bundle/links.ts';

/** The pages of docs/reference/ by their group in the menu of the docs. */
const GROUPS = {
  Testing: ['test-your-integration', 'errors'],
  Background: ['decisions', 'extensions', 'glossary'],
} as const;
type Page = (typeof GROUPS)[keyof typeof GROUPS][number];

/** A page of docs/reference/, with links for the docs. Its heading is its name in the menu. */
export function referencePage(page: Page): { readonly name: string; readonly description: string } {
  const file = readFileSync(new URL(`../../docs/reference/${page}.md`, import.meta.url), 'utf8');
  // a server's docs name its own address
  const text = file.replaceAll(/\$\{PORT:-(\d+)\}/g, '$1');
  const [, name, description] = /^# ([^\n]*)\n\n(.*)$/s.exec(text)!;
  return withLocalLinks({ name: name!, description: description! }, document.servers[0].url);
}

export function referencePages() {
  return Object.values(GROUPS).flatMap((pages) => pages.map(referencePage));
}

/** Adds the pages to a contract, as tags without operations. Redoc shows each tag as a page. */
export function addReference(contract: typeof document): void {
  for (const [group, pages] of Object.entries(GROUPS)) {
    const tags = pages.map(referencePage);
    contract.tags.push(...tags.map((tag) => ({ ...tag, 'x-traitTag': true })));
    const names = tags.map(({ name }) => name);
    const known = contract['x-tagGroups'].find(({ name }: { name: string }) => name === group);
    if (known) known.tags.push(...names);
    else contract['x-tagGroups'].push({ name: group, tags: names });
  }
}
