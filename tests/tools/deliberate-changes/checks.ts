import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { differencesFrom } from '../../../scripts/generate/differences.ts';

/** What a check reports first; undefined if it passes. */
export type Objection = string | undefined;

/** A process that takes longer hangs. */
const MOST_MS = 5 * 60 * 1000;

/** The objection of check:generated. @param files what the generator makes from the folder's contract */
export function objectionToGenerated(folder: string, files: ReadonlyMap<string, string>): Objection {
  const [name] = differencesFrom(files, join(folder, 'generated'));
  return name && `generated/${name} does not match the contract`;
}

/** The objection of the compiler. It keeps its cache for the next run. */
export function objectionOfTypes(folder: string): Objection {
  const options = ['--incremental', '--tsBuildInfoFile', 'dist/types.tsbuildinfo'];
  return objectionOf(folder, '../typescript-7/bin/tsc', options, /^.*error TS.*$/m);
}

/** The objection of a test file: the first failed test. */
export function objectionOfTests(folder: string, file: string): Objection {
  objectionOf(folder, 'tsx', ['scripts/validators.ts'], /(?!)/);
  const options = ['run', '--project', 'fast', '--bail', '1', '--reporter', 'tap-flat', file];
  return objectionOf(folder, 'vitest', options, /(?<=^not ok \d+ - ).*(?= # time)/m);
}

/** Runs a check. Throws an Error if it fails without a report that matches the pattern: the change is not the reason. */
function objectionOf(folder: string, command: string, options: readonly string[], pattern: RegExp): Objection {
  const executable = join(folder, 'node_modules/.bin', command);
  const result = spawnSync(executable, options, { cwd: folder, encoding: 'utf8', timeout: MOST_MS });
  if (result.status === 0) return undefined;
  const [found] = pattern.exec(result.stdout) ?? [];
  if (found === undefined) throw result.error ?? new Error(`${command} failed: ${result.stdout}${result.stderr}`);
  return found;
}
