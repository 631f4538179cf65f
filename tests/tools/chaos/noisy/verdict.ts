import { medianOf } from '../../../../bench/spread.ts';
import type { Attack } from './attack.ts';
import type { Call } from './others.ts';

/** How many times slower than at rest the others may be during an attack, at the 99th percentile. */
export const MOST_TIMES_SLOWER = 10;
/** A lower p99 at rest counts as this. Otherwise a p99 of 1 ms would allow only 10 ms, which no server can keep. */
export const LEAST_REST_P99_MS = 5;

/** One round: before, during and after the attack. */
export interface Round {
  readonly rest: readonly Call[];
  readonly attack: readonly Call[];
  readonly after: readonly Call[];
  /** The number of responses to the attacker, by status. */
  readonly answers: Readonly<Record<string, number>>;
  /** The most that the server process held during the attack; null if the system does not report it. */
  readonly descriptors: number | null;
  readonly megabytes: number | null;
}

/** Times in milliseconds, each the median of the rounds. */
export interface Figures {
  readonly restP50: number;
  readonly restP99: number;
  readonly attackP50: number;
  readonly attackP99: number;
  readonly afterP99: number;
  /** The median, over the rounds, of p99 during the attack divided by p99 at rest. */
  readonly ratio: number;
  /** The failed calls of the others in all rounds, during the attack and at rest. */
  readonly failures: number;
  readonly failuresAtRest: number;
  /** When the last call failed, in milliseconds since the attack began; null if none did. */
  readonly failedUntil: number | null;
  readonly descriptors: number | null;
  readonly megabytes: number | null;
  readonly answers: Readonly<Record<string, number>>;
}

export type Bounds = Pick<Attack, 'name' | 'mostP99Ms' | 'forgivenMs' | 'mostDescriptors' | 'mostMegabytes'>;

export function figuresOf(bounds: Bounds, rounds: readonly Round[]): Figures {
  const { forgivenMs = 0 } = bounds;
  const median = (of: (round: Round) => number) => medianOf(rounds.map(of));
  const counted = (round: Round) => round.attack.filter(({ at }) => at >= forgivenMs);
  const failed = rounds.flatMap(({ attack }) => attack.filter(({ failure }) => failure !== null));
  return {
    restP50: median(({ rest }) => percentile(rest, 0.5)),
    restP99: median(({ rest }) => percentile(rest, 0.99)),
    attackP50: median((round) => percentile(counted(round), 0.5)),
    attackP99: median((round) => percentile(counted(round), 0.99)),
    afterP99: median(({ after }) => percentile(after, 0.99)),
    ratio: median((round) => timesSlower(round.rest, counted(round))),
    failures: rounds.flatMap((round) => failuresIn(counted(round))).length,
    failuresAtRest: rounds.flatMap(({ rest, after }) => failuresIn([...rest, ...after])).length,
    failedUntil: failed.length === 0 ? null : Math.max(...failed.map(({ at, ms }) => at + ms)),
    descriptors: most(rounds.map(({ descriptors }) => descriptors)),
    megabytes: most(rounds.map(({ megabytes }) => megabytes)),
    answers: sumOf(rounds.map(({ answers }) => answers)),
  };
}

/** One sentence for each promise that an attack broke. */
export function problemsWith(bounds: Bounds, rounds: readonly Round[]): string[] {
  const { name, forgivenMs = 0, mostP99Ms, mostDescriptors, mostMegabytes } = bounds;
  const { ratio, attackP99, descriptors, megabytes, answers } = figuresOf(bounds, rounds);
  const afterRatio = medianOf(rounds.map(({ rest, after }) => timesSlower(rest, after)));
  const problems: string[] = [];
  if (ratio > MOST_TIMES_SLOWER) problems.push(`the others' p99 was ${ratio.toFixed(1)} times that at rest`);
  if (afterRatio > MOST_TIMES_SLOWER)
    problems.push(`after the attack, the others' p99 was still ${afterRatio.toFixed(1)} times that at rest`);
  if (mostP99Ms !== undefined && attackP99 > mostP99Ms) {
    problems.push(`the others' p99 was ${attackP99.toFixed(0)} ms, above ${mostP99Ms} ms`);
  }
  for (const [when, callsIn] of PHASES) {
    const failures = rounds.flatMap((round) => failuresIn(callsIn(round, forgivenMs)));
    for (const [failure, count] of countsOf(failures))
      problems.push(`${count} calls of the others failed ${when}: ${failure}`);
  }
  if (rounds.some(({ rest, attack }) => rest.length === 0 || attack.length === 0))
    problems.push('no calls were measured');
  if (mostDescriptors !== undefined && descriptors !== null && descriptors > mostDescriptors) {
    problems.push(`the server used ${descriptors} file descriptors, more than ${mostDescriptors}`);
  }
  if (mostMegabytes !== undefined && megabytes !== null && megabytes > mostMegabytes) {
    problems.push(`the server used ${megabytes} MB, more than ${mostMegabytes} MB`);
  }
  if (Object.keys(answers).length === 0) problems.push('the attack did not reach the server');
  return problems.map((problem) => `${name}: ${problem}`);
}

const PHASES: ReadonlyArray<readonly [when: string, callsIn: (round: Round, forgivenMs: number) => readonly Call[]]> = [
  ['before the attack', ({ rest }) => rest],
  ['during the attack', ({ attack }, forgivenMs) => attack.filter(({ at }) => at >= forgivenMs)],
  ['after the attack', ({ after }) => after],
];

function failuresIn(calls: readonly Call[]): string[] {
  return calls.flatMap(({ failure }) => failure ?? []);
}

function timesSlower(rest: readonly Call[], attack: readonly Call[]): number {
  return percentile(attack, 0.99) / Math.max(LEAST_REST_P99_MS, percentile(rest, 0.99));
}

/** Nearest rank; 0 without calls. */
function percentile(calls: readonly Call[], share: number): number {
  const sorted = calls.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function most(values: ReadonlyArray<number | null>): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function sumOf(all: ReadonlyArray<Readonly<Record<string, number>>>): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [name, value] of all.flatMap(Object.entries<number>)) sum[name] = (sum[name] ?? 0) + value;
  return sum;
}
