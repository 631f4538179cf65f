import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentsIn } from '../../scripts/release/files.ts';
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
});
