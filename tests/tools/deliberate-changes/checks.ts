import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { differencesFrom } from '../../../scripts/generate/differences.ts';
import type { DeliberateChange } from './changes.ts';

/** What a check reports first; undefined if it passes. */
export type Objection = string | undefined;

/** A process that takes longer hangs. */
const MOST_MS = 5 * 60 * 1000;

/** Copies the project with its uncommitted changes into a folder. The copy shares node_modules. */
export function copyOfProject() {
  const folder = mkdtempSync(join(tmpdir(), 'ridehail-changed-'));
  const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', options, { encoding: 'utf8' }).split('\0');
  for (const file of files.filter((name) => name !== '' && name !== 'node_modules' && existsSync(name)))
    cpSync(file, join(folder, file));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The objection of check:generated. @param files what the generator makes from the folder's contract */
export function objectionToGenerated(folder: string, files: ReadonlyMap<string, string>): Objection {
  const [name] = differencesFrom(files, join(folder, 'generated'));
  return name && `generated/${name} does not match the contract`;
}

/** The objection of the compiler, or of a test file: the first failed test. */
export function objectionOf(folder: string, check: DeliberateChange['noticedBy']): Objection {
  if (check === 'typecheck') {
    // it keeps its cache for the next run
    const options = ['--incremental', '--tsBuildInfoFile', 'dist/types.tsbuildinfo'];
    return reportOf(folder, '../typescript-7/bin/tsc', options, /^.*error TS.*$/m);
  }
  reportOf(folder, 'tsx', ['scripts/validators.ts'], /(?!)/);
  const options = ['run', '--project', 'fast', '--bail', '1', '--reporter', 'tap-flat', check];
  return reportOf(folder, 'vitest', options, /(?<=^not ok \d+ - ).*(?= # time)/m);
}

/** Runs a check. Throws an Error if it fails without a report that matches the pattern: the change is not the reason. */
function reportOf(folder: string, command: string, options: readonly string[], pattern: RegExp): Objection {
  const executable = join(folder, 'node_modules/.bin', command);
  const result = spawnSync(executable, options, { cwd: folder, encoding: 'utf8', timeout: MOST_MS });
  if (result.status === 0) return undefined;
  const [found] = pattern.exec(result.stdout) ?? [];
  if (found === undefined) throw result.error ?? new Error(`${command} failed: ${result.stdout}${result.stderr}`);
  return found;
}
