import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

test('npm run sbom lists exactly the packages that production needs, directly or indirectly', () => {
  const { components } = JSON.parse(execFileSync('npm', ['run', '-s', 'sbom'], { encoding: 'utf8' }));
  const named = new Set<string>(components.map(({ purl }: { purl: string }) => decodeURIComponent(purl)));
  const purls = (packages: readonly (readonly [string, string])[]) =>
    packages.map(([name, version]) => `pkg:npm/${name}@${version}`);
  const direct = purls(Object.entries<string>(read('package.json').dependencies));
  expect(direct.filter((purl) => !named.has(purl))).toEqual([]);

  const locked = Object.entries<{ version: string; dev?: true; link?: true }>(read('package-lock.json').packages);
  const inProduction = locked.filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link);
  const all = purls(inProduction.map(([path, { version }]) => [path.split('node_modules/').at(-1)!, version]));
  expect([...named].sort()).toEqual([...new Set(all)].sort());
});
