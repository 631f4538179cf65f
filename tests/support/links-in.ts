// Reads our own pages and documents only, not everything that HTML and Markdown allow.

/** Code in a block of its own. */
const FENCED = /^( *)(```+|~~~+).*?^\1\2 *$/gms;
const CODE = /`[^`\n]+`/g;
const COMMENT = /<!--.*?-->/gs;

/** The targets of the links and pictures in Markdown, without those in code. */
export function linksInMarkdown(markdown: string): string[] {
  const text = markdown.replace(FENCED, '').replace(COMMENT, '');
  // a link has code in its text, so its target is read first
  const targets = [...text.matchAll(/\]\(<?([^()\s>]+)>?(?: "[^"]*")?\)/g)];
  const automatic = [...text.replace(CODE, '').matchAll(/<([a-z]+:[^>\s]+)>/g)];
  const inMarkup = [...text.replace(CODE, '').matchAll(/<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)="([^"]*)"/g)];
  return [...targets, ...automatic, ...inMarkup].map(([, target]) => target!);
}

/** The names of the headings of a Markdown file, as GitHub gives them. */
export function anchorsInMarkdown(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of markdown.replace(FENCED, '').matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const words = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const name = words.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-');
    let unique = name;
    for (let count = 1; anchors.has(unique); count++) unique = `${name}-${count}`;
    anchors.add(unique);
  }
  for (const [, id] of markdown.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id!);
  return anchors;
}

/** The targets of the links of a page, and of what it loads. */
export function linksInPage(markup: string): string[] {
  return [...markup.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link]) => link!.replaceAll('&amp;', '&'));
}

export function anchorsInPage(markup: string): Set<string> {
  return new Set([...markup.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!));
}
