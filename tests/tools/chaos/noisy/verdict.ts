import { medianOf } from '../../../../bench/spread.ts';
import { SECOND_MS } from '../../../../server/domain/time.ts';
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
  /** How long it attacked, and what its process spent and sent meanwhile. */
  readonly attacker: { readonly ms: number; readonly cpuMs: number; readonly bytesSent: number };
  /** The most that the server process held during the attack; null if the system does not report it. */
  readonly descriptors: number | null;
  readonly megabytes: number | null;
}

export type Bounds = Pick<Attack, 'name' | 'mostP99Ms' | 'forgivenMs' | 'mostDescriptors' | 'mostMegabytes'>;

/** Times in milliseconds, each the median of the rounds. */
export function figuresOf(bounds: Bounds, all: readonly Round[]) {
  const rounds = all.map((round) => countedIn(bounds, round));
  const median = (of: (round: Round) => number) => medianOf(rounds.map(of));
  const most = (of: (round: Round) => number | null) => {
    const known = rounds.map(of).filter((value) => value !== null);
    return known.length === 0 ? null : Math.max(...known);
  };
  return {
    restP50: median(({ rest }) => percentile(rest, 0.5)),
    restP99: median(({ rest }) => percentile(rest, 0.99)),
    attackP50: median(({ attack }) => percentile(attack, 0.5)),
    attackP99: median(({ attack }) => percentile(attack, 0.99)),
    afterP99: median(({ after }) => percentile(after, 0.99)),
    /** p50 during the attack divided by p50 at rest. */
    ratioP50: median(({ rest, attack }) => percentile(attack, 0.5) / percentile(rest, 0.5)),
    /** Responses with a status, and what the attacker's process spent: its cores, and megabytes a second. */
    answersPerSecond: median(({ answers, attacker }) => (statusesIn(answers) * SECOND_MS) / attacker.ms),
    attackerCores: median(({ attacker }) => attacker.cpuMs / attacker.ms),
    sentMegabytesPerSecond: median(({ attacker }) => attacker.bytesSent / 1000 / attacker.ms),
    /** p99 during the attack divided by p99 at rest, and the same after the attack. */
    ratio: median(({ rest, attack }) => timesSlower(rest, attack)),
    afterRatio: median(({ rest, after }) => timesSlower(rest, after)),
    /** The failed calls of the others in all rounds. */
    failures: rounds.flatMap(({ attack }) => failuresIn(attack)).length,
    failuresAtRest: rounds.flatMap(({ rest, after }) => failuresIn([...rest, ...after])).length,
    descriptors: most(({ descriptors }) => descriptors),
    megabytes: most(({ megabytes }) => megabytes),
  };
}

/** One sentence for each promise that an attack broke. */
export function problemsWith(bounds: Bounds, all: readonly Round[]): string[] {
  const { name, mostP99Ms = Infinity, mostDescriptors = Infinity, mostMegabytes = Infinity } = bounds;
  const { ratio, afterRatio, attackP99, descriptors, megabytes } = figuresOf(bounds, all);
  const rounds = all.map((round) => countedIn(bounds, round));
  const slower = (times: number) => `the others' p99 was ${times.toFixed(1)} times that at rest`;
  const failed = PHASES.flatMap(([when, phase]) => {
    const failures = rounds.flatMap((round) => failuresIn(round[phase]));
    return [...new Set(failures)].map((failure) => {
      const count = failures.filter((other) => other === failure).length;
      return `${count} calls of the others failed ${when}: ${failure}`;
    });
  });
  const problems = [
    ratio > MOST_TIMES_SLOWER && slower(ratio),
    afterRatio > MOST_TIMES_SLOWER && `after the attack, ${slower(afterRatio)}`,
    attackP99 > mostP99Ms && `the others' p99 was ${attackP99.toFixed(0)} ms, above ${mostP99Ms} ms`,
    ...failed,
    all.some(({ rest, attack }) => rest.length === 0 || attack.length === 0) && 'no calls were measured',
    (descriptors ?? 0) > mostDescriptors &&
      `the server used ${descriptors} file descriptors, more than ${mostDescriptors}`,
    (megabytes ?? 0) > mostMegabytes && `the server used ${megabytes} MB, more than ${mostMegabytes} MB`,
    all.every(({ answers }) => Object.keys(answers).length === 0) && 'the attack did not reach the server',
  ];
  return problems.flatMap((problem) => (problem === false ? [] : [`${name}: ${problem}`]));
}

const PHASES = [
  ['before the attack', 'rest'],
  ['during the attack', 'attack'],
  ['after the attack', 'after'],
] as const;

/** Without the calls in the forgiven time. */
function countedIn({ forgivenMs = 0 }: Bounds, round: Round): Round {
  return { ...round, attack: round.attack.filter(({ at }) => at >= forgivenMs) };
}

function failuresIn(calls: readonly Call[]): string[] {
  return calls.flatMap(({ failure }) => failure ?? []);
}

/** The number of responses. Other entries count connections and webhooks. */
function statusesIn(answers: Round['answers']): number {
  return Object.entries(answers).reduce((sum, [what, count]) => sum + (/^\d{3}\b/.test(what) ? count : 0), 0);
}

function timesSlower(rest: readonly Call[], attack: readonly Call[]): number {
  return percentile(attack, 0.99) / Math.max(LEAST_REST_P99_MS, percentile(rest, 0.99));
}

/** Nearest rank; 0 without calls. */
function percentile(calls: readonly Call[], share: number): number {
  const sorted = calls.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
