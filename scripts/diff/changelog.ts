/** Returns the names in backticks in the breaking entries under Unreleased. */
export function announcedBreakages(changelog: string): Set<string> {
  const entries = unreleasedPart(changelog).split(/^(?=- |#)/m);
  const breaking = entries.filter((entry) => entry.startsWith('- **Breaking:**'));
  return new Set(breaking.flatMap((entry) => [...entry.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)));
}

/** Whether the changelog announces nothing for the next release. */
export function announcesNothing(changelog: string): boolean {
  return unreleasedPart(changelog).trim() === '';
}

/** Returns the text under Unreleased, up to the next version, or an empty string if there is no such heading. */
function unreleasedPart(changelog: string): string {
  const [, after = ''] = changelog.split(/^## \[Unreleased\]$/m);
  return after.split(/^(?:## |\[)/m)[0]!;
}
