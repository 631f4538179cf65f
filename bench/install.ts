import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const HOME = 'bench';
const WANTED = join(HOME, 'package-lock.json');
/** A copy of the lockfile, which says that its packages are installed. */
const INSTALLED = join(HOME, 'node_modules/installed-lock.json');

/** Installs the packages that only the benches use, unless the versions in the lockfile are installed. */
export function install(tell: (line: string) => void): void {
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === readFileSync(WANTED, 'utf8')) return;
  tell(`Installing the packages in ${HOME}/package.json …`);
  execFileSync('npm', ['ci', '--loglevel=error'], { cwd: HOME, stdio: ['ignore', 'ignore', 'inherit'] });
  copyFileSync(WANTED, INSTALLED);
}
