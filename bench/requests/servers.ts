import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATIONS } from '../../generated/server.ts';
import { builtServer } from '../../scripts/support/built-server.ts';
import { freePort } from '../../scripts/support/free-port.ts';
import { writeMockContract } from '../../scripts/support/mock-contract.ts';
import { spawnOn } from './cores.ts';
import type { Call, PeerId } from './operations.ts';

/** A measured server in a separate process. */
export interface Server {
  readonly pid: number;
  readonly port: number;
  /** Stops the server, and resolves when it has exited. */
  end(): Promise<void>;
}

export interface OwnServer extends Server {
  readonly child: ChildProcess;
  /** Throws an Error with the first error in the server's log, such as a response that breaks the contract. */
  assertNoError(): void;
}

const LOOK_AGAIN_MS = 50;
const MOST_STARTING_MS = 60_000;
/** Matches pino's log lines at level error or fatal. */
const OF_AN_ERROR = /^\{"level":[56]0.*$/m;

/**
 * Starts the built server with production settings. It counts calls for rate limits that are too high to reach. It logs
 * to a file in the folder.
 * @param hook a module to load first
 */
export async function startOwn(
  core: number,
  folder: string,
  databaseUrl: string,
  hook?: URL,
  more: NodeJS.ProcessEnv = {},
): Promise<OwnServer> {
  const port = await freePort();
  const address = { PUBLIC_URL: 'https://localhost', HOST: '127.0.0.1', PORT: String(port), DATABASE_URL: databaseUrl };
  const limits = { RATE_LIMIT_MULTIPLIER: '100000', MAX_REQUESTS_PER_CONNECTION: '1000000', DRAIN_SECONDS: '0' };
  const env = { ...process.env, ...address, ...limits, NODE_ENV: 'benchmark', LOG_LEVEL: 'info', ...more };
  const logFile = join(folder, `server-${port}.log`);
  const log = openSync(logFile, 'w');
  const first = hook === undefined ? [] : ['--import', hook.href];
  const child = spawnOn(core, [...first, await builtServer()], { env, stdio: ['ignore', log, 'inherit', 'ipc'] });
  closeSync(log);
  const server = await listening(child, port, '/readyz');
  const assertNoError = () => {
    const [line] = OF_AN_ERROR.exec(readFileSync(logFile, 'utf8')) ?? [];
    if (line !== undefined) throw new Error(`The server logged an error: ${line}`);
  };
  return { ...server, child, assertNoError };
}

/**
 * Starts a server for comparison, with production settings.
 * @param call the eta request for which it returns the answer
 */
export async function startPeer(peer: PeerId, core: number, call: Call, answer: unknown): Promise<Server> {
  const port = await freePort();
  const { path } = OPERATIONS.estimateEta;
  const fastServer = join(dirname(await builtServer()), 'http/fast-server.js');
  const settings = JSON.stringify({ peer, port, path, answer, contract: 'generated/openapi.json', fastServer });
  const own = [new URL('./peer-process.js', import.meta.url).pathname, settings];
  const mock = peer === 'prism' ? writeMockContract() : null;
  const prism = ['node_modules/.bin/prism', 'mock', `${mock?.file}`, `--port=${port}`, '--multiprocess=false'];
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = spawnOn(core, mock ? prism : own, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const server = await listening(child, port, call.path);
  return { ...server, end: () => server.end().finally(mock?.remove) };
}

/** Waits for any response, which shows that the server has started. */
async function listening(child: ChildProcess, port: number, path: string): Promise<Server> {
  const end = async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
  };
  const giveUpAt = Date.now() + MOST_STARTING_MS;
  while (child.exitCode === null && Date.now() < giveUpAt) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
    await response?.arrayBuffer();
    if (response !== null) return { pid: child.pid!, port, end };
    await sleep(LOOK_AGAIN_MS);
  }
  await end();
  throw new Error('A server exited, or did not respond in time.');
}
