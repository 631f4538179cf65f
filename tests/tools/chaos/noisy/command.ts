import { tableOf } from '../../../../bench/table.ts';
import { OPERATIONS } from '../../../../generated/server.ts';
import { commandLine, Misused, oneOf, wholeNumber } from '../../../../server/cli/command-line.ts';
import type { Engine } from '../../../../server/store/engine/open.ts';
import type { Attack } from './attack.ts';
import { ATTACKS } from './attacks.ts';
import { CALLS_PER_SECOND } from './others.ts';
import { playRound } from './round.ts';
import { figuresOf, LEAST_REST_P99_MS, MOST_TIMES_SLOWER, problemsWith, type Round } from './verdict.ts';

const ROUNDS = 3;

const HELP = `One tenant attacks a server while another calls GET ${OPERATIONS.listRideTypes.path} ${CALLS_PER_SECOND} times a second. The command fails if one of these calls
fails, or if their p99 during the attack is more than ${MOST_TIMES_SLOWER} times their p99 at rest and more than ${LEAST_REST_P99_MS * MOST_TIMES_SLOWER} ms. The
median of the rounds counts. Each round has its own server and database.

  npm run chaos -- noisy [options]

  --engine ENGINE    sqlite, postgres (needs TEST_DATABASE_URL) or both (default: sqlite)
  --only NAMES       runs only these attacks, separated by commas
  --rounds N         the number of rounds of each attack (default: ${ROUNDS})
  --json             prints the figures as JSON; progress goes to standard error
  --help             prints this text

Attacks:
${ATTACKS.map(({ name, what }) => `  ${name.padEnd(18)} ${what}`).join('\n')}`;

/** @param arguments_ the arguments after `noisy` */
export async function runNoisy(arguments_: readonly string[]): Promise<void> {
  const options = {
    engine: { type: 'string', default: 'sqlite' },
    only: { type: 'string' },
    rounds: { type: 'string', default: String(ROUNDS) },
    json: { type: 'boolean', default: false },
  } as const;
  const { values } = await commandLine(HELP, options, [], arguments_);
  const rounds = wholeNumber('--rounds', values.rounds, 1);
  const engine = oneOf('--engine', values.engine, ['sqlite', 'postgres', 'both']);
  const tell = values.json ? console.error : console.log;
  const results: Result[] = [];
  for (const one of engine === 'both' ? (['sqlite', 'postgres'] as const) : [engine]) {
    results.push(...(await playInTurn(attacksNamed(values.only, one), one, rounds, tell)));
  }
  const rows = results.map((result) => Object.values(COLUMNS).map((cellOf) => String(cellOf(result) ?? '')));
  console.log(values.json ? JSON.stringify(results, null, 2) : tableOf(Object.keys(COLUMNS), rows));
  const problems = results.flatMap(({ engine, problems }) => problems.map((problem) => `${engine}, ${problem}`));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else if (!values.json) console.log('All attacks stayed within the limits.');
}

type Result = Awaited<ReturnType<typeof playInTurn>>[number];

/** Plays the attacks in turn, so that a machine that is busy for a while does not spoil all rounds of one attack. */
async function playInTurn(attacks: readonly Attack[], engine: Engine, rounds: number, tell: (line: string) => void) {
  const played = attacks.map((attack) => ({ attack, own: [] as Round[] }));
  for (let number = 1; number <= rounds; number++) {
    for (const { attack, own } of played) {
      const round = await playRound(attack, engine);
      own.push(round);
      const { restP99, attackP99, afterP99, failures, failuresAtRest } = figuresOf(attack, [round]);
      tell(
        `${engine}, round ${number} of ${rounds}, ${attack.name}: p99 ${ms(restP99)} at rest, ${ms(attackP99)} during the attack, ` +
          `${ms(afterP99)} after it; failed calls: ${failures} during the attack, ${failuresAtRest} at rest; ` +
          `responses to the attacker: ${JSON.stringify(round.answers)}`,
      );
    }
  }
  return played.map(({ attack, own }) => {
    return { engine, name: attack.name, figures: figuresOf(attack, own), problems: problemsWith(attack, own) };
  });
}

const COLUMNS: Readonly<Record<string, (result: Result) => string | number | null>> = {
  engine: ({ engine }) => engine,
  attack: ({ name }) => name,
  'p50 at rest': ({ figures }) => ms(figures.restP50),
  'p99 at rest': ({ figures }) => ms(figures.restP99),
  'p50 during': ({ figures }) => ms(figures.attackP50),
  'p99 during': ({ figures }) => ms(figures.attackP99),
  'p50 ratio': ({ figures }) => figures.ratioP50.toFixed(1),
  'p99 ratio': ({ figures }) => figures.ratio.toFixed(1),
  'p99 after': ({ figures }) => ms(figures.afterP99),
  'failed during + at rest': ({ figures }) => `${figures.failures} + ${figures.failuresAtRest}`,
  'answers/s to the attacker': ({ figures }) => figures.answersPerSecond.toFixed(0),
  'its CPU': ({ figures }) => `${(100 * figures.attackerCores).toFixed(0)} %`,
  'it sends': ({ figures }) => `${figures.sentMegabytesPerSecond.toFixed(2)} MB/s`,
  descriptors: ({ figures }) => figures.descriptors,
  MB: ({ figures }) => figures.megabytes,
  result: ({ problems }) => (problems.length === 0 ? 'passed' : 'failed'),
};

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
}

function attacksNamed(only: string | undefined, engine: Engine): readonly Attack[] {
  const names = only?.split(',');
  const unknown = names?.filter((name) => !ATTACKS.some((attack) => attack.name === name)) ?? [];
  if (unknown.length > 0) throw new Misused(`Unknown attack: ${unknown.join(', ')}. See --help.`);
  return ATTACKS.filter(({ name, engines }) => (names?.includes(name) ?? true) && (engines?.includes(engine) ?? true));
}
