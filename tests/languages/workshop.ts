import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DEMO } from '../../server/demo.ts';
import type { LiveAnswer } from '../generators/support/live-answers.ts';
import type { Recipe } from '../generators/support/page.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { basic } from '../support/demo-caller.ts';
import type { TestServer } from '../support/server.ts';

/** The folders of projects. */
export const MADE = resolve('dist/languages');
/** Outside the repository, because a clean clone would build all of it again. Each tool keeps its packages elsewhere. */
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'ridehail-languages');
const PATHS = [join(CACHE, 'python/bin'), resolve('node_modules/.bin'), process.env.PATH];

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

/** Python's packages go to an environment of their own. */
export async function prepareTools(): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  await runIn(CACHE, 'python3 -m venv python');
  await runIn(resolve('tests/languages'), 'pip install -q -r requirements.txt');
}

/** Follows a section of the page in an empty folder. */
export async function follow({ files, commands }: Recipe, folder: string, server: TestServer): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const documents = ['openapi.json', 'openapi-3.0.json'].map(
    async (name) => [name, await (await fetch(`${server.baseUrl}/${name}`)).text()] as const,
  );
  for (const [name, text] of [...files, ...(await Promise.all(documents))]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text.replaceAll('http://localhost:8080', server.baseUrl));
  }
  const variables = await newSandbox(server);
  for (const command of commands) await runIn(folder, command, variables);
}

/** A sandbox with Prime Time, for a program. @param file to decode; '' takes a ride */
export async function newSandbox(server: TestServer, file = ''): Promise<Variables> {
  const world = await server.newWorld();
  const { token, api } = await server.newRider(world);
  const { lat, lng } = ACROSS_TOWN.origin;
  await api.setPrimeTime({ body: { lat, lng, primetime_percentage: '25%' } });
  return {
    ...{ BASE_URL: server.baseUrl, TOKEN: token, WORLD_TOKEN: await server.newToken({ world }), FILE: file },
    ...{ CLIENT_ID: DEMO.clientId, CLIENT_SECRET: DEMO.sandboxClientSecret },
    BASIC: basic(DEMO.clientId, DEMO.sandboxClientSecret).Authorization,
  };
}

/** Writes a table of the types by name, for a language that cannot look one up. */
export function writeTypes(folder: string, language: 'go' | 'rust', answers: readonly LiveAnswer[]): void {
  const names = [...new Set(answers.map(({ component }) => component))];
  const go = names.map((name) => `"${name}": func() any { return &ridehail.${name}{} },`);
  const rust = names.map((name) => `"${name}" => again::<types::${name}>(body),`);
  const [file, text] =
    language === 'go'
      ? ['types.go', `package main\nimport "example/ridehail"\nvar TYPES = map[string]func() any{\n${go.join('\n')}\n}`]
      : ['src/types_by_name.rs', `match component {\n${rust.join('\n')}\n_ => panic!("{component}"),\n}`];
  writeFileSync(join(folder, file!), text!);
}

export function jsonLinesOf(output: string): unknown[] {
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line));
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
