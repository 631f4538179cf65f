import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine, runScript } from '../server/cli/command-line.ts';
import { compile } from './build/compile.ts';
import { productionPackages } from './build/production.ts';

const HELP = `Packs the server, with its docs and the packages that it runs, as ridehail-server-X.Y.Z.tgz. Prints the file's name.

  npm run -s pack:server [-- --pack-destination DIR]

  --pack-destination DIR    the folder for the file (default: this one)
  --help                    this text`;

/** Everything else in the package is compiled, or is a package that the server runs. */
const COPIED = ['docs', 'deploy', 'CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md'];
/** npm installs these, because they choose a binary for the machine. The versions are exact, as those of the binaries. */
const NATIVE = ['@node-rs/argon2', 'libsql'];
/** Debuggers and compilers read these files, and servers do not: they are two fifths of the packages. */
const isRead = (path: string) => !/\.(map|[cm]?ts)$/.test(path);

const { 'pack-destination': to = '.' } = (await commandLine(HELP, { 'pack-destination': { type: 'string' } })).values;
await runScript(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ridehail-pack-'));
  const within = (...path: string[]) => join(folder, ...path);
  try {
    await compile(within('dist'), { checkTypes: false });
    rmSync(within('dist/client'), { recursive: true });
    execFileSync('npm', ['run', '-s', 'docs', '--', within('dist/docs/index.html')], { stdio: 'ignore' });
    // the server reads the same docs in parts
    rmSync(within('dist/docs/index.html'));
    for (const path of COPIED) cpSync(path, within(path), { recursive: true });
    for (const path of installed()) cpSync(path, within(path), { recursive: true, filter: isRead });
    writeFileSync(within('package.json'), JSON.stringify(manifest(), null, 2));
    mkdirSync(to, { recursive: true });
    const options = ['pack', folder, '--silent', '--pack-destination', to];
    execFileSync('npm', options, { stdio: ['ignore', 'inherit', 'inherit'] });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** The folders of the packages. Throws an Error if one is not installed as package-lock.json says. */
function installed(): string[] {
  const present = [...productionPackages()].filter(([path, { optional }]) => existsSync(path) || !optional);
  const versionIn = (path: string) => existsSync(path) && read(join(path, 'package.json')).version;
  const wrong = present.filter(([path, { version }]) => versionIn(path) !== version).map(([path]) => path);
  if (wrong.length > 0)
    throw new Error(`Run npm ci first. These packages differ from package-lock.json: ${wrong.join(', ')}`);
  return present.map(([path]) => path);
}

/** Without what only a checkout needs. npm adds the bundled packages, and those that they need, to the package. */
function manifest() {
  const {
    devDependencies: _,
    scripts: __,
    workspaces: ___,
    overrides: ____,
    allowScripts: _____,
    ...kept
  } = read('package.json');
  const bundleDependencies = Object.keys(kept.dependencies).filter((name) => !NATIVE.includes(name));
  return { ...kept, bundleDependencies };
}

function read(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
