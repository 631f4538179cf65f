import { execFileSync } from 'node:child_process';

/** No newer release of a package is installed, so every run has the same ones. */
const RELEASED_BEFORE = '2026-11-29T00:00:00Z';
/** Older ones cannot leave out newer releases. */
const PIP = 'pip==26.3';

/** Installs packages in an environment of their own, unless it has them. @returns the folder of its programs */
export function pythonWith(folder: string, packages: readonly string[]): string {
  execFileSync('python3', ['-m', 'venv', folder]);
  const install = ['-m', 'pip', 'install', '--quiet'];
  const python = `${folder}/bin/python`;
  execFileSync(python, [...install, PIP], { stdio: 'inherit' });
  execFileSync(python, [...install, '--uploaded-prior-to', RELEASED_BEFORE, ...packages], { stdio: 'inherit' });
  return `${folder}/bin`;
}
