/** What the unreleased part of a changelog calls by its name (in backticks) under the heading Breaking. */
export function announcedBreakages(changelog: string): Set<string> {
  const unreleased = partUnder('## [Unreleased]', changelog, /^## /m);
  const breaking = partUnder('### Breaking', unreleased, /^### /m);
  return new Set([...breaking.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
}

/** The text between a heading, which is a line, and the next one of its rank. */
function partUnder(heading: string, text: string, next: RegExp): string {
  const lines = text.split('\n');
  const at = lines.indexOf(heading);
  return at < 0
    ? ''
    : lines
        .slice(at + 1)
        .join('\n')
        .split(next)[0]!;
}
