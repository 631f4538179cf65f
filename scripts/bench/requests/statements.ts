import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashOf } from '../../../server/oauth/secrets.ts';
import type { FromBare, Replay, Statement, ToBare } from './bare-process.ts';
import { cpuOf, spawnOn } from './cores.ts';
import type { Filled } from './filled.ts';
import type { Span } from './load.ts';
import { MEASURED } from './operations.ts';
import { startOwn } from './servers.ts';

/** A process that runs the statements of a request. */
export interface Bare {
  /** Runs the statements `count` times, each time for a different passenger. */
  run(count: number): Promise<Span>;
  close(): Promise<void>;
}

interface Place {
  readonly core: number;
  /** For temporary files. */
  readonly folder: string;
  /** The folder of the filled database. No process may have it open. */
  readonly data: string;
}

const FILE = 'ridehail.db';
/** All background work of the server repeats within this time. */
const AT_REST_MS = 2000;

/**
 * Records the statements of one ride request, and starts a process that repeats them on a copy of the database. The
 * recording uses the first fresh passenger, and each repetition uses the next one.
 */
export async function startBare({ core, folder, data }: Place, filled: Filled): Promise<Bare> {
  const copies = { recorded: join(folder, 'recorded'), bare: join(folder, 'bare') };
  for (const copy of Object.values(copies)) cpSync(data, copy, { recursive: true });
  const { pragmas, statements } = await recordedIn(copies.recorded, { core, folder }, filled);
  const [recorded, ...others] = filled.fresh;
  const ride = rideIdIn(statements);
  const replacements = others.map(({ id, token }) => [
    [hashOf(recorded!.token), hashOf(token)] as const,
    [recorded!.id, id] as const,
    [ride, randomUUID()] as const,
  ]);
  const replay: Replay = { file: join(copies.bare, FILE), pragmas, statements, replacements };
  const replayFile = join(folder, 'replay.json');
  writeFileSync(replayFile, JSON.stringify(replay));
  return start(core, replayFile);
}

async function start(core: number, replayFile: string): Promise<Bare> {
  const program = new URL('./bare-process.ts', import.meta.url).pathname;
  const child = spawnOn(core, ['--import', 'tsx', program, replayFile], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const failed = ended.then(([code]) => {
    throw new Error(`The process with the bare statements exited with code ${code}.`);
  });
  failed.catch(() => {});
  const told = async <Told>(): Promise<Told> => (await Promise.race([once(child, 'message'), failed]))[0];
  await told();
  return {
    run: async (count) => {
      const before = cpuOf(child.pid!);
      const answer = told<FromBare>();
      child.send(count satisfies ToBare);
      const { milliseconds } = await answer;
      return { requests: count, milliseconds, cpu: cpuOf(child.pid!) - before };
    },
    close: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

async function recordedIn(copy: string, place: { readonly core: number; readonly folder: string }, filled: Filled) {
  const file = join(place.folder, 'statements.jsonl');
  const recorder = new URL('./recorder.js', import.meta.url).href;
  const server = await startOwn({
    ...place,
    databaseUrl: `file:${join(copy, FILE)}`,
    beside: ['--import', recorder],
    environment: { STATEMENTS: file },
  });
  try {
    const read = (): Statement[] =>
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    await sleep(AT_REST_MS);
    const before = read();
    const [call] = MEASURED.rides.calls(filled);
    const { path, ...init } = call!;
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
    if (response.status !== MEASURED.rides.status)
      throw new Error(`The recorded request returned ${response.status}: ${await response.text()}`);
    const statements = ofTheRequest(read().slice(before.length), filled.fresh[0]!.token);
    return { pragmas: pragmasIn(before), statements };
  } finally {
    await server.end();
    rmSync(copy, { recursive: true });
  }
}

/**
 * Returns the last pragma of each name. Earlier ones belong to the file that holds the owner's lock. Adds a pragma that
 * makes each commit wait for the disk. The server's commits wait too, but it flushes them without a statement.
 */
function pragmasIn(statements: readonly Statement[]): string[] {
  const pragmas = statements.map(({ source }) => source).filter((source) => /^pragma \w+ = /.test(source));
  const last = new Map(pragmas.map((source) => [source.split(' = ')[0], source]));
  return [...last.values(), 'pragma synchronous = full'];
}

/** Returns the statements from the token lookup to the commit of the ride. The server does nothing else in between. */
function ofTheRequest(statements: readonly Statement[], token: string): Statement[] {
  const from = statements.findIndex(({ parameters }) => parameters?.includes(hashOf(token)));
  const written = statements.findIndex(isRide);
  const to = statements.findIndex(({ source }, index) => index > written && source === 'commit');
  if (from === -1 || written === -1 || to === -1) throw new Error('The statements of a request were not recorded.');
  return statements.slice(from, to + 1);
}

const isRide = ({ source }: Statement) => /^insert into "rides"/.test(source);

/** Reads the ride's id from the parameters of the insert. */
function rideIdIn(statements: readonly Statement[]): string {
  const insert = statements.find(isRide)!;
  const columns = /\(([^)]+)\)/
    .exec(insert.source)![1]!
    .split(',')
    .map((name) => name.trim());
  return String(insert.parameters![columns.indexOf('"id"')]);
}
