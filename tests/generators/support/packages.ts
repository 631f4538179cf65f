import { readFileSync } from 'node:fs';

/** The folder with the manifest and the lockfile of the generators. */
export const HOME = 'tests/generators';
/** Where npm installs them. Not in tests/, where other test runs would search thousands of files. */
export const INSTALLED = 'dist/generators/installed';
/** Where the generators write their files. */
export const MADE = 'dist/generators/made';

/** Maps `zod@4.6.7` to its folder in the installation. The lockfile may nest several versions of a package. */
export const INSTALLED_PACKAGES: ReadonlyMap<string, string> = new Map(
  Object.entries(lockedPackages()).map(([path, { version }]) => [
    `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`,
    path,
  ]),
);

function lockedPackages(): Record<string, { readonly version?: string }> {
  return JSON.parse(readFileSync(`${HOME}/package-lock.json`, 'utf8')).packages;
}
