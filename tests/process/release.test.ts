import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentsIn, PACKAGES } from '../../scripts/release/files.ts';
import { run } from '../support/run.ts';
import { copyOfProject } from '../tools/deliberate-changes/checks.ts';

const VERSION = '98.7.6';
const DATE = '2099-12-31';

const { folder, remove } = copyOfProject();
afterAll(remove);

const git = (...parameters: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...parameters], {
    cwd: folder,
    encoding: 'utf8',
  });
const commit = () => git('commit', '--quiet', '--all', '--message', 'Change something');
const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');
const jsonOf = (file: string) => JSON.parse(textOf(file));

/** Runs the command in the copy. */
const release = (...parameters: string[]) =>
  spawnSync('npm', ['run', '-s', 'release', '--', ...parameters], { cwd: folder, encoding: 'utf8' });

beforeAll(() => {
  const added = '## [Unreleased]\n\n### Added\n\n- Trains.\n\n';
  writeFileSync(join(folder, 'CHANGELOG.md'), textOf('CHANGELOG.md').replace(/^## \[Unreleased\]\n\n(?=## )/m, added));
  git('init', '--quiet');
  git('add', '--all');
  commit();
});

describe('npm run release', () => {
  test.each([
    ['no version', ['--date', DATE], 2, 'Missing argument: VERSION.'],
    ['a lower version', ['0.9.0', '--date', DATE], 1, '0.9.0 is not higher than'],
    ['no date', [VERSION], 2, 'Missing option: --date YYYY-MM-DD.'],
    ['a version with -dev', [`${VERSION}-dev`, '--date', DATE], 1, `${VERSION}-dev is not a version.`],
    ['to tag with unreleased entries', ['--tag'], 1, 'CHANGELOG.md has entries under Unreleased'],
    ['a next version without -dev', ['--next', VERSION], 1, `${VERSION} is not a next version.`],
    ['a next version that is lower', ['--next', '0.9.0-dev'], 1, '0.9.0-dev does not come after'],
  ])('refuses %s and changes nothing', (_, parameters, status, message) => {
    expect(release(...parameters)).toMatchObject({ status, stderr: expect.stringContaining(message) });
    expect(git('status', '--porcelain')).toBe('');
  });

  test('refuses uncommitted changes and names them', () => {
    writeFileSync(join(folder, 'notes.txt'), 'Trains');
    const stderr = 'Commit or stash these changes first:\n?? notes.txt\n';
    expect(release(VERSION, '--date', DATE)).toMatchObject({ status: 1, stderr });
    rmSync(join(folder, 'notes.txt'));
  });

  test.runIf(run === 'long')('sets the version everywhere, and releases the contract that it generates', () => {
    expect(release(VERSION, '--date', DATE)).toMatchObject({ status: 0, stderr: '' });
    for (const file of documentsIn(folder)) expect(textOf(file)).toContain(VERSION);
    expect(textOf('CHANGELOG.md')).toMatch(`\n## [Unreleased]\n\n## [${VERSION}] - ${DATE}\n`);
    for (const file of ['openapi.json', 'webhooks.json']) {
      expect(jsonOf(`generated/${file}`).info.version).toBe(VERSION);
      expect(textOf(`released/${file}`)).toBe(textOf(`generated/${file}`));
    }
  });

  test.runIf(run === 'long')('can be repeated after a change to the contract', () => {
    commit();
    expect(release(VERSION, '--date', DATE)).toMatchObject({ status: 0 });
    expect(git('status', '--porcelain')).toBe('');
    const changed = textOf('openapi.yaml').replace(/^ {2}summary: .*$/m, '  summary: Trains.');
    writeFileSync(join(folder, 'openapi.yaml'), changed);
    commit();
    expect(release(VERSION, '--date', DATE)).toMatchObject({ status: 0 });
    expect(jsonOf('released/openapi.json').info.summary).toBe('Trains.');
    expect(git('status', '--porcelain')).not.toContain('CHANGELOG.md');
  });

  test.runIf(run === 'long')('prints the command of the tag for a commit that is a release, and for no other', () => {
    commit();
    expect(release('--tag')).toMatchObject({
      status: 0,
      stdout: `  git tag --annotate v${VERSION} --message "Release ${VERSION}"\n`,
    });
    writeFileSync(join(folder, 'openapi.yaml'), textOf('openapi.yaml').replace('summary: Trains.', 'summary: Ships.'));
    commit();
    expect(release('--tag')).toMatchObject({ status: 1, stderr: expect.stringContaining('generated/') });
    git('reset', '--quiet', '--hard', 'HEAD~1');

    expect(release('--next', '98.8.0-dev')).toMatchObject({ status: 0, stderr: '' });
    expect(
      git('status', '--porcelain')
        .trim()
        .split(/\s+M? ?/),
    ).toEqual(expect.arrayContaining([...PACKAGES]));
    for (const file of PACKAGES) expect(textOf(file)).toContain('"version": "98.8.0-dev"');
    expect(textOf('openapi.yaml')).toContain(`version: ${VERSION}`);
    commit();
    expect(release('--tag')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('package.json says 98.8.0-dev.'),
    });
  });
});

test('npm run diff fails if the contract has changed and the changelog has no entry', () => {
  const diff = () => spawnSync('npm', ['run', '-s', 'diff'], { cwd: folder, encoding: 'utf8' });
  const empty = textOf('CHANGELOG.md').replace(/(?<=^## \[Unreleased\]\n\n)[\s\S]*?(?=^## )/m, '');
  writeFileSync(join(folder, 'CHANGELOG.md'), empty);
  for (const file of readdirSync(join(folder, 'released')))
    writeFileSync(join(folder, 'released', file), textOf(`generated/${file}`));
  expect(diff()).toMatchObject({ status: 0 });
  writeFileSync(
    join(folder, 'released/openapi.json'),
    textOf('released/openapi.json').replace('"summary": "', '"summary": "Ships. '),
  );
  const stderr = expect.stringContaining('CHANGELOG.md has nothing under Unreleased.');
  expect(diff()).toMatchObject({ status: 1, stderr });
});
