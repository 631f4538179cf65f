import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HOME, INSTALLED } from './packages.ts';

/** npm writes this file at the end of an installation. */
const DONE = join(INSTALLED, 'node_modules/.package-lock.json');

/** Installs the generators, unless the versions in the lockfile are installed. */
export default function install(): void {
  const lockfile = join(INSTALLED, 'package-lock.json');
  const wanted = readFileSync(join(HOME, 'package-lock.json'), 'utf8');
  if (existsSync(DONE) && readFileSync(lockfile, 'utf8') === wanted) return;
  console.log(`Installing the generators in ${HOME}/package.json …`);
  rmSync(INSTALLED, { recursive: true, force: true });
  mkdirSync(INSTALLED, { recursive: true });
  for (const file of ['package.json', '.npmrc', 'package-lock.json'])
    copyFileSync(join(HOME, file), join(INSTALLED, file));
  execFileSync('npm', ['ci', '--loglevel=error'], { cwd: INSTALLED, stdio: ['ignore', 'ignore', 'inherit'] });
}
