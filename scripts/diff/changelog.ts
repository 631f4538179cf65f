/** The names in backticks under the heading Breaking of the unreleased part. */
export function announcedBreakages(changelog: string): Set<string> {
  const unreleased = partUnder('## [Unreleased]', changelog, /^## /m);
  const breaking = partUnder('### Breaking', unreleased, /^### /m);
  return new Set([...breaking.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
}

/** The text from a heading line to the next heading of its level. */
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
