import type { ChildProcess, StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATIONS } from '../../../generated/server.ts';
import { builtServer } from '../../support/built-server.ts';
import { freePort } from '../../support/free-port.ts';
import { writeMockContract } from '../../support/mock-contract.ts';
import { cpuOf, spawnOn } from './cores.ts';
import type { Call, PeerId } from './operations.ts';
import type { PeerSettings } from './peer-process.ts';

/** A measured server in a separate process. */
export interface Server {
  readonly pid: number;
  readonly port: number;
  /** Stops the server, and resolves when it has exited. */
  end(): Promise<void>;
}

const CONTRACT = 'generated/openapi.json';
const LOOK_AGAIN_MS = 50;
const MOST_STARTING_MS = 60_000;
/**
 * A server that is still compiling the contract uses CPU for most of this time. An idle server uses a few milliseconds.
 */
const LOOK_FOR_REST_MS = 400;
const MOST_RESTING_SHARE = 0.2;
const NO_LIMIT = '1000000';
/** Matches pino's log lines at level error or fatal. */
const OF_AN_ERROR = /^\{"level":[56]0.*$/m;

export interface OwnServer extends Server {
  readonly child: ChildProcess;
  /** Throws an Error with the first error in the server's log, such as a response that breaks the contract. */
  assertNoError(): void;
}

interface OwnSettings {
  readonly core: number;
  readonly databaseUrl: string;
  /** The folder for the server's log. */
  readonly folder: string;
  /** Arguments for node. */
  readonly beside?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether this process can send messages to the server. */
  readonly hasChannel?: true;
}

/**
 * Starts the built server with production settings. It counts calls for rate limits that are too high to reach. It logs
 * to a file.
 */
export async function startOwn(settings: OwnSettings): Promise<OwnServer> {
  const { core, databaseUrl, folder, beside = [], environment = {}, hasChannel } = settings;
  const port = await freePort();
  const env = {
    ...process.env,
    ...environment,
    NODE_ENV: 'benchmark',
    PUBLIC_URL: 'https://localhost',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    RATE_LIMIT_MULTIPLIER: '100000',
    MAX_REQUESTS_PER_CONNECTION: NO_LIMIT,
    DRAIN_SECONDS: '0',
    LOG_LEVEL: 'info',
  };
  const logFile = join(folder, `server-${port}.log`);
  const log = openSync(logFile, 'w');
  const stdio: StdioOptions = ['ignore', log, 'inherit', ...(hasChannel ? ['ipc' as const] : [])];
  const child = spawnOn(core, [...beside, await builtServer()], { env, stdio });
  closeSync(log);
  const server = await listening(child, port, '/readyz');
  await resting(server.pid);
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
export async function startPeer(peer: PeerId, core: number, call: Call, answer: object): Promise<Server> {
  const port = await freePort();
  const { path } = OPERATIONS.estimateEta;
  const env = { ...process.env, NODE_ENV: 'production' };
  if (peer === 'prism') return startPrism(core, port, env);
  const program = new URL('./peer-process.ts', import.meta.url).pathname;
  const settings = JSON.stringify({ port, path, answer, contract: CONTRACT } satisfies PeerSettings);
  const parameters = ['--import', 'tsx', program, peer, settings];
  return listening(spawnOn(core, parameters, { env, stdio: ['ignore', 'ignore', 'inherit'] }), port, call.path);
}

async function startPrism(core: number, port: number, env: NodeJS.ProcessEnv): Promise<Server> {
  const contract = writeMockContract();
  const mock = ['mock', contract.file, '--host', '127.0.0.1', '--port', String(port), '--multiprocess=false'];
  const child = spawnOn(core, ['node_modules/.bin/prism', ...mock], { env, stdio: 'ignore' });
  const server = await listening(child, port, '/');
  return { ...server, end: () => server.end().finally(contract.remove) };
}

async function listening(child: ChildProcess, port: number, path: string): Promise<Server> {
  const ended = once(child, 'exit');
  const failed = ended.then(([code]) => {
    throw new Error(`The server exited with code ${code}.`);
  });
  failed.catch(() => {});
  const end = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  await Promise.race([answering(port, path), failed]).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  return { pid: child.pid!, port, end };
}

/** Waits until our server is idle. After the start, it compiles the rest of the contract between requests. */
async function resting(pid: number): Promise<void> {
  const giveUpAt = Date.now() + MOST_STARTING_MS;
  while (Date.now() < giveUpAt) {
    const before = cpuOf(pid);
    await sleep(LOOK_FOR_REST_MS);
    if ((cpuOf(pid) - before) / 1000 < MOST_RESTING_SHARE * LOOK_FOR_REST_MS) return;
  }
  throw new Error('The server did not become idle in time.');
}

/** Waits for any response, which shows that the server has started. */
async function answering(port: number, path: string): Promise<void> {
  const giveUpAt = Date.now() + MOST_STARTING_MS;
  while (Date.now() < giveUpAt) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
    await response?.arrayBuffer();
    if (response !== null) return;
    await sleep(LOOK_AGAIN_MS);
  }
  throw new Error('The server did not respond in time.');
}
