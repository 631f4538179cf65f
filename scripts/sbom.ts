import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine } from '../server/cli/command-line.ts';
import { productionPackages } from './build/production.ts';

const HELP = `Prints a CycloneDX bill of materials of the production packages, from package-lock.json.

  npm run -s sbom > sbom.json

  --help    this text`;

await commandLine(HELP, {});

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const { devDependencies: _, overrides: __, workspaces: _____, ...manifest } = read('package.json');
const { packages, ...lock } = read('package-lock.json');

// not `--omit dev`: npm 10 and 11 also omit packages that production and development share, such as pino
const { devDependencies: ___, workspaces: ____, ...root } = packages[''];

const temporary = mkdtempSync(join(tmpdir(), 'sbom-'));
try {
  // npm uses the folder name as the project name
  const folder = join(temporary, manifest.name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const kept = { ...lock, packages: { '': root, ...Object.fromEntries(productionPackages()) } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(kept));
  const parameters = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
  execFileSync('npm', parameters, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
} finally {
  rmSync(temporary, { recursive: true });
}
