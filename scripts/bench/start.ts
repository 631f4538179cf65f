import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildServer } from '../support/built-server.ts';
import { freePort } from '../support/free-port.ts';
import { newDatabase } from '../support/temporary-database.ts';
import { instant } from './clock.ts';
import { type Machine, thisMachine } from './machine.ts';
import { medianOf } from './median.ts';
import type { Options } from './webhooks.ts';

export interface StartFigures {
  readonly engine: Options['engine'];
  readonly quick: boolean;
  readonly machine: Machine;
  /** The packages that the server imports before it is ready. The script imports them too. */
  readonly packages: readonly string[];
  /** Milliseconds from the start of the process until it is ready, the median of the rounds. */
  readonly server: number;
  readonly script: number;
  /** The server's time divided by the script's. */
  readonly ratio: number;
  readonly isWithinBound: boolean;
}

/** The highest ratio allowed. */
const BOUND = 1.3;
const READY = 'ready';

/**
 * Measures how long the built server takes to start in production, on an existing database. Compares it with a script
 * that imports the same packages and compiles the contract with the validator. The two take turns.
 */
export async function benchStart({ engine, quick, tell }: Options): Promise<StartFigures> {
  const machine = thisMachine();
  const rounds = quick ? 1 : 15;
  const database = await newDatabase(engine);
  const built = await buildServer();
  const environment = {
    ...process.env,
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://api.example.com',
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DATABASE_URL: database.url,
    LOG_LEVEL: 'silent',
  };
  const start = (...parameters: string[]) => untilReady(parameters, environment);
  try {
    const noting = new URL('./imported-packages.js', import.meta.url).href;
    // this start also creates the tables
    const { lines } = await start('--import', noting, built.main);
    const packages = [...new Set(lines.flatMap((line) => /^package (.+)$/.exec(line)?.[1] ?? []))];
    const script = join(built.folder, 'script.js');
    await writeFile(script, scriptWith(packages));
    const [ofServer, ofScript]: [number[], number[]] = [[], []];
    for (let round = 1; round <= rounds; round++) {
      ofServer.push((await start(built.main)).duration);
      ofScript.push((await start(script)).duration);
      tell(`round ${round} of ${rounds}`);
    }
    const figures = { server: medianOf(ofServer), script: medianOf(ofScript) };
    const ratio = figures.server / figures.script;
    return { engine, quick, machine, packages, ...figures, ratio, isWithinBound: ratio <= BOUND };
  } finally {
    built.remove();
    await database.drop();
  }
}

export function startTable({ quick, machine, engine, packages, ...figures }: StartFigures): string {
  const { server, script, ratio, isWithinBound } = figures;
  return [
    `${engine}${quick ? ', quick: these figures mean nothing' : ''}; ${machine.cores} cores, load ${machine.load.toFixed(1)} at the start, node ${machine.node}`,
    '',
    '| time until ready | ms |',
    '| --- | ---: |',
    `| a script that imports ${packages.length} packages and compiles the contract | ${script.toFixed(0)} |`,
    `| the server | ${server.toFixed(0)} |`,
    '',
    `server ÷ script: ${ratio.toFixed(2)}, ${isWithinBound ? 'within' : 'ABOVE'} the bound of ${BOUND}`,
  ].join('\n');
}

/** The script compiles the contract with the validator alone, so that the server's own shortcuts count. */
function scriptWith(packages: readonly string[]): string {
  const compiling = new URL('./stock-contract.js', import.meta.url).href;
  const imports = [...packages, compiling].map((name) => `import '${name}';`);
  return [...imports, `console.log('${READY}');`].join('\n');
}

/** Starts a process, and stops it as soon as it prints that it is ready. Throws an Error if it exits first. */
async function untilReady(parameters: readonly string[], env: NodeJS.ProcessEnv) {
  const from = instant();
  const child = spawn(process.execPath, parameters, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (!line.includes(READY)) continue;
    const duration = instant() - from;
    child.kill('SIGKILL');
    await ended;
    return { duration, lines };
  }
  throw new Error(`The process exited with code ${(await ended)[0]} before it was ready.`);
}
