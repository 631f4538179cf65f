import { randomInt } from 'node:crypto';
import { newDatabase } from '../../../../scripts/support/temporary-database.ts';
import { commandLine, Misused, needed, wholeNumber } from '../../../../server/cli/command-line.ts';
import { MINUTE_MS, SECOND_MS } from '../../../../server/domain/time.ts';
import { runInstances } from './run.ts';
import { type InstancesVerdict, judgeInstances } from './verdict.ts';

const MOST_PROBLEMS_SHOWN = 10;
/** There is one freeze and one rolling restart for this many kills. */
const KILLS_PER_FREEZE = 10;
const MOST_FAILURES = 3;
const LONGEST_PAUSE_MS = 4 * SECOND_MS;

const HELP = `Runs several servers on one PostgreSQL (TEST_DATABASE_URL) while passengers take rides in the live world and in sandboxes. Kills one server
after another (SIGKILL). For every ten kills, it also freezes one server (SIGSTOP) for longer than any lease, and restarts all servers one
after another (SIGTERM). If a promise is broken, the exit code is 1, and the output has the seed.

  npm run chaos -- --instances N [options]

  --instances N      the number of servers, at least 2
  --kills N          the number of kills, about ten seconds each (default: 50)
  --engine ENGINE    must be postgres, because several servers cannot share an SQLite file
  --seed N           makes the same choices as an earlier run; the timing still differs (default: random)
  --minutes N        aborts the run with an error after this time (default: 40)
  --json             prints the result as JSON
  --help             prints this text

Progress goes to standard error.`;

export async function runInstancesCommand(): Promise<void> {
  const { values } = await commandLine(HELP, {
    instances: { type: 'string' },
    kills: { type: 'string', default: '50' },
    engine: { type: 'string', default: 'postgres' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    minutes: { type: 'string', default: '40' },
    json: { type: 'boolean', default: false },
  });
  if (values.engine !== 'postgres')
    throw new Misused('--engine must be postgres, because several servers cannot share an SQLite file.');
  const instances = wholeNumber('--instances', needed(values.instances, '--instances N'), 2);
  const kills = wholeNumber('--kills', values.kills);
  const minutes = wholeNumber('--minutes', values.minutes, 1);
  const others = Math.max(1, Math.round(kills / KILLS_PER_FREEZE));
  const { url, drop } = await newDatabase('postgres');
  const { seed } = values;
  const report = (line: string) => console.error(`  ${line}`);
  console.error(`${instances} instances, ${kills} kills, seed ${seed}, on ${url}`);
  const evidence = await runInstances({
    ...{ databaseUrl: url, instances, seed, report, longestPauseMs: LONGEST_PAUSE_MS },
    ...{ kills, freezes: others, rollings: others, mostFailures: MOST_FAILURES },
    signal: AbortSignal.timeout(minutes * MINUTE_MS),
  });
  const verdict = judgeInstances(evidence);
  if (values.json) console.log(JSON.stringify({ instances, seed, ...verdict }, null, 2));
  else for (const line of tableOf(verdict)) console.log(line);
  const broken = verdict.kept.filter((one) => one.broken.length > 0);
  if (broken.length === 0) return drop();
  for (const { promise, broken: problems } of broken) {
    for (const problem of problems.slice(0, MOST_PROBLEMS_SHOWN)) console.error(`${promise}: ${problem}`);
  }
  for (const [error, count] of evidence.errors) console.error(`Logged ${count} times: ${error}`);
  console.error(`Seed: ${seed}. The database is kept: ${url}`);
  process.exitCode = 1;
}

function tableOf({ kept, figures }: InstancesVerdict): string[] {
  return [
    '| promise | checked | broken |',
    '| --- | ---: | ---: |',
    ...kept.map(({ promise, checked, broken }) => `| ${promise} | ${checked} | ${broken.length} |`),
    '',
    ...Object.entries(figures).map(([name, figure]) => `${String(figure).padStart(7)}  ${name}`),
  ];
}
