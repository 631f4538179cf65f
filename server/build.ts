import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { BUILD_FILE, requireFile, SOURCES_FOLDER } from './files.ts';

/** What a server calls itself: in `--version`, `/healthz`, the first line of its log, and its metrics. */
export interface Build {
  readonly version: string;
  /** The commit of its sources, with `-dirty` if they had other changes; null if unknown. */
  readonly commit: string | null;
}

/** This server: as `npm run build` wrote it, or else the checkout that it runs from. */
export const BUILD: Build = {
  version: requireFile('#package.json').version,
  commit: BUILD_FILE === null ? commitOf(SOURCES_FOLDER) : JSON.parse(readFileSync(BUILD_FILE, 'utf8')).commit,
};

/** @returns null if the folder is no checkout, or git is not installed */
export function commitOf(folder: string): string | null {
  const options = ['--no-optional-locks', 'describe', '--always', '--dirty', '--abbrev=10', '--exclude=*'];
  try {
    return execFileSync('git', options, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
