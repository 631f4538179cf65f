import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const manifest: Record<string, Record<string, string>> = JSON.parse(readFileSync('package.json', 'utf8'));
const locked: Record<string, { readonly hasInstallScript?: true }> = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
).packages;
const page = readFileSync('docs/dependencies.md', 'utf8');

/** The rows of the table under a heading: a package, its reason, and the cost without it. */
function rowsUnder(heading: string): string[][] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| `([^`]+)` \| (.+) \| (.+) \|$/gm)].map(([, ...cells]) => cells);
}

describe.each([
  ['To run', 'dependencies'],
  ['To develop', 'devDependencies'],
])('docs/dependencies.md, %s', (heading, field) => {
  const rows = rowsUnder(heading);

  test(`has one row for each of package.json's ${field}, and none for a stranger`, () => {
    expect(rows.map(([name]) => name)).toEqual(Object.keys(manifest[field]!).sort());
  });

  test('says for each why it is here and what it would cost without', () => {
    const silent = rows.filter(([, why, without]) => !why?.trim() || !without?.trim());
    expect(silent).toEqual([]);
  });
});

test('npm ci runs the scripts of those packages only that package.json allows', () => {
  const running = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = running.map(([path]) => path.split('node_modules/').at(-1));
  expect(names).toEqual(Object.keys(manifest.allowScripts ?? {}));
});
