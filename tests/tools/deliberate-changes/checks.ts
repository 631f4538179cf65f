import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { differencesFrom } from '../../../scripts/generate/differences.ts';

/** The first line of what a check reports; undefined if it passes. */
export type Objection = string | undefined;

/** A process that takes longer hangs. */
const MOST_MS = 5 * 60 * 1000;
const COLORS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** The objection of check:generated. @param files what the generator makes from the folder's contract */
export function objectionToGenerated(folder: string, files: ReadonlyMap<string, string>): Objection {
  const [name] = differencesFrom(files, join(folder, 'generated'));
  return name && `generated/${name} does not match the contract`;
}

/** The objection of the compiler. It keeps its cache for the next run. */
export function objectionOfTypes(folder: string): Objection {
  const { status, stdout } = run(folder, '../typescript-7/bin/tsc', [
    '--incremental',
    '--tsBuildInfoFile',
    'dist/types.tsbuildinfo',
  ]);
  return status === 0 ? undefined : (firstMatch(stdout, /^.*error TS.*$/m) ?? 'failed');
}

/** The objection of a test file. It stops at the first failed test. */
export function objectionOfTests(folder: string, file: string): Objection {
  const report = join(folder, 'dist/changed.json');
  rmSync(report, { force: true });
  const options = ['run', '--project', 'fast', '--bail', '1', '--reporter', 'json', '--outputFile', report];
  const { status, stderr } = run(folder, 'vitest', [...options, file]);
  if (status === 0) return undefined;
  return failureIn(JSON.parse(readFileSync(report, 'utf8'))) ?? firstMatch(stderr, /^.*Error.*$/m) ?? 'failed';
}

interface Report {
  readonly testResults: ReadonlyArray<{
    readonly message: string;
    readonly assertionResults: ReadonlyArray<{
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }>;
  }>;
}

export function failureIn({ testResults }: Report): string | undefined {
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ status }) => status === 'failed');
  if (failed) return `${failed.fullName.trim()}: ${firstLine(failed.failureMessages?.[0] ?? '')}`;
  // a file that does not load has a message and no failed test
  const broken = testResults.find(({ message }) => message !== '');
  return broken && firstLine(broken.message);
}

function firstLine(text: string): string {
  return text.replaceAll(COLORS, '').split('\n')[0]!;
}

function firstMatch(text: string, pattern: RegExp): string | undefined {
  return pattern.exec(text.replaceAll(COLORS, ''))?.[0];
}

function run(folder: string, command: string, parameters: readonly string[]) {
  const executable = join(folder, 'node_modules/.bin', command);
  const result = spawnSync(executable, parameters, { cwd: folder, encoding: 'utf8', timeout: MOST_MS });
  if (result.error) throw result.error;
  return result;
}
