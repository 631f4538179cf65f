import { announcesNothing } from '../diff/changelog.ts';
import { isHigher } from './version.ts';

const HEADING = '## [Unreleased]';
const LINK = '[Unreleased]: #unreleased';
const RELEASE = /^## \[(.+)\] - (.+)$/m;

/**
 * Returns the changelog with the unreleased entries under the version, and an empty Unreleased section above it.
 * Returns the same text if the version is already the latest. Throws an Error if the version cannot be released.
 */
export function releaseText(changelog: string, version: string, date: string): string {
  const [before, after] = changelog.split(`\n${HEADING}\n`);
  if (before === undefined || after === undefined) throw new Error(`CHANGELOG.md has no line "${HEADING}".`);
  if (!after.includes(`\n${LINK}\n`)) throw new Error(`CHANGELOG.md has no line "${LINK}".`);
  const [, latest, latestDate] = RELEASE.exec(after) ?? [];
  const isEmpty = announcesNothing(changelog);

  if (version === latest) {
    if (date !== latestDate) throw new Error(`CHANGELOG.md has ${version} with the date ${latestDate}, not ${date}.`);
    if (isEmpty) return changelog;
    throw new Error(
      `${version} is in CHANGELOG.md already, but Unreleased has entries. Move them, or choose a higher version.`,
    );
  }
  if (latest !== undefined && latestDate !== undefined) {
    if (!isHigher(version, latest)) throw new Error(`${version} is not higher than ${latest}, the latest version.`);
    if (date < latestDate) throw new Error(`${date} is before ${latestDate}, the date of ${latest}.`);
  }
  if (isEmpty) throw new Error('CHANGELOG.md has no entries under Unreleased.');
  const title = `[${version}] - ${date}`;
  const link = `[${version}]: #${anchorOf(title)}`;
  return `${before}\n${HEADING}\n\n## ${title}\n${after.replace(LINK, `${LINK}\n${link}`)}`;
}

/** The anchor that GitHub generates for a heading. */
function anchorOf(title: string): string {
  return title.replace(/[^\w\- ]/g, '').replaceAll(' ', '-');
}
