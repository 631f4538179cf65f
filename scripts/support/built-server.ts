import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { compile } from '../build/compile.ts';

const FOLDER = 'dist/built-servers';

/** A server as `npm run build` makes it, without documentation. */
export interface BuiltServer {
  /** The file that Node runs. */
  readonly main: string;
  /** The folder with the built server, client and contract. It lies in this repository, so Node finds the packages. */
  readonly folder: string;
  remove(): void;
}

export async function buildServer(): Promise<BuiltServer> {
  await mkdir(FOLDER, { recursive: true });
  const folder = await mkdtemp(resolve(FOLDER, 'server-'));
  await compile(folder, { checkTypes: false });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { folder, main: join(folder, 'server', 'main.js'), remove };
}

let own: Promise<BuiltServer> | undefined;

/** Returns the main file of a built server: the one in BUILT_SERVER, or a build that only this process uses. */
export async function builtServer(): Promise<string> {
  const { BUILT_SERVER } = process.env;
  if (BUILT_SERVER) return BUILT_SERVER;
  own ??= buildOwn();
  return (await own).main;
}

/** The file of the operators' command in the same build. */
export async function builtCommand(): Promise<string> {
  return join(dirname(await builtServer()), 'cli/main.js');
}

async function buildOwn(): Promise<BuiltServer> {
  const server = await buildServer();
  process.once('exit', server.remove);
  return server;
}
