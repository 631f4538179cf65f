import { readFileSync } from 'node:fs';

/** The manifest and the lockfile of the generators. */
export const HOME = 'tests/generators';
/** Where npm installs them: no other run finds thousands of files in tests/. */
export const INSTALLED = 'dist/generators/installed';
/** Where they make what they make. */
export const MADE = 'dist/generators/made';

/** `zod@4.6.7` to its folder in the installation. The lockfile may have several versions of a package, one within another. */
export const INSTALLED_PACKAGES: ReadonlyMap<string, string> = new Map(
  Object.entries(lockedPackages()).map(([path, { version }]) => [
    `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`,
    path,
  ]),
);

function lockedPackages(): Record<string, { readonly version?: string }> {
  return JSON.parse(readFileSync(`${HOME}/package-lock.json`, 'utf8')).packages;
}
