import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { document } from '../../scripts/contract/read.ts';
import { isHigher, versionAfter } from '../../scripts/release/version.ts';

const textOf = (file: string) => readFileSync(file, 'utf8');
const filesIn = (folder: string) => readdirSync(folder).map((name) => `${folder}/${name}`);

const WORKFLOWS = filesIn('arazzo');
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...['docs', 'docs/guides', 'docs/reference'].flatMap(filesIn).filter((file) => file.endsWith('.md')),
];

/** The files with the version of the latest release, and how to read it. */
const VERSIONS: ReadonlyArray<readonly [file: string, version: (text: string) => unknown]> = [
  ...['webhooks.yaml', ...WORKFLOWS].map((file) => [file, (text: string) => parse(text).info.version] as const),
  ...filesIn('released').map((file) => [file, (text: string) => JSON.parse(text).info.version] as const),
  ['CHANGELOG.md', (text) => /^## \[(\d.*)\] - \d{4}-\d\d-\d\d$/m.exec(text)?.[1]],
];

test.each(VERSIONS)('%s has the version of openapi.yaml', (file, version) => {
  expect(version(textOf(file))).toBe(document.info.version);
});

/** Between two releases, they have the next version, with -dev. */
test('the packages have one version: that of openapi.yaml, or a higher one with -dev', () => {
  const json = (file: string) => JSON.parse(textOf(file));
  const { version, packages } = json('package-lock.json');
  const versions = [json('package.json'), json('client/package.json'), packages[''], packages.client];
  expect(versions.map((one) => one.version)).toEqual(versions.map(() => version));
  const { version: released } = document.info;
  if (version !== released) expect([version, isHigher(versionAfter(version), released)]).toEqual([version, true]);
});

test.each(['openapi.yaml', 'webhooks.yaml', ...WORKFLOWS, 'package.json', ...PAGES])(
  '%s links to no public repository of this project, because there is none',
  (file) => {
    expect(textOf(file).match(/\b(github|gitlab|bitbucket|codeberg)\.\w+\/\S*ridehail\S*/g) ?? []).toEqual([]);
  },
);
