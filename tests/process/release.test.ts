import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentsIn } from '../../scripts/release/files.ts';
import { run } from '../support/run.ts';

/** The files that a release reads and writes. docs/limits.md names tests. */
const NEEDED = [
  'docs',
  'tests',
  '.gitignore',
  'biome.json',
  'redocly.yaml',
  'CHANGELOG.md',
  'arazzo',
  'generated',
  'server',
  'released',
  'scripts',
  'client',
];
const VERSION = '98.7.6';
const DATE = '2099-12-31';

const folder = mkdtempSync(join(tmpdir(), 'ridehail-release-'));
afterAll(() => rmSync(folder, { recursive: true }));

const git = (...parameters: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...parameters], {
    cwd: folder,
    encoding: 'utf8',
  });
const commit = () => git('commit', '--quiet', '--all', '--message', 'Change something');
const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');
const jsonOf = (file: string) => JSON.parse(textOf(file));

/** Runs the command in the copy. */
function release(...parameters: string[]) {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', 'release', '--', ...parameters], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

beforeAll(() => {
  const filter = (path: string) => !path.endsWith('node_modules');
  for (const file of new Set([...NEEDED, ...documentsIn('.')]))
    cpSync(file, join(folder, file), { recursive: true, filter });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const changelog = textOf('CHANGELOG.md').replace(
    /^## \[Unreleased\]\n\n(?=## )/m,
    '## [Unreleased]\n\n### Added\n\n- Trains.\n\n',
  );
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  git('init', '--quiet');
  git('add', '--all');
  commit();
});

describe('npm run release', () => {
  test.each([
    ['no version', ['--date', DATE], 2, 'Missing argument: VERSION.'],
    ['a lower version', ['0.9.0', '--date', DATE], 1, '0.9.0 is not higher than'],
    ['no date', [VERSION], 2, 'Missing option: --date YYYY-MM-DD.'],
  ])('refuses %s and changes nothing', (_, parameters, status, message) => {
    expect(release(...parameters)).toMatchObject({ status, stderr: expect.stringContaining(message) });
    expect(git('status', '--porcelain')).toBe('');
  });

  test('refuses uncommitted changes and names them', () => {
    writeFileSync(join(folder, 'notes.txt'), 'Trains');
    const { status, stderr } = release(VERSION, '--date', DATE);
    rmSync(join(folder, 'notes.txt'));
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'Commit or stash these changes first:\n?? notes.txt\n' });
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
    writeFileSync(
      join(folder, 'openapi.yaml'),
      textOf('openapi.yaml').replace(/^ {2}summary: .*$/m, '  summary: Trains.'),
    );
    commit();
    expect(release(VERSION, '--date', DATE)).toMatchObject({ status: 0 });
    expect(jsonOf('released/openapi.json').info.summary).toBe('Trains.');
    expect(git('status', '--porcelain')).not.toContain('CHANGELOG.md');
  });
});
