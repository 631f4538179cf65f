import { randomInt } from 'node:crypto';
import { tableOf } from '../../bench/table.ts';
import { newDatabase } from '../../scripts/support/temporary-database.ts';
import { commandLine, Misused, oneOf, runScript, wholeNumber } from '../../server/cli/command-line.ts';
import { MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { runNoisy } from './chaos/noisy/command.ts';
import { runOutage } from './chaos/outage.ts';
import { runChaos } from './chaos/run.ts';
import { judge, type Verdict } from './chaos/verdict.ts';

const MOST_PROBLEMS_SHOWN = 10;
/** There is one freeze and one rolling restart for this many kills. */
const KILLS_PER_FREEZE = 10;
const MOST_FAILURES = 3;
/** Longer than the lease of a delivery. */
const LONGEST_PAUSE_MS = 16 * SECOND_MS;

const HELP = `Kills a server repeatedly (SIGKILL) while passengers take rides in the live world and in sandboxes, and the webhook receiver sometimes
fails. For every ten kills, it also restarts all servers one after another (SIGTERM). If there are several servers on one
PostgreSQL, it kills one after another, and for every ten kills freezes one (SIGSTOP) for longer than any lease. If a
promise is broken, the exit code is 1, and the output has the seed.

  npm run chaos -- [options]
  npm run chaos -- noisy [options]   measures how the attacks of one tenant affect another: see npm run chaos -- noisy --help
  npm run chaos -- outage [options]  sends again what a receiver missed: see npm run chaos -- outage --help

  --instances N      the number of servers (default: 1)
  --kills N          the number of kills, about ten seconds each (default: 50)
  --engine ENGINE    sqlite or postgres (needs TEST_DATABASE_URL); several servers need postgres (default: sqlite for one server)
  --seed N           makes the same choices as an earlier run; the timing still differs (default: random)
  --minutes N        aborts the run with an error after this time (default: 40)
  --json             prints the result as JSON
  --help             prints this text

Progress goes to standard error.`;

await runScript(async () => {
  if (process.argv[2] === 'noisy') return runNoisy(process.argv.slice(3));
  if (process.argv[2] === 'outage') return runOutage(process.argv.slice(3));
  const { values } = await commandLine(HELP, {
    instances: { type: 'string', default: '1' },
    kills: { type: 'string', default: '50' },
    engine: { type: 'string' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    minutes: { type: 'string', default: '40' },
    json: { type: 'boolean', default: false },
  });
  const instances = wholeNumber('--instances', values.instances, 1);
  const kills = wholeNumber('--kills', values.kills);
  const minutes = wholeNumber('--minutes', values.minutes, 1);
  const { engine: named = instances === 1 ? 'sqlite' : 'postgres', seed } = values;
  const engine = oneOf('--engine', named, ['sqlite', 'postgres']);
  if (engine === 'sqlite' && instances > 1) throw new Misused('Several servers cannot share an SQLite file.');
  const rollings = Math.max(1, Math.round(kills / KILLS_PER_FREEZE));
  const { url, drop } = await newDatabase(engine);
  console.error(`${instances} instances, ${kills} kills, seed ${seed}, on ${url}`);
  const evidence = await runChaos({
    ...{ databaseUrl: url, instances, seed, longestPauseMs: LONGEST_PAUSE_MS, mostFailures: MOST_FAILURES },
    ...{ kills, freezes: instances > 1 ? rollings : 0, rollings },
    signal: AbortSignal.timeout(minutes * MINUTE_MS),
    report: (line) => console.error(`  ${line}`),
  });
  const verdict = judge(evidence);
  console.log(values.json ? JSON.stringify({ instances, seed, ...verdict }, null, 2) : textOf(verdict));
  const problems = verdict.kept.flatMap(({ promise, broken }) =>
    broken.slice(0, MOST_PROBLEMS_SHOWN).map((problem) => `${promise}: ${problem}`),
  );
  if (problems.length === 0) return drop();
  for (const problem of problems) console.error(problem);
  for (const [error, count] of evidence.errors) console.error(`Logged ${count} times: ${error}`);
  console.error(`Seed: ${seed}. The database is kept: ${url}`);
  process.exitCode = 1;
});

function textOf({ kept, figures }: Verdict): string {
  const rows = kept.map(({ promise, checked, broken }) => [promise, `${checked}`, `${broken.length}`]);
  const lines = Object.entries(figures).map(([name, figure]) => `${String(figure).padStart(7)}  ${name}`);
  return [tableOf(['promise', 'checked', 'broken'], rows), '', ...lines].join('\n');
}
