import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, parse, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Contract } from '../../../scripts/contract/bundle.ts';
import type { TestServer } from '../../support/server.ts';
import { INSTALLED, INSTALLED_PACKAGES, MADE } from './packages.ts';
import { RECIPES } from './page.ts';

const OFFLINE = new URL('offline.js', import.meta.url).href;
const BIN = resolve(INSTALLED, 'node_modules/.bin');
/** By path, because several versions have a program `tsc`. */
const TSC = compilerIn('typescript');

/** Compiler options for the generated files. They check types strictly, but not style. */
const TSCONFIG = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'ESNext',
    moduleResolution: 'bundler',
    types: [],
    strict: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  },
};

/** The bundles, as clients download them. */
export const BUNDLES = ['openapi.json', 'openapi-3.0.json'] as const;

/**
 * Follows a recipe with a bundle of a server, in a new folder. @returns the folder. Throws an Error with the output if
 * a command fails.
 */
export async function follow(name: string, server: TestServer, bundle: (typeof BUNDLES)[number]): Promise<string> {
  const { baseUrl } = server;
  const token = await server.newToken({ world: await server.newWorld() });
  const recipe = RECIPES.get(name)!;
  const folder = resolve(MADE, `${name}-${bundle}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const contract = (await (await fetch(`${baseUrl}/${bundle}`)).json()) as Contract;
  const openapi = JSON.stringify({ ...contract, servers: [{ url: baseUrl }] });
  const files = { 'openapi.json': openapi, 'package.json': '{ "type": "module" }' };
  for (const [name, text] of [...Object.entries(files), ...recipe.files]) writeFileSync(join(folder, name), text);
  for (const named of recipe.packages) link(named, folder);
  for (const command of recipe.commands) {
    const { passed, output } = await run(command.replace(/\bnpx /, ''), folder, token);
    if (!passed) throw new Error(`${command}: ${output}`);
  }
  return folder;
}

/** Compiles a file or a subfolder of a folder. @returns the errors */
export async function compile(folder: string, what: string): Promise<string[]> {
  const config = `${parse(what).name}.tsconfig.json`;
  writeFileSync(join(folder, config), JSON.stringify({ ...TSCONFIG, include: [what] }));
  const { passed, output } = await run(`node ${TSC} --pretty false --project ${config}`, folder);
  return passed ? [] : output.split('\n');
}

/** The compiler of an installed package. */
export function compilerIn(name: string): string {
  return resolve(INSTALLED, 'node_modules', name, 'bin/tsc');
}

/** Links a package so that the generated files can import it. */
function link(named: string, folder: string): void {
  const installed = INSTALLED_PACKAGES.get(named);
  if (installed === undefined) throw new Error(`${named} is not installed.`);
  const name = named.slice(0, named.lastIndexOf('@'));
  const target = join(folder, 'node_modules', name);
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(resolve(INSTALLED, installed), target);
}

/** Runs a command with the installed tools. @param token in the environment, for recipes that call the server */
export async function run(command: string, cwd: string, token = ''): Promise<{ passed: boolean; output: string }> {
  const path = `${BIN}:${process.env.PATH}`;
  const env = { ...process.env, NO_COLOR: '1', NODE_OPTIONS: `--import ${OFFLINE}`, PATH: path, TOKEN: token };
  const options = { cwd, env, maxBuffer: Number.POSITIVE_INFINITY };
  return promisify(execFile)('sh', ['-c', command], options).then(
    ({ stdout, stderr }) => ({ passed: true, output: `${stderr}${stdout}`.trim() }),
    ({ stdout, stderr }) => ({ passed: false, output: `${stderr}${stdout}`.trim() }),
  );
}
