import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildServer } from '../scripts/support/built-server.ts';
import { freePort } from '../scripts/support/free-port.ts';
import { newDatabase } from '../scripts/support/temporary-database.ts';
import { instant } from './clock.ts';
import type { Options, Outcome } from './options.ts';
import { medianOf } from './spread.ts';
import { conditions, tableOf } from './table.ts';

/** The highest allowed time of the server, divided by the script's. */
const BOUND = 1.3;
const READY = 'ready';
const NOTING = new URL('./imported-packages.js', import.meta.url).href;

/**
 * Measures how long the built server takes to start in production, on an existing database. Compares it with a script
 * that imports the same packages. The two take turns.
 */
export async function benchStart({ engine, quick, tell }: Options): Promise<Outcome> {
  const line = conditions({ engine, quick });
  const rounds = quick ? 1 : 15;
  const database = await newDatabase(engine);
  const built = await buildServer();
  const address = { PUBLIC_URL: 'https://api.example.com', HOST: '127.0.0.1', PORT: String(await freePort()) };
  const production = { NODE_ENV: 'production', ...address, DATABASE_URL: database.url, LOG_LEVEL: 'silent' };
  const environment = { ...process.env, ...production };
  try {
    // this start also creates the tables
    const { lines } = await start(['--import', NOTING, built.main], environment);
    const packages = [...new Set(lines.flatMap((one) => /^package (.+)$/.exec(one)?.[1] ?? []))];
    const script = join(built.folder, 'script.js');
    const imports = packages.map((name) => `import '${name}';\n`).join('');
    await writeFile(script, `${imports}console.log('${READY}');`);
    const [ofServer, ofScript]: [number[], number[]] = [[], []];
    for (let round = 1; round <= rounds; round++) {
      ofServer.push((await start([built.main], environment)).duration);
      ofScript.push((await start([script], environment)).duration);
      tell(`round ${round} of ${rounds}`);
    }
    const [server, other] = [medianOf(ofServer), medianOf(ofScript)];
    const isMet = server / other <= BOUND;
    const rows = [
      [`a script that imports the same ${packages.length} packages`, other.toFixed(0)],
      ['the server', server.toFixed(0)],
    ];
    const verdict = `server ÷ script: ${(server / other).toFixed(2)}, ${isMet ? 'within' : 'ABOVE'} the bound of ${BOUND}`;
    return { table: [line, tableOf(['time until ready', 'ms'], rows), verdict].join('\n\n'), isMet };
  } finally {
    built.remove();
    await database.drop();
  }
}

/** Starts a process, and stops it as soon as it prints that it is ready. Throws an Error if it exits first. */
async function start(parameters: readonly string[], env: NodeJS.ProcessEnv) {
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
