// Reads our own pages and documents only, not everything that HTML and Markdown allow.

/** A fenced code block. */
const FENCED = /^( *)(```+|~~~+).*?^\1\2 *$/gms;
const CODE = /`[^`\n]+`/g;
const COMMENT = /<!--.*?-->/gs;

/** The targets of links and pictures in Markdown, except in code. */
export function linksInMarkdown(markdown: string): string[] {
  const text = markdown.replace(FENCED, '').replace(COMMENT, '');
  // link texts may contain code, so these targets are read before code is removed
  const targets = [...text.matchAll(/\]\(<?([^()\s>]+)>?(?: "[^"]*")?\)/g)];
  const automatic = [...text.replace(CODE, '').matchAll(/<([a-z]+:[^>\s]+)>/g)];
  const inMarkup = [...text.replace(CODE, '').matchAll(/<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)="([^"]*)"/g)];
  return [...targets, ...automatic, ...inMarkup].map(([, target]) => target!);
}

/** The anchors of the headings in a Markdown file, as GitHub generates them. */
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

/** The targets of a page's links, and of the files that it loads. */
export function linksInPage(markup: string): string[] {
  return [...markup.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link]) => link!.replaceAll('&amp;', '&'));
}

export function anchorsInPage(markup: string): Set<string> {
  return new Set([...markup.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!));
}
