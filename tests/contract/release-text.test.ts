import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { releaseText } from '../../scripts/release/changelog.ts';
import { documentsIn, setVersion } from '../../scripts/release/files.ts';
import { checkDate, checkVersion, isHigher } from '../../scripts/release/version.ts';

const DATE = '2026-12-01';
const ENTRY = '### Added\n\n- Trains.\n';
const changelog = (unreleased: string) =>
  `# Changelog\n\n## [Unreleased]\n\n${unreleased && `${unreleased}\n`}## [1.9.0] - 2026-11-30\n\n### Added\n\n- Cars.\n\n[Unreleased]: #unreleased\n[1.9.0]: #190---2026-11-30\n`;

describe('a release turns the Unreleased section of the changelog', () => {
  const released = releaseText(changelog(ENTRY), '1.10.0', DATE);

  test('into the section of the version, with an empty Unreleased section above and a link', () => {
    const [before, ...parts] = released.split(/^(?=## |\[)/m);
    expect(before).toBe('# Changelog\n\n');
    expect(parts).toEqual([
      '## [Unreleased]\n\n',
      `## [1.10.0] - ${DATE}\n\n${ENTRY}\n`,
      '## [1.9.0] - 2026-11-30\n\n### Added\n\n- Cars.\n\n',
      '[Unreleased]: #unreleased\n',
      `[1.10.0]: #1100---${DATE}\n`,
      '[1.9.0]: #190---2026-11-30\n',
    ]);
  });

  test('only once', () => {
    expect(releaseText(released, '1.10.0', DATE)).toBe(released);
  });

  test.each([
    ['a version that is not higher', ENTRY, '1.8.9', DATE, '1.8.9 is not higher than 1.9.0'],
    ['a date before the latest version', ENTRY, '1.10.0', '2026-11-29', '2026-11-29 is before 2026-11-30'],
    ['another date for the latest version', '', '1.9.0', DATE, 'has 1.9.0 with the date 2026-11-30'],
    ['new entries for the latest version', ENTRY, '1.9.0', '2026-11-30', 'Unreleased has entries'],
    ['no entries', '', '1.10.0', DATE, 'no entries under Unreleased'],
  ])('but not with %s', (_, unreleased, version, date, message) => {
    expect(() => releaseText(changelog(unreleased), version, date)).toThrow(message);
  });

  test('but not without its heading', () => {
    const headless = changelog(ENTRY).replace('## [Unreleased]', '');
    expect(() => releaseText(headless, '1.10.0', DATE)).toThrow('no line "## [Unreleased]"');
  });
});

test('CHANGELOG.md has the sections of Keep a Changelog and no others', () => {
  const sections = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^### (.*)$/gm)].map(([, name]) => name!);
  const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
  expect(sections.filter((name) => !known.includes(name))).toEqual([]);
});

test.each(documentsIn('.'))('only the version of %s changes', (file) => {
  const text = readFileSync(file, 'utf8');
  const changed = setVersion(file, text, '12.34.56');
  expect(changed).toContain('12.34.56');
  const [lines, before] = [changed, text].map((each) => each.split('\n'));
  const differing = lines!.filter((line, i) => line !== before![i]);
  expect(differing).toHaveLength(file === 'package-lock.json' ? 3 : 1);
  expect(lines).toHaveLength(before!.length);
});

test('a document without a version is rejected', () => {
  expect(() => setVersion('openapi.yaml', 'info:\n  title: Rides\nservers: []\n', '1.0.0')).toThrow('no version');
});

test('a version has three parts, compared as numbers, and a date exists in the calendar', () => {
  for (const text of ['1.1', 'v1.1.0', '01.1.0', '1.1.0-beta', '']) expect(() => checkVersion(text)).toThrow('version');
  expect(() => checkVersion('1.10.0')).not.toThrow();
  const versions = ['1.10.0', '1.9.9', '1.9.9'] as const;
  expect(versions.map((version) => isHigher(version, '1.9.9'))).toEqual([true, false, false]);
  for (const text of ['2026-02-29', '24.11.2026', '2026-1-1', '']) expect(() => checkDate(text)).toThrow('date');
  expect(() => checkDate('2028-02-29')).not.toThrow();
});
