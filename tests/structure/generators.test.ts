import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { INSTALLED_PACKAGES } from '../generators/support/packages.ts';
import { RECIPES } from '../generators/support/page.ts';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const pinsIn = (packages: Manifest['dependencies'] = {}) =>
  Object.entries(packages).map(([name, version]) => `${name}@${version}`);
const pinsOf = (file: string) => {
  const { dependencies, devDependencies }: Manifest = JSON.parse(readFileSync(file, 'utf8'));
  return { generators: pinsIn(dependencies), all: pinsIn({ ...dependencies, ...devDependencies }) };
};
// its devDependencies are those of check:packages
const { generators, all: pins } = pinsOf('tests/generators/package.json');
const nameOf = (pin: string) => pin.slice(0, pin.lastIndexOf('@'));

test('docs/generators.md installs the versions that the check installs', () => {
  const named = [...RECIPES.values()].flatMap(({ packages }) => packages);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((pin) => !INSTALLED_PACKAGES.has(pin))).toEqual([]);
  // they compile the generated files
  expect(generators.filter((pin) => !nameOf(pin).startsWith('typescript') && !named.includes(pin))).toEqual([]);
});

test('docs/generators.md lists each of its generators in its table', () => {
  const rows = readFileSync('docs/generators.md', 'utf8').matchAll(/^\| \[([\w-]+)\]\(#\1\) \|/gm);
  expect([...rows].map(([, name]) => name)).toEqual([...RECIPES.keys()]);
});

test('a package that this project also uses has the same version', () => {
  const { all: ours } = pinsOf('package.json');
  const both = pins.filter((pin) => ours.map(nameOf).includes(nameOf(pin)));
  expect(both.length).toBeGreaterThan(0);
  expect(both.filter((pin) => !ours.includes(pin))).toEqual([]);
});
