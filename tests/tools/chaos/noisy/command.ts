import { OPERATIONS } from '../../../../generated/server.ts';
import { commandLine, Misused, oneOf, wholeNumber } from '../../../../server/cli/command-line.ts';
import type { Engine } from '../../../../server/store/engine/open.ts';
import type { Attack } from './attack.ts';
import { ATTACKS } from './attacks.ts';
import { CALLS_PER_SECOND } from './others.ts';
import { playRound } from './round.ts';
import { type Figures, figuresOf, LEAST_REST_P99_MS, MOST_TIMES_SLOWER, problemsWith, type Round } from './verdict.ts';

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
  const results: Result[] = [];
  for (const engine of enginesNamed(values.engine)) {
    const attacks = attacksNamed(values.only, engine);
    const played = await playInTurn(attacks, engine, rounds, values.json ? console.error : console.log);
    for (const attack of attacks) results.push(resultOf(attack, engine, played.get(attack.name)!));
  }
  if (values.json) console.log(JSON.stringify(results, null, 2));
  else for (const line of tableOf(results)) console.log(line);
  const problems = results.flatMap(({ engine, problems }) => problems.map((problem) => `${engine}, ${problem}`));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else if (!values.json) console.log('All attacks stayed within the limits.');
}

interface Result {
  readonly engine: Engine;
  readonly name: string;
  readonly figures: Figures;
  readonly problems: readonly string[];
}

/** Plays the attacks in turn, so that a machine that is busy for a while does not spoil all rounds of one attack. */
async function playInTurn(
  attacks: readonly Attack[],
  engine: Engine,
  rounds: number,
  tell: (line: string) => void,
): Promise<Map<string, Round[]>> {
  const played = new Map<string, Round[]>(attacks.map(({ name }) => [name, []]));
  for (let number = 1; number <= rounds; number++) {
    for (const attack of attacks) {
      const round = await playRound(attack, engine);
      played.get(attack.name)!.push(round);
      const { restP99, attackP99, afterP99, failures, failuresAtRest } = figuresOf(attack, [round]);
      tell(
        `${engine}, round ${number} of ${rounds}, ${attack.name}: p99 ${ms(restP99)} at rest, ${ms(attackP99)} during the attack, ` +
          `${ms(afterP99)} after it; failed calls: ${failures} during the attack, ${failuresAtRest} at rest; ` +
          `responses to the attacker: ${JSON.stringify(round.answers)}`,
      );
    }
  }
  return played;
}

function resultOf(attack: Attack, engine: Engine, rounds: readonly Round[]): Result {
  return { engine, name: attack.name, figures: figuresOf(attack, rounds), problems: problemsWith(attack, rounds) };
}

const COLUMNS = [
  'engine',
  'attack',
  'p50 at rest',
  'p99 at rest',
  'p50 during',
  'p99 during',
  'p99 ratio',
  'p99 after',
  'failed during + at rest',
  'descriptors',
  'MB',
  'result',
];

function tableOf(results: readonly Result[]): string[] {
  const rows = results.map(({ engine, name, figures, problems }) => [
    ...[engine, name, ms(figures.restP50), ms(figures.restP99), ms(figures.attackP50), ms(figures.attackP99)],
    ...[
      figures.ratio.toFixed(1),
      ms(figures.afterP99),
      `${figures.failures} + ${figures.failuresAtRest}`,
      String(figures.descriptors ?? ''),
      String(figures.megabytes ?? ''),
    ],
    problems.length === 0 ? 'passed' : 'failed',
  ]);
  return [COLUMNS, COLUMNS.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
}

function attacksNamed(only: string | undefined, engine: Engine): readonly Attack[] {
  const names = only?.split(',');
  const unknown = names?.filter((name) => !ATTACKS.some((attack) => attack.name === name)) ?? [];
  if (unknown.length > 0) throw new Misused(`Unknown attack: ${unknown.join(', ')}. See --help.`);
  return ATTACKS.filter(({ name, engines }) => (names?.includes(name) ?? true) && (engines?.includes(engine) ?? true));
}

export function enginesNamed(name: string): readonly Engine[] {
  const engine = oneOf('--engine', name, ['sqlite', 'postgres', 'both']);
  return engine === 'both' ? ['sqlite', 'postgres'] : [engine];
}
