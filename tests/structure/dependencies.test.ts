import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { importsOf, sourcesIn } from './support/sources.ts';

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const manifest: Record<string, Record<string, string>> = read('package.json');
const locked: Record<string, { readonly hasInstallScript?: true }> = read('package-lock.json').packages;
const page = readFileSync('docs/dependencies.md', 'utf8');

const isOurs = (target: string) => /^(server|client|generated|scripts|bench|tests)\//.test(target);

/** The rows of the table under a heading: package, reason, and cost without it. */
function rowsUnder(heading: string): string[][] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| `([^`]+)` \| (.+) \| (.+) \|$/gm)].map(([, ...cells]) => cells);
}

describe.each([
  ['To run', 'dependencies', 'package.json'],
  ['In the client', 'dependencies', 'client/package.json'],
  ['To develop', 'devDependencies', 'package.json'],
])('docs/dependencies.md, %s', (heading, field, file) => {
  const rows = rowsUnder(heading);

  test(`has exactly one row for each of the ${field} in ${file}`, () => {
    expect(rows.map(([name]) => name)).toEqual(Object.keys(read(file)[field]).sort());
  });

  test('says for each why it is used and what it would cost to do without it', () => {
    const silent = rows.filter(([, why, without]) => !why?.trim() || !without?.trim());
    expect(silent).toEqual([]);
  });
});

describe('the code that the build writes to dist/', () => {
  const imported = sourcesIn('server', 'client', 'generated').flatMap(importsOf);

  test.each([
    ['server', 'package.json', sourcesIn('server')],
    ['client', 'client/package.json', [...sourcesIn('client'), 'generated/client.ts']],
  ])('imports in %s exactly the packages that %s installs', (_room, file, sources) => {
    const packages = sources
      .flatMap(importsOf)
      .filter((target) => /^@?[\w-]+(\/|\.js$|$)/.test(target) && !isOurs(target));
    const names = packages.map((target) => /^(@[^/]+\/)?[^/]+/.exec(target)![0]);
    expect([...new Set(names)].sort()).toEqual(Object.keys(read(file).dependencies).sort());
  });

  test('imports no other file of this project', () => {
    expect(imported.filter((target) => isOurs(target) && !/^(server|client|generated)\//.test(target))).toEqual([]);
  });

  test('finds its other files through a single module, which knows the layout of the build', () => {
    const sources = sourcesIn('server', 'client', 'generated');
    const users = sources.filter((file) => readFileSync(file, 'utf8').includes('import.meta'));
    expect(users).toEqual(['server/files.ts']);
  });
});

test('npm ci runs install scripts only of packages that package.json allows', () => {
  const running = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = running.map(([path]) => path.split('node_modules/').at(-1));
  expect(names).toEqual(Object.keys(manifest.allowScripts ?? {}));
});
