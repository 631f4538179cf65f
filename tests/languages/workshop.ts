import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DEMO } from '../../server/demo.ts';
import type { Recipe } from '../generators/support/page.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { basic } from '../support/demo-caller.ts';
import { pythonWith } from '../support/python.ts';
import type { TestServer } from '../support/server.ts';

/** The folders of projects. */
export const MADE = resolve('dist/languages');
/** Outside the repository, because a clean clone would build all of it again. Each tool keeps its packages elsewhere. */
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'ridehail-languages');
const PATHS = [join(CACHE, 'python/bin'), resolve('node_modules/.bin'), process.env.PATH];
/** For the languages whose generated code is not compiled. */
const PARSERS = ['', '-c-sharp==0.23.5', '-php==0.25.1', '-ruby==0.23.1', '-rust==0.24.2', '-swift==0.7.4'];

type Variables = Readonly<Record<string, string>>;

/** Runs a command. @returns its output. Rejects with an Error with the output if it fails */
export async function runIn(folder: string, command: string, variables: Variables = {}): Promise<string> {
  const env = { ...process.env, PATH: PATHS.join(':'), CARGO_TARGET_DIR: join(CACHE, 'rust'), ...variables };
  const options = { cwd: folder, env, maxBuffer: Number.POSITIVE_INFINITY };
  // not execFileSync: the program calls a server in this process
  return promisify(execFile)('sh', ['-c', command], options).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => {
      throw new Error(`${command}: ${`${stdout}${stderr}`.slice(-5000)}`);
    },
  );
}

export function prepareTools(): void {
  pythonWith(join(CACHE, 'python'), [...PARSERS.map((parser) => `tree-sitter${parser}`), 'standardwebhooks==1.1.0']);
}

/** Follows a section of the page in an empty folder. */
export async function follow({ files, commands }: Recipe, folder: string, server: TestServer): Promise<void> {
  const documents = ['openapi.json', 'openapi-3.0.json'].map(
    async (name) => [name, await (await fetch(`${server.baseUrl}/${name}`)).text()] as const,
  );
  fill(folder, [...files, ...(await Promise.all(documents))], server);
  const variables = await newSandbox(server);
  for (const command of commands) await runIn(folder, command, variables);
}

/** Leaves only these files in a folder: names and texts. They name this server in place of the local one. */
export function fill(folder: string, files: Iterable<readonly [string, string]>, { baseUrl }: TestServer): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text.replaceAll('http://localhost:8080', baseUrl));
  }
}

/** A sandbox with Prime Time, for a program. */
export async function newSandbox(server: TestServer): Promise<Variables> {
  const { token, api } = await server.newRider(await server.newWorld());
  const { lat, lng } = ACROSS_TOWN.origin;
  await api.setPrimeTime({ body: { lat, lng, primetime_percentage: '25%' } });
  const [id, secret] = [DEMO.clientId, DEMO.sandboxClientSecret];
  const credentials = { CLIENT_ID: id, CLIENT_SECRET: secret, BASIC: basic(id, secret).Authorization };
  return { BASE_URL: server.baseUrl, TOKEN: token, ...credentials };
}

/** A body without what encoders write in different ways: null, an empty list, instants, a # in a URL, the last digits. */
export function comparable(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (_key, value) => {
      if (value === null || (Array.isArray(value) && value.length === 0)) return undefined;
      if (typeof value === 'number') return Number(value.toFixed(9));
      if (typeof value !== 'string') return value;
      return /^\d{4}-\d\d-\d\dT/.test(value) ? Math.floor(Date.parse(value) / 1000) : value.replace('%23', '#');
    }),
  );
}
