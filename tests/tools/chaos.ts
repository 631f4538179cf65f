import { randomInt } from 'node:crypto';
import { newDatabase } from '../../scripts/support/temporary-database.ts';
import { commandLine, runScript, wholeNumber } from '../../server/cli/command-line.ts';
import { SECOND_MS } from '../../server/domain/time.ts';
import type { Engine } from '../../server/store/engine/open.ts';
import { runInstancesCommand } from './chaos/instances/command.ts';
import { enginesNamed, runNoisy } from './chaos/noisy/command.ts';
import { runChaos } from './chaos/run.ts';
import { judge } from './chaos/verdict.ts';

const HELP = `Kills a development server repeatedly while passengers take rides and the webhook receiver sometimes fails. Then compares the webhooks
that arrived with the events in the database. If a webhook is missing, unknown, changed or out of order, the exit code is 1, and the
output has the seed.

  npm run chaos -- [options]
  npm run chaos -- --instances N     kills several servers on one PostgreSQL: see npm run chaos -- --instances 3 --help
  npm run chaos -- noisy [options]   measures how the attacks of one tenant affect another: see npm run chaos -- noisy --help

  --kills N          the number of kills, a few seconds each (default: 100)
  --engine ENGINE    sqlite, postgres (needs TEST_DATABASE_URL) or both (default: sqlite)
  --seed N           makes the same choices as an earlier run; the timing still differs (default: random)
  --help             prints this text`;

const LONGEST_LIFE_MS = 20 * SECOND_MS;
/** One less than the number of retries, so the server never gives up an event. */
const MOST_FAILURES = 7;
const MOST_PROBLEMS_SHOWN = 20;

await runScript(async () => {
  if (process.argv[2] === 'noisy') return runNoisy(process.argv.slice(3));
  if (process.argv.some((argument) => /^--instances\b/.test(argument))) return runInstancesCommand();
  const { values } = await commandLine(HELP, {
    kills: { type: 'string', default: '100' },
    engine: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  });
  const kills = wholeNumber('--kills', values.kills);
  for (const engine of enginesNamed(values.engine)) await run(engine, kills, values.seed);
});

async function run(engine: Engine, kills: number, seed: string): Promise<void> {
  const { url, drop } = await newDatabase(engine);
  console.log(`${engine}: ${kills} kills with seed ${seed}`);
  const options = { databaseUrl: url, kills, seed, longestLifeMs: LONGEST_LIFE_MS, mostFailures: MOST_FAILURES };
  const { figures, problems } = judge(await runChaos({ ...options, report: (line) => console.log(`  ${line}`) }));
  for (const [name, figure] of Object.entries(figures)) console.log(`  ${String(figure).padStart(7)}  ${name}`);
  if (problems.length === 0) {
    console.log(`${engine}: no problems found.`);
    return drop();
  }
  for (const problem of problems.slice(0, MOST_PROBLEMS_SHOWN)) console.error(`  ${problem}`);
  console.error(`${engine}: ${problems.length} problems with seed ${seed}. The database is kept: ${url}`);
  process.exitCode = 1;
}
